/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A job: one REST request, until it is answered.
 *
 * A job is made on the I/O thread. If its answer needs scheduling state, the job is passed to the scheduling
 * thread (web/renderer.h). There the work of its route (struct yk_route) writes the answer in slices. Then
 * the job is passed back, and the answer is sent. Between two slices the scheduler makes decisions. Therefore
 * a job stores names and looks the objects up again in each slice. An answer of several slices does not show
 * the cluster at one moment, but an object that is written in one slice is consistent.
 *
 * Each part of a state dump is a job, too, which is made and freed by the job of the dump (handle_dump.c).
 *
 * Thread: the one that has the job, except where a function or field says otherwise.
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

enum { YK_ETAG_MAX = 96 }; /* bytes of an ETag, with its quotes and a NUL */
/* When the body of a long answer has this many bytes, they are taken out as a piece before more is
 * written. */
enum { YK_PIECE_BYTES = 64 << 10 };

/* The progress of a list. Its windows of names (web/names.h) are written one after the other (web/list.h).
 * The page is the part of the list that the client wants. */
struct yk_list_walk {
    size_t window;   /* bytes of names per window; 0: YK_NAMES_WINDOW_BYTES */
    bool is_open;    /* collecting names has begun */
    bool is_begun;   /* something of the list may have been written */
    bool is_counted; /* the number of entries and the begin of the page are known */
    bool seeks_end;  /* the windows are searched for the last entry of the page */
    uint64_t offset; /* entries before the page that are still to be skipped */
    uint64_t limit;  /* entries of the page that are still to be taken; UINT64_MAX: any number */
    /* Maximum number of entries that are still to be taken, so that the list ends even if entries are added
     * meanwhile. 0 before the first window is sorted. */
    uint64_t most;
    /* While `seeks_end`: entries before the last one of the page that are still to be skipped. */
    uint64_t left;
    /* The last entry of the page, if it was found in a later window. Its index is not stored, because entries
     * before it may be added or removed until it is written. The text is in the arena of the request. */
    bool has_end;
    bool is_end_here; /* the last entry of the page is in the present window */
    int64_t end_rank;
    struct yk_str end_text;
    /* The entry that `after` of the request names: the page begins behind it. The text is borrowed from the
     * selection. */
    bool has_start;
    int64_t start_rank;
    struct yk_str start_text;
};

/* Where a job is, so that it can be freed when the threads have ended. */
enum yk_job_place {
    YK_JOB_HERE,      /* with struct yk_web, on the I/O thread */
    YK_JOB_UNDERWAY,  /* in a mailbox; after yk_web_free(), yk_job_drop() frees it */
    YK_JOB_RENDERING, /* in the renderer */
    YK_JOB_SENDING,   /* its body is lent to the socket, which gives it back */
};

/* The request. Texts are in the arena; those of a part of a state dump are borrowed from the dump. */
struct yk_request {
    enum yk_method method;
    struct yk_target target;
    struct yk_match match;       /* result of the router */
    struct yk_str accept;        /* Accept; `p` NULL: not sent */
    bool gzip;                   /* the client takes gzip */
    struct yk_str if_none_match; /* If-None-Match; `p` NULL: not sent */
    struct yk_buf body;          /* owned */
    struct yk_arena arena;
};

/* A copy of the reply of a backend: the fields of struct yk_backend_reply (web/auth_backend.h). */
struct yk_reply {
    bool came; /* there is a reply; otherwise the other fields are empty */
    bool allowed;
    int status;
    char *text; /* owned; "" if the reply has no text */
    struct yk_caller caller;
};

struct yk_job {
    struct yk_command command; /* for the mailboxes that transport the job */
    struct yk_request request;
    struct yk_answer answer;
    const struct yk_route *route;
    /* For the work of the route. */
    const struct yk_core *core;   /* scheduling thread only */
    const struct yk_clock *clock; /* real time, for slices */
    /* The number of changes before the slice (renderer.c); 0: not known. Two slices with the same
     * number, which is not 0, see the same cluster. */
    uint64_t changes;
    int64_t came_mono_ns;          /* when the request came, by `clock` */
    struct yk_server_stats *stats; /* I/O thread only */
    struct yk_json json;           /* writes to answer.body */
    int stage;                     /* 0 before the first slice; each route gives it a meaning */
    /* For lists. Indexes in `names`: the next entry to write, and the end of those to write. */
    size_t at, end;
    struct yk_names names, inner; /* entries of a list; parts of one object that has many */
    size_t inner_at;              /* index of the next part in `inner`; handle_nodes.c: of the next node */
    int inner_stage;              /* like `stage`, for the parts of an object */
    bool inner_is_ready;          /* the names in `inner` are complete and sorted */
    struct yk_job_slots {
        size_t at, mask;
    } slots;                       /* place of a walk over a hash table (web/slots.h) */
    struct yk_names *sorting;      /* the names to sort after YK_STEP_SORT, such as `names` or `inner` */
    uint64_t seen;                 /* for the route: a number, such as a state that `cursor` depends on */
    const void *cursor;            /* for the route, such as a place in the objects of the core */
    struct yk_selection selection; /* the part of a list that the client wants */
    struct yk_list_walk walk;      /* progress of a list (web/list.h) */
    bool rests;  /* the work has returned YK_STEP_REST: `rest` of the route writes what follows; I/O thread */
    bool poured; /* a piece of a long answer was taken out, so answer.body is not all that was written */
    void *own;   /* data of the route, freed with own_free; NULL: none */
    /* NULL: `own` is not freed. Called by the thread that frees the job, usually the I/O thread, so it does
     * not use scheduling state. */
    void (*own_free)(void *own);
    /* For streams. */
    size_t max_streams, max_streams_per_host; /* the settings when the first slice began */
    bool streaming;                           /* the head of the answer was sent; I/O thread */
    bool ends;                                /* this piece is the last one */
    uint64_t streamed; /* bytes of the body that were given to the socket; I/O thread */
    /* For guarded requests (web/guard.h). */
    enum yk_guard_kind guard; /* what the route requires of this client in the mode of the server */
    bool admitted;            /* the guard has allowed the request */
    /* A slice has begun after the guard allowed the request: the I/O thread no longer looks for an answer to
     * share. */
    bool has_been_here;
    struct yk_caller caller;    /* user NULL: not known (yet) */
    struct yk_str token;        /* in the arena; empty: none */
    char digest[YK_DIGEST_LEN]; /* SHA-256 of the token */
    /* Key of the question that this job has asked, or that another job has asked for both. */
    char question[YK_DIGEST_LEN];
    struct yk_tenant *tenant; /* owned: the queues that the caller may see; NULL after `admitted`: all */
    /* `asks`: this job has asked `question`. `joins`: this job waits for the reply to another job that has
     * asked `question`. */
    bool asks, joins;
    uint8_t network[YK_NETWORK_LEN]; /* address of the client, as in struct yk_http_peer */
    /* Slot of the job while its token is reviewed (web/review_slots.h); -1: none. */
    int review_slot;
    /* Borrowed from the guard; NULL before `admitted`, and if `guard` is YK_GUARD_OPEN or YK_GUARD_READER. */
    const struct yk_auth_backend *backend;
    uint64_t number; /* unique among the jobs of the server; fixed for life */
    uint64_t ticket; /* for the next question to a backend; unique */
    struct yk_reply reply;
    /* In `held` of the renderer while the job waits for a reply or pauses, in `idle` while its stream
     * idles. */
    struct yk_list in_held;
    struct yk_timer patience; /* ends the wait for a reply, or the pause after YK_STEP_LATER */
    /* Static: the sentence of the 503 if no reply comes; the route may set it before it returns YK_STEP_WAIT.
     * NULL: the sentence says that the API server does not answer. */
    const char *late;
    struct yk_renderer *renderer; /* borrowed; NULL in yk_web_render(), and before yk_renderer_add() */
    struct yk_checker *checker;   /* borrowed; the checker that has or had the job; NULL: none */
    /* For the server. */
    /* The next job in the list that has this job: of the renderer, the checker, the server or an entry of the
     * shelf. */
    struct yk_job *next;
    struct yk_web *web;                         /* borrowed; NULL: there is no server, or it was freed */
    const struct yk_web_simulation *simulation; /* borrowed; NULL: the cluster is real */
    struct yk_http_exchange *exchange;          /* I/O thread only */
    struct yk_list in_open;                     /* in `open` of the server; I/O thread */
    enum yk_job_place place;
    struct yk_gzip *gzip; /* owned; while the answer is being compressed */
    /* The entry that this job makes for others, too (web/shelf_priv.h); NULL: none; I/O thread. */
    struct yk_shared *makes;
    struct yk_shared *served; /* the entry whose body is sent, with a reference; NULL: its own body */
    bool is_alone;            /* its answer is not shared */
    bool has_validator;       /* the answer gets an ETag if its status is 200 */
    /* For a job with `has_validator`: the ETag, with its quotes. For a long answer, the renderer sets it
     * before the first slice, to one that stands for the state of the thread, unless the answer depends on
     * the caller. "": not known yet, or none. */
    char etag[YK_ETAG_MAX];
    struct yk_pour *pour; /* owned: the body of a long answer (web/pour_priv.h); NULL: none; I/O thread */
    bool counted;         /* the job is in `in_flight` of the server */
    bool is_scrape;       /* counted in metrics_in_flight of the stats */
    /* The cost of its bytes lengthens the pause between requests (pace.c); false for probes. */
    bool was_paced;
    bool has_turn; /* among the long answers that are being written */
    size_t lent;   /* bytes of its own body that the socket has */
    /* The thread that the job was posted to accepts no more work (yk_job_drop()), or the checker has not
     * checked the job (web/checker.h). */
    _Atomic bool dropped;
};

/* Makes a job with an answer of status 200, without route and request; `json` writes to the body of that
 * answer. For a request, the caller then calls yk_job_route() (web/route_job.h), and sets `clock`, `stats`,
 * request.body, and without a renderer also `core`. The server also sets `web`, `exchange`, `number`,
 * `came_mono_ns`, `network` and `simulation`, and links `in_open`. The caller frees the job with
 * yk_job_free(). */
struct yk_job *yk_job_new(void);
/* Frees the job and what it owns. Before that, the caller ends or frees `exchange`, cancels `patience`, gives
 * up `makes` (yk__pour_abandon()) and `review_slot`, and removes the job from all lists that it is in. Does
 * not change the counts of the server: as long as the server exists, end its jobs with yk__web_end_job(). */
void yk_job_free(struct yk_job *job);
YK_DEFINE_FREEP(yk_job)
/* The `drop` of job->command, which a mailbox calls when it no longer runs commands: frees the job if its
 * server was freed (`web` is NULL), otherwise sets `dropped`. If a thread finds `dropped` set after it has
 * posted the job, the mailbox does not have the job, which still belongs to this thread. Any thread. */
void yk_job_drop(struct yk_command *command);

/* Sorts `job->sorting`, and sets it to NULL. Call it after the work has returned YK_STEP_SORT; then the
 * caller lets the work be called again. I/O thread. */
void yk_job_sort(struct yk_job *job);
/* Completes the answer after the work, `rest` of the route or the guard has returned YK_STEP_DONE, or after
 * `check` if the route has `on_io`. Calls `finish` of the route, then `shape` with `last` = true if the
 * status is 200. Replaces a body that has `failed`, usually because it is too large, by an error 500. Call it
 * once; not for a stream whose head was sent (job->streaming). Does not send the answer: the caller logs a
 * guarded request (yk_guard_log()). If the route has `is_long`, it then passes the job to yk__pour() (status
 * 200) or yk__pour_refused(); otherwise it begins the stream, or compresses the body and calls
 * yk__web_send(). I/O thread. */
void yk_job_finish(struct yk_job *job);
/* Frees the contents of job->reply and makes it empty: `came` is false. */
void yk_job_reply_clear(struct yk_job *job);
/* Whether the slice is over: job->clock has reached `until_mono_ns` (INT64_MAX: no limit). The work then
 * returns YK_STEP_AGAIN. Not the whole condition if the route has `is_long`: that work also returns
 * YK_STEP_AGAIN when job->answer.body has YK_PIECE_BYTES. Reads the clock: ask only every few objects. */
bool yk_job_must_pause(const struct yk_job *job, int64_t until_mono_ns);

/* The value of the path parameter, decoded once by the router (see yk__decode_param()). Borrowed from the
 * request; empty if the route has no such parameter. */
static inline struct yk_str yk_job_param(const struct yk_job *job, enum yk_param param)
{
    return job->request.match.params[param];
}
/* Whether something of the body was written: in answer.body, or in a piece that was taken out. */
static inline bool yk_job_has_written(const struct yk_job *job)
{
    return job->poured || job->answer.body.len > 0;
}
/* Makes job->answer the JSON error with the HTTP `status` and `text` (yk_answer_error()). Returns
 * YK_STEP_DONE, the result of a work that ends with this error. Call it only while nothing of a long answer
 * was taken out (job->poured). For a 503 that the client may repeat, the caller sets answer.retry_later. */
enum yk_step yk_job_refuse(struct yk_job *job, int status, const char *text);

#endif
