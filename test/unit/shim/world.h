/* SPDX-License-Identifier: Apache-2.0 */
/* The whole shim between a scripted API server and a scripted core. */
#ifndef TEST_BIND_WORLD_H
#define TEST_BIND_WORLD_H

#include "shim/shim.h"

#include "lib/kube_objects.h"
#include "shim/fake_api.h"
#include "shim/fake_core.h"

struct world {
    struct yk_clock clock;
    struct yk_timers timers;
    struct fake_api api;
    struct yk_core core;
    struct yk_shim *shim;
    struct yk_mailbox aside, inbox; /* run by hand, where a test uses them */
    char fatal[256];
    uint64_t changes; /* of struct yk_shim_options */
    int version;
};

/* cmocka's; tear_down() also sees that no name is still held. */
int set_up(void **state);
/* New configurations are prepared when world->aside runs, and finished by world->inbox. */
int set_up_with_aside(void **state);
/* Writes nothing until yk_shim_lead(). */
int set_up_standby(void **state);
int tear_down(void **state);
/* One of several. */
void take_down(struct world *world);
/* Until there is nothing to do at once. */
void work(struct world *world);
/* Time goes by. */
void pass(struct world *world, int64_t ns);
/* Works, then compares what the core was told since the last look. */
void told(struct world *world, const char *want);
const char *next_version(struct world *world);
void list(struct world *world, enum yk_kind kind, enum yk_watch_event event);
/* Of application "app", one vcore; the uid is "uid-<name>". */
struct yk_pod *pod(struct world *world, const char *name);
/* Larger than the nodes of running(). */
struct yk_pod *big_pod(struct world *world, const char *name);
struct yk_pod *pod_on(struct world *world, const char *name, const char *node);
struct yk_k8s_node *node(struct world *world, const char *name);
void upsert(struct world *world, void *object);
void removed(struct world *world, void *object);
/* Sends one that waits, and a younger one that is on n1 already. */
void upsert_waiting_and_bound(struct world *world, const char *waiting, const char *bound);
void empty_list(struct world *world, enum yk_kind kind);
/* All lists but that of pods, which is the test's: empty ones, and nodes n1 to n<count>. */
void listed_nodes(struct world *world, int count);
/* Up and running with nodes n1 and n2, nothing else. */
void running(struct world *world);
/* The same with node n1 only, and yunikorn-configs with that key. */
void running_with(struct world *world, const char *key, const char *value);
/* A pod that the core sent to n1, its bind under way. */
void decided(struct world *world, const char *name);
/* To the oldest bind; false when there is none. */
bool answer(struct world *world, enum yk_op_result result, int http, const char *reason);
/* yunikorn-configs with that key. */
struct yk_config_map *config(struct world *world, const char *key, const char *value);
/* Works, whatever the core hears meanwhile. */
void settle(struct world *world);
/* The core wants that pod of application "app" gone. */
void released(struct world *world, const char *key, enum yk_si_termination why, const char *message);
/* Answers all Events under way. Returns how many contain `text`; `ret` gets the last of these. */
size_t events_with(struct world *world, const char *text, char ret[4096]);
/* Fails the test unless `part` is in `text`. */
void has(const char *text, const char *part);
/* The core says that it found no place. */
void waits(struct world *world, const char *key);

#endif
