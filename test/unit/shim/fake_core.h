/* SPDX-License-Identifier: Apache-2.0 */
/* A core that decides what the test says, and records its calls. */
#ifndef TEST_BIND_FAKE_CORE_H
#define TEST_BIND_FAKE_CORE_H

#include "si.h"

struct yk_core {
    const struct yk_si_callbacks *callbacks;
    void *rm;
    struct yk_buf log;      /* "app a; ask uid-p; ..." */
    struct yk_buf config;   /* queues.yaml as last told */
    bool late_answers;      /* applications are answered by fake_core_answer_app() */
    const char *refuse_app; /* the reason */
    bool takes_forced;      /* all the same */
    const char *refuse_ask;
    const char *refuse_config;
    bool adds_partitions; /* each reload does */
    bool refuse_node;
    const char *reserved_node; /* reserved for an ask */
    struct yk_si_why why;      /* of everything that waits, */
    const char *sentence;      /* and the sentence; NULL: none */
    const char *refusal;       /* and what refuses the ask; NULL: nothing */
    struct yk_si_start start;  /* of everything that waits */
    struct fake_ask {
        char key[64], app[64], node[64];
        const char *stays; /* where the shim has the key, if it said that it stays there */
        void *cookie;
        yk_si_class class_;
        struct yk_resvec size;
        bool foreign, placeholder, originator;
        char tags[256]; /* "key=value key=value", of those that were sent with it */
        char group[32];
    } asks[64];
    size_t ask_count;
    struct fake_node {
        char name[64];
        void *cookie;
        char attributes[256]; /* the same */
        bool enabled;
    } nodes[64];
    size_t node_count;
    /* Of the application that was submitted last. */
    char last_queue[64], last_user[64], last_source[256];
    int64_t last_members;        /* of its gang; 0: it is none */
    struct yk_resvec last_total; /* of the gang that changed last */
    int64_t last_timeout_ns;
    enum yk_si_gang_style last_style;
};

struct fake_ask *fake_core_ask(struct yk_core *core, const char *key);
/* The decision: `key` goes to `node`. False when there is no such ask or node, or the node may not be
 * used. */
bool fake_core_decide(struct yk_core *core, const char *key, const char *node);
/* An allocation is to end; an ask for which the time is up has ended. */
void fake_core_wants_gone(struct yk_core *core, const char *key, enum yk_si_termination why,
                          const char *message);
void fake_core_answer_app(struct yk_core *core, const char *id, bool accept);
void fake_core_app_state(struct yk_core *core, const char *id, enum yk_app_state state,
                         enum yk_si_failure failure, const char *message);
/* The core reports what an ask waits for. */
void fake_core_waits(struct yk_core *core, const char *key, enum yk_si_scheduling_state state,
                     enum yk_si_obstacle obstacle, const char *reason);

#endif
