/* SPDX-License-Identifier: Apache-2.0 */
/* Placement by table: rules and queues as YAML, an application, and the path it should get. */
#ifndef TEST_PLACEMENT_PLACE_H
#define TEST_PLACEMENT_PLACE_H

#include "placement/placement.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Lines indented by two, and by four. */
#define PLACE_CONFIG(rules, queues)                                                                          \
    "partitions:\n- name: default\n  placementrules:\n" rules "  queues:\n  - name: root\n" queues

struct place_case {
    const char *what;
    const char *config;
    const char *user;   /* NULL: ann */
    const char *groups; /* separated by commas; NULL: none */
    const char *queue;  /* as submitted */
    const char *tags;   /* "key=value key=value" */
    const char *want;   /* the path; NULL: rejected */
    const char *reason; /* part of the sentence when rejected; NULL: no rule matched */
    bool forced;
};

#define NO_RULE_MATCHED "application rejected: no placement rule matched"

/* Fails the test with the sentence of the case that does not hold. */
void check_places(const struct place_case *cases, size_t count);

/* The pieces, for tests that change the tree in between. */
struct place_world {
    struct yk_config *config;
    struct yk_placement *placement;
    struct yk_queue *root;
};
void place_world_init(struct place_world *world, const char *config);
void place_world_done(struct place_world *world);
/* The path, or the reason when `*ret_placed` is false; the caller's to free. */
char *place_in(struct place_world *world, const struct place_case *one, bool *ret_placed);

#endif
