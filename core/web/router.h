/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of routes, and the search for the route of a path.
 *
 * A segment of a pattern is a literal or a parameter (":queue"). The path is split into segments as it was
 * sent; they are decoded afterwards, so that an encoded slash can be part of a name.
 *
 * Thread: any.
 * Source: docs/reference/rest.md 1.2.
 */
#ifndef YK_WEB_ROUTER_H
#define YK_WEB_ROUTER_H

#include "base/arena.h"
#include "web/target.h"

struct yk_job;

enum yk_method {
    YK_METHOD_GET,
    YK_METHOD_HEAD,
    YK_METHOD_POST,
    YK_METHOD_OPTIONS,
    YK_METHOD_PUT,
    YK_METHOD_DELETE,
    YK_METHOD_OTHER
};

enum yk_param {
    YK_PARAM_PARTITION,
    YK_PARAM_QUEUE,
    YK_PARAM_NODE,
    YK_PARAM_APPLICATION,
    YK_PARAM_STATE,
    YK_PARAM_USER,
    YK_PARAM_GROUP,
    YK_PARAM_CHECK,
    YK_PARAM_LEVEL,
    YK_PARAM_KEY,
    YK_PARAM_ID
};
enum { YK_PARAM_COUNT = YK_PARAM_ID + 1 };

/* What comes next for a job: the result of the work of its route, and of functions that write or decide a
 * part of the answer. The work is called again after all results except YK_STEP_REST and YK_STEP_DONE, and
 * for a stream also after YK_STEP_DONE, unless job->ends is set. */
enum yk_step {
    YK_STEP_DONE,  /* the answer is complete */
    YK_STEP_AGAIN, /* the slice is over */
    YK_STEP_SORT,  /* job->sorting has to be sorted, on the I/O thread */
    YK_STEP_WAIT,  /* a backend was asked, for this job or for another one; continue after the reply */
    YK_STEP_IDLE,  /* a stream waits for the next event */
    YK_STEP_CHECK, /* `check` of the route has to run */
    YK_STEP_LATER, /* there is nothing to do for YK_LATER_NS */
    YK_STEP_PIECE, /* a piece of a long answer has to be sent; returned only by the renderer */
    YK_STEP_REST,  /* `rest` of the route writes what is missing; the work is not called again */
    /* The caller is allowed; the I/O thread runs the work (`on_io`), or looks for an answer to share
     * (`is_shared`). Returned only by the renderer. */
    YK_STEP_ON_IO,
};

/* Who may use a route (web/guard.h). */
enum yk_guard_kind {
    /* Every caller. In the table of routes, if reads are guarded: as YK_GUARD_READER, unless the route has
     * `is_probe` or `is_public`. */
    YK_GUARD_OPEN,
    /* A known caller that may read (web/access.h); not used in the table of routes. */
    YK_GUARD_READER,
    /* A known caller; if the request is about a queue, the work checks its ACL. */
    YK_GUARD_CALLER,
    /* Every caller on this host; callers elsewhere: as YK_GUARD_CALLER. If reads are guarded, all callers: as
     * YK_GUARD_READER. */
    YK_GUARD_LOCAL,
    YK_GUARD_SCHEDULER, /* an administrator of the scheduler (queues.md A9) */
};

/* What a caller gets who may not use the path, but may see some queues (web/tenant.h). */
enum yk_tenant_scope {
    YK_TENANT_NONE, /* nothing */
    /* The answer, if it is about a queue that the caller may see, or an application in such a queue. */
    YK_TENANT_QUEUE,
    YK_TENANT_LIST, /* the part of the list that is about such queues */
};

/* One route. Texts are static. */
struct yk_route {
    enum yk_method method; /* GET also serves HEAD */
    const char *pattern;   /* such as "/ws/v1/partition/:partition/queues" */
    /* Writes the answer, or a part of it, until `until_mono_ns`. enum yk_step says when it is called again.
     * If `on_io`, it is called once and returns YK_STEP_DONE. */
    enum yk_step (*work)(struct yk_job *job, int64_t until_mono_ns);
    /*
     * Work that takes long and needs no scheduling state, such as the check of a configuration in the request
     * body. Runs on the configuration thread, for one request at a time. NULL: there is none. If `on_io`,
     * `check` writes the whole answer, and the server does not call `work`. Otherwise `check` runs when the
     * work returns YK_STEP_CHECK, so that a guarded route checks nothing before the caller is known.
     */
    void (*check)(struct yk_job *job);
    /*
     * For a long answer (`is_long`): continues to write after the work has returned YK_STEP_REST, on the I/O
     * thread. Returns YK_STEP_AGAIN when job->answer.body has a piece of about YK_PIECE_BYTES; the server
     * takes this piece out and calls the function again. Returns YK_STEP_DONE at the end. NULL: the work
     * never returns YK_STEP_REST.
     */
    enum yk_step (*rest)(struct yk_job *job);
    /* Called by yk_job_finish() on the I/O thread, also if the answer is an error. NULL: nothing to do. */
    void (*finish)(struct yk_job *job);
    /* Converts a piece of the body, job->answer.body, in place. Not called for an error. I/O thread. `last`:
     * no piece follows. NULL: no conversion. */
    void (*shape)(struct yk_job *job, bool last);
    /* With this key in its query, a request is for the next row of the table instead, whose pattern is this one
     * with "?" and the key. NULL: the query does not matter. */
    const char *variant_key;
    /* With delegated access, the path that the caller must be allowed to use; NULL: that of the request. */
    const char *access_path;
    enum yk_guard_kind guard;
    enum yk_tenant_scope tenant;
    size_t body_max; /* maximum size of a request body in bytes; 0: the route takes none */
    /* Content-Type has to be JSON: a page of another site cannot send that without permission */
    bool wants_json;
    bool on_io;     /* the work does not use the scheduler, and runs on the I/O thread in one call */
    bool is_probe;  /* may use the connections that are kept for probes; open in every mode */
    bool is_public; /* the answer has no data of the cluster: open in every mode */
    bool is_api;    /* has the headers of rest.md 1.3, and JSON errors */
    /* The answer has no end: YK_STEP_DONE means that a piece is complete (job->ends: the last one). */
    bool is_stream;
    /* The work asks a what-if question, which is given up when the client goes (yk_renderer_cancel()). */
    bool is_costly;
    /* A GET with `is_long` whose answer depends on no other part of the request than the target: equal
     * requests may share one answer. */
    bool is_shared;
    bool is_scrape; /* counted by the metrics about scrapes */
    bool is_long;   /* the answer may be long, so only a few are written at a time */
    /* For docs/reference/rest.md, section 2. The pattern is the label `route` of metrics. */
    int number;         /* the number by which the pages cite the route; 0: none */
    const char *errors; /* statuses in addition to those that each route of its kind may have: "400, 404" */
    const char *help;   /* what the answer is, in Markdown */
};

/* All routes, yk_route_count of them (routes.c). */
extern const struct yk_route yk_routes[];
extern const size_t yk_route_count;

enum yk_routing {
    YK_ROUTE_FOUND,
    YK_ROUTE_REDIRECT,  /* the client has to use `location` */
    YK_ROUTE_OPTIONS,   /* the path exists, and the method is OPTIONS */
    YK_ROUTE_METHOD,    /* the path exists, but not with this method */
    YK_ROUTE_UNKNOWN,   /* the path does not exist */
    YK_ROUTE_MALFORMED, /* a segment cannot be decoded */
};

/* The result of yk_route_find(). Texts are in the arena. */
struct yk_match {
    enum yk_routing routing;
    const struct yk_route *route;         /* NULL only if YK_ROUTE_REDIRECT or YK_ROUTE_UNKNOWN */
    struct yk_str params[YK_PARAM_COUNT]; /* decoded once; `p` NULL: the route has no such parameter */
    struct yk_str location;               /* if YK_ROUTE_REDIRECT: a path, encoded, without the query */
    /* If YK_ROUTE_OPTIONS or YK_ROUTE_METHOD: the methods of the path. */
    const char *allow;
};

/* The method of that name ("GET", case-sensitive); YK_METHOD_OTHER if there is none. */
enum yk_method yk_method_from(struct yk_str text);
/* The name of the method ("GET"), "OTHER" for YK_METHOD_OTHER; static. */
const char *yk_method_name(enum yk_method method);
/* Finds the route for a method and a path. `path` is encoded as it was sent, and has no query. HEAD finds the
 * routes of GET. Sets `*ret_match`, whose texts are in `arena`. */
void yk_route_find(enum yk_method method, struct yk_str path, struct yk_arena *arena,
                   struct yk_match *ret_match);

#endif
