/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A job: one request on its way to its answer.
 *
 * It is made on the I/O thread, goes to the scheduling thread (web/renderer.h), is worked on there in slices,
 * comes back and is sent. It belongs to the thread it is on. Between two slices the scheduler goes on, so a
 * job keeps names and looks the objects up again; an answer of several slices is therefore not one instant of
 * the cluster: each object in it is consistent in itself.
 */
#ifndef YK_WEB_JOB_H
#define YK_WEB_JOB_H

#include "base/json_writer.h"
#include "base/list.h"
#include "base/mailbox.h"
#include "base/timer.h"
#include "web/answer.h"
#include "web/names.h"
#include "web/router.h"
#include "web/selection.h"
#include "web/token_cache.h"

struct yk_core;
struct yk_clock;
struct yk_server_stats; /* web/server_stats.h */
struct yk_auth_backend; /* web/auth_backend.h */
struct yk_web;
struct yk_http_exchange;
struct yk_gzip;
struct yk_renderer;
struct yk_checker;
struct yk_tenant;         /* web/tenant.h */
struct yk_pour;           /* web/pour_priv.h */
struct yk_shared;         /* web/shelf_priv.h */
struct yk_web_simulation; /* web/simulation_hook.h */

/* A long answer of which that much is there is taken to the client before more is written. */
enum { YK_PIECE_BYTES = 64 << 10 };

/* Where a list is: its windows of names (web/names.h) are written one after the other. */
struct yk_list_walk {
    size_t window;   /* bytes of names; 0: YK_NAMES_WINDOW_BYTES */
    bool is_open;    /* names were collected */
    bool is_begun;   /* something of the list may be written */
    bool is_counted; /* how many entries there are, and where the page begins, is known */
    bool seeks_end;  /* the windows are looked through for the last entry of the page */
    uint64_t offset; /* entries to pass over */
    uint64_t limit;  /* entries to write after them */
    uint64_t most;   /* entries that are written at most: so the list ends, however many come meanwhile */
    uint64_t left;   /* entries before the last one of the page, while that is looked for */
    /* The last entry of the page, where it was found in a later window: more or fewer may stand before it by the time
     * they are written. The text is in the arena of the request. */
    bool has_end;
    bool is_end_here; /* in the present window */
    int64_t end_rank;
    struct yk_str end_text;
    /* Where the page begins, by `after`: behind that entry. The text is borrowed from the selection. */
    bool has_start;
    int64_t start_rank;
    struct yk_str start_text;
};

/* Where a job is, so that it can be freed when both threads have ended. */
enum yk_job_place {
    YK_JOB_HERE,      /* with the web */
    YK_JOB_UNDERWAY,  /* in a mailbox, which frees it */
    YK_JOB_RENDERING, /* in the renderer */
    YK_JOB_SENDING,   /* lent to the socket, which gives it back */
};

struct yk_request {
    enum yk_method method;
    struct yk_target target; /* in the arena, like all texts here */
    struct yk_match match;
    struct yk_str accept;        /* absent: not sent */
    bool gzip;                   /* the client takes gzip */
    struct yk_str if_none_match; /* absent: not sent */
    struct yk_buf body;          /* owned */
    struct yk_arena arena;
};

/* The reply of the authentication backend (web/auth_backend.h), copied. */
struct yk_reply {
    bool came;
    bool allowed;
    int status;
    char *text;
    struct yk_caller caller;
};

struct yk_job {
    struct yk_command command; /* first: how it travels */
    struct yk_request request;
    struct yk_answer answer;
    const struct yk_route *route;
    /* For the work. */
    const struct yk_core *core;    /* scheduling thread only */
    const struct yk_clock *clock;  /* real time for slices */
    int64_t came_mono_ns;          /* the request; of `clock` */
    struct yk_server_stats *stats; /* I/O thread only */
    struct yk_json json;           /* into the answer's body */
    int stage;                     /* 0 at first; the meaning is the route's */
    size_t at, end;                /* in `names` */
    struct yk_names names, inner;  /* of a list; of one object with many parts */
    size_t inner_at;
    int inner_stage;
    bool inner_is_ready; /* its names are collected and sorted */
    struct yk_job_slots {
        size_t at, mask;
    } slots;                  /* of a walk over a hash table (web/slots.h) */
    struct yk_names *sorting; /* what YK_STEP_SORT sorts */
    uint64_t seen;            /* what a cursor relies on; the route's */
    const void *cursor;
    struct yk_selection selection; /* of a list: what part of it */
    struct yk_list_walk walk;      /* of a list (web/list.h) */
    bool rests;                    /* what follows is written by `rest` of the route; I/O thread */
    bool poured; /* a piece of the body has left: what is in `answer.body` is not all that was written */
    void *own;   /* the route's; freed with own_free */
    void (*own_free)(void *own);
    /* Of streams. */
    size_t max_streams, max_streams_per_host; /* what the settings said when it came */
    bool streaming;                           /* its head is sent; I/O thread */
    bool ends;                                /* this piece is the last */
    uint64_t streamed; /* bytes of the body that were given to the socket; I/O thread */
    /* Of guarded requests (web/guard.h). */
    enum yk_guard_kind guard; /* of the route, in the mode of the server */
    bool admitted;            /* the guard has let it in */
    bool has_been_here;       /* and the I/O thread has looked for others that ask the same */
    struct yk_caller caller;
    struct yk_str token;             /* in the arena */
    char digest[YK_DIGEST_LEN];      /* of the token */
    char question[YK_DIGEST_LEN];    /* the question of this job, or of another job that it waits for */
    struct yk_tenant *tenant;        /* owned; the queues that the caller may see; NULL: all */
    bool asks, joins;                /* `question` is in flight; another job asks it */
    struct yk_core *master;          /* for the work: may be changed; scheduling thread only */
    uint8_t network[YK_NETWORK_LEN]; /* where it comes from */
    int review_slot;                 /* held while its token is reviewed (web/review_slots.h); -1: none */
    const struct yk_auth_backend *backend;
    uint64_t number; /* of the web; no two are the same. Fixed for life */
    uint64_t ticket; /* for the next question; no two are the same */
    struct yk_reply reply;
    struct yk_list in_held; /* of the renderer while the question is out, or a stream idles */
    struct yk_timer patience;
    struct yk_renderer *renderer;
    struct yk_checker *checker;
    /* For the way. */
    struct yk_job *next;                        /* in the renderer */
    struct yk_web *web;                         /* NULL: rendered in place, or the server is gone */
    const struct yk_web_simulation *simulation; /* behind the server; NULL: none */
    struct yk_http_exchange *exchange;          /* I/O thread only */
    struct yk_list in_open;                     /* of the web; I/O thread */
    enum yk_job_place place;
    struct yk_gzip *gzip;     /* while the answer is being compressed */
    struct yk_shared *makes;  /* for others as well (web/shelf_priv.h); I/O thread; NULL: for itself */
    struct yk_shared *served; /* owned reference: whose body is sent; NULL: its own */
    bool is_alone;            /* what it asks for is not shared */
    struct yk_pour *pour;     /* owned; of an answer that leaves in pieces (web/pour_priv.h); I/O thread */
    bool counted;             /* among the requests in flight; those of probes are not */
    bool is_scrape;           /* in metrics_in_flight of the stats */
    bool was_paced;           /* work on it began, so its cost lengthens the pause of web.c; not of probes */
    bool has_turn;            /* among the long answers that are being written */
    size_t lent;              /* bytes of the body that the socket has */
    _Atomic bool
        dropped; /* the scheduling thread takes no more work; pairs with the look after posting (web.c) */
};

/* Makes a job with an answer of status 200, without route and request. The caller frees it with yk_job_free(). */
struct yk_job *yk_job_new(void);
void yk_job_free(struct yk_job *job);
YK_DEFINE_FREEP(yk_job)
/* `drop` of `job->command`: frees the job if its web has gone, otherwise sets `dropped`. */
void yk_job_drop(struct yk_command *command);

/* Sorts `job->sorting`, after the work has returned YK_STEP_SORT. I/O thread. */
void yk_job_sort(struct yk_job *job);
/* Completes the answer after the work: an answer that is too large becomes an error 500. I/O thread. */
void yk_job_finish(struct yk_job *job);
/* Frees the reply of the backend that the job holds, if any, and makes it empty. */
void yk_job_word_clear(struct yk_job *job);
/* Whether the slice is over: the time is `until_mono_ns` (INT64_MAX: no limit) or later on `job->clock`. The work then
 * returns YK_STEP_AGAIN. */
bool yk_job_must_pause(const struct yk_job *job, int64_t until_mono_ns);

/* The value of the path parameter as it is in the request (not decoded). Borrowed from the request; empty
 * if the path has none. */
static inline struct yk_str yk_job_param(const struct yk_job *job, enum yk_param param)
{
    return job->request.match.params[param];
}
/* Whether something of the body was written, here or in a piece that has left. */
static inline bool yk_job_has_written(const struct yk_job *job)
{
    return job->poured || job->answer.body.len > 0;
}
/* Makes the answer the JSON error with `status` and `text`, which is copied. Returns YK_STEP_DONE. */
enum yk_step yk_job_refuse(struct yk_job *job, int status, const char *text);

#endif
