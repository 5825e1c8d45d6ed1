/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of routes, and the way from a path to one of them.
 *
 * A pattern's segments are literals or parameters (":queue"). Segments are cut from the path as it was sent
 * and decoded afterwards, so that an encoded slash stays inside of its name.
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
    YK_PARAM_ACTION,
    YK_PARAM_ID
};
enum { YK_PARAM_COUNT = YK_PARAM_ID + 1 };

enum yk_step {
    YK_STEP_DONE,  /* the answer is complete */
    YK_STEP_AGAIN, /* the slice is used up */
    YK_STEP_SORT,  /* job->sorting must be sorted, on the I/O thread, before work goes on */
    YK_STEP_WAIT,  /* waits for the authentication backend (job->ticket); work continues with job->reply */
    YK_STEP_IDLE,  /* a stream waits for the next event */
    YK_STEP_CHECK, /* `check` of the route must run before work goes on */
    YK_STEP_LATER, /* there is nothing to do for YK_LATER_NS */
    YK_STEP_PIECE, /* a piece of the answer is there, more follows; only the renderer says so */
    YK_STEP_REST,  /* the rest needs nothing of the scheduler: `rest` of the route writes it */
    YK_STEP_ON_IO, /* the caller is allowed, and the work runs on the I/O thread */
};

/* Who may use a route (web/guard.h). */
enum yk_guard_kind {
    YK_GUARD_OPEN,   /* every caller */
    YK_GUARD_READER, /* a known caller whom the backend allows it (web/access.h); no row of the table */
    YK_GUARD_CALLER, /* a known caller; the work asks the ACL of the queue it is about */
    YK_GUARD_LOCAL,  /* every caller on this host, and known callers (YK_GUARD_CALLER); a reader if reads are
                        guarded */
    YK_GUARD_SCHEDULER, /* an administrator of the scheduler (queues.md A9) */
};

/* What a caller gets who may not use the path, but may see queues (web/tenant.h). */
enum yk_tenant_scope {
    YK_TENANT_NONE,  /* nothing */
    YK_TENANT_QUEUE, /* the answer, if it is about a queue or an application that the caller may see */
    YK_TENANT_LIST,  /* the part of the list that is about such queues */
};

struct yk_route {
    enum yk_method method; /* GET serves HEAD as well */
    const char *pattern;
    /* Writes the answer, or a part of it, until `until_mono_ns`. Called until it says done. */
    enum yk_step (*work)(struct yk_job *job, int64_t until_mono_ns);
    /*
     * Reads the configuration in the body, on the configuration thread, one request at a time. NULL: the
     * route takes no configuration. Runs before the work if `on_io`, otherwise when the work returns
     * YK_STEP_CHECK, so that a guarded route checks nothing before the caller is known.
     */
    void (*check)(struct yk_job *job);
    /*
     * Of a long answer: writes on after the work has returned YK_STEP_REST, on the I/O thread. Returns AGAIN once
     * job->answer.body has YK_PIECE_BYTES, which are taken out then, and DONE at the end. NULL: the work writes all.
     */
    enum yk_step (*rest)(struct yk_job *job);
    /* Runs on the I/O thread after the work is done. NULL: nothing to do. */
    void (*finish)(struct yk_job *job);
    /* Gives a piece of the body, job->answer.body, its form. I/O thread. `last`: none follows. NULL: as it
     * is. */
    void (*shape)(struct yk_job *job, bool last);
    enum yk_guard_kind guard;
    enum yk_tenant_scope tenant;
    size_t body_max; /* bytes of a request body; 0: the route takes none */
    bool wants_json; /* the body must be declared as JSON, which pages of other sites cannot do unasked */
    bool on_io;      /* `work` needs nothing of the scheduler and runs on the I/O thread, in one go */
    bool is_probe;   /* may use the connections that are kept for probes */
    bool is_public;  /* holds no data of the cluster: open in every mode */
    bool is_api;     /* has the headers of 1.3 and JSON errors */
    bool is_stream; /* the answer goes on and on: done means that a piece is complete (job->ends: the last) */
    bool is_costly; /* the work is given up when the client goes */
    bool is_shared; /* a GET whose answer depends on the target alone: requests may share one rendering */
    bool is_scrape; /* counted by the metrics about scrapes */
    bool is_long;   /* the answer grows with the cluster: only a few are written at a time */
    /* For docs/reference/rest.md, section 2. The pattern is the label `route` of metrics. */
    int number;         /* that the pages cite; 0: none */
    const char *errors; /* statuses besides those that each route of its kind may have: "400, 404" */
    const char *help;   /* what the answer is, in Markdown */
};

extern const struct yk_route yk_routes[];
extern const size_t yk_route_count;

enum yk_routing {
    YK_ROUTE_FOUND,
    YK_ROUTE_REDIRECT, /* to `location` */
    YK_ROUTE_OPTIONS,  /* known path, method OPTIONS */
    YK_ROUTE_METHOD,   /* known path, other method */
    YK_ROUTE_UNKNOWN,
    YK_ROUTE_MALFORMED, /* a segment cannot be decoded */
};

struct yk_match {
    enum yk_routing routing;
    const struct yk_route *route; /* found and options */
    struct yk_str
        params[YK_PARAM_COUNT]; /* decoded once, in the arena; absent when the route has none of it */
    struct yk_str location;     /* redirect: path, in the arena */
    const char *allow;          /* options and method: what the path takes */
};

/* The method of that name ("GET", case-sensitive); YK_METHOD_OTHER if there is none. */
enum yk_method yk_method_from(struct yk_str text);
/* The name of the method ("GET"), "OTHER" for YK_METHOD_OTHER; static. */
const char *yk_method_name(enum yk_method method);
/* Finds the route of a method and a path as it was sent. Sets `*ret_match`; its texts are in `arena`. */
void yk_route_find(enum yk_method method, struct yk_str path, struct yk_arena *arena,
                   struct yk_match *ret_match);

#endif
