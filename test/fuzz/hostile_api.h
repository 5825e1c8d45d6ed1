/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An API server that says anything. A script decides what watches tell and how requests are answered; from
 * hostile_api_reform() on a cluster in memory that holds what was told last answers instead.
 *
 * It keeps a record of binds and aborts when the shim asks for a second bind of a pod whose first one is on
 * its way, or for one to another node when the first one was answered with success. A watch that tells of the
 * pod ends the record. The same node again is how the shim confirms a bind that no watch has shown.
 * Owns: what it told, the requests it has not answered.
 * Thread: one. Times are virtual.
 */
#ifndef FUZZ_HOSTILE_API_H
#define FUZZ_HOSTILE_API_H

#include "api/watch_reader.h"
#include "base/timer.h"
#include "simulate/cluster.h"

enum { HOSTILE_OPS = YK_OP_KIND_COUNT, HOSTILE_TOLD_MAX = 256, HOSTILE_BINDS_MAX = 512 };

/* What a status means here; the others are refusals. */
enum {
    HOSTILE_LOST = 0,   /* not done, the connection breaks */
    HOSTILE_DONE_LOST,  /* done, the connection breaks */
    HOSTILE_SILENT,     /* not done, no answer for 30 s */
    HOSTILE_DONE = 201, /* done, and watches tell of it; of other statuses below 300 nothing is done */
};

struct hostile_answer {
    int status;
    int64_t delay_ns, retry_after_ns;
    int left; /* applies to so many requests; 0: to all */
};

struct hostile_watch {
    yk_watch_sink *sink; /* NULL: not watched yet */
    void *context;
    char *field_selector, *namespace_; /* owned */
    struct yk_watch_reader reader;
    bool is_listing; /* between REPLACE_BEGIN and its end */
    bool was_begun, wants_list;
    uint64_t mark; /* of the list */
};

struct hostile_told { /* what a watch said last */
    struct yk_object *object;
    uint64_t mark;
};

struct hostile_bind {
    char *uid;
    char *key; /* "<namespace>/<name>" */
    char *node;
    bool is_answered;
};

struct hostile_api {
    struct yk_api_server server; /* first */
    const struct yk_clock *clock;
    struct yk_timers *timers;
    struct yk_timer timer; /* of what is due first: an answer or a list */
    struct hostile_watch watches[YK_KIND_COUNT];
    struct hostile_told told[HOSTILE_TOLD_MAX];
    size_t told_count;
    struct hostile_answer answers[HOSTILE_OPS];
    struct hostile_bind binds[HOSTILE_BINDS_MAX];
    size_t bind_count;
    struct hostile_flight *first; /* requests, in order of arrival */
    size_t in_flight;
    uint64_t version;           /* above all that were told and are numbers */
    bool has_failed;            /* a bind was refused or lost */
    bool has_lied;              /* a bind was answered with success and not done */
    bool uids_repeat;           /* two pods may have the same uid */
    bool lists_by_hand;         /* nothing is listed when a watch begins */
    struct yk_cluster *cluster; /* from hostile_api_reform() on */
};

void hostile_api_init(struct hostile_api *api, const struct yk_clock *clock, struct yk_timers *timers);
/* Nothing may be in flight. */
void hostile_api_done(struct hostile_api *api);
/* `json`: one watch event as a server writes it. What cannot be read ends the stream; then all is listed. */
void hostile_api_tell(struct hostile_api *api, enum yk_kind kind, struct yk_str json);
/* One step of a list. Without a beginning there is no end. */
void hostile_api_list_step(struct hostile_api *api, enum yk_kind kind, enum yk_watch_event event);
/* A whole list of what was told. */
void hostile_api_list(struct hostile_api *api, enum yk_kind kind);
/* Answers with YK_OP_RETRY what waits, lists all and is honest. `cluster`: empty, borrowed until done(). */
void hostile_api_reform(struct hostile_api *api, struct yk_cluster *cluster);

#endif
