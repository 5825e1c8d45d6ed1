/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events: what happened to which object. Numbers are those that clients of the REST API know.
 * Source: docs/reference/rest.md 7.1; docs/reference/scheduling.md, section 8.
 */
#ifndef YK_EVENTS_EVENT_H
#define YK_EVENTS_EVENT_H

#include "base/str.h"
#include "resources/resvec.h"

enum yk_event_type {
    YK_EVENT_NOTHING = 0,
    YK_EVENT_REQUEST = 1,
    YK_EVENT_APP = 2,
    YK_EVENT_NODE = 3,
    YK_EVENT_QUEUE = 4,
    YK_EVENT_USER_GROUP = 5,
};

enum yk_event_change { YK_EVENT_NONE = 0, YK_EVENT_SET = 1, YK_EVENT_ADD = 2, YK_EVENT_REMOVE = 3 };

enum yk_event_detail {
    YK_EVENT_NO_DETAIL = 0,
    YK_EVENT_REQUEST_CANCEL = 100,
    YK_EVENT_REQUEST_ALLOC = 101,
    YK_EVENT_REQUEST_TIMEOUT = 102,
    YK_EVENT_APP_ALLOC = 200,
    YK_EVENT_APP_REQUEST = 201,
    YK_EVENT_APP_REJECT = 202,
    YK_EVENT_APP_NEW = 203,
    YK_EVENT_APP_ACCEPTED = 204,
    YK_EVENT_APP_STARTING = 205, /* only in leaves with the stateaware policy */
    YK_EVENT_APP_RUNNING = 206,
    YK_EVENT_APP_COMPLETING = 207,
    YK_EVENT_APP_COMPLETED = 208,
    YK_EVENT_APP_FAILING = 209,
    YK_EVENT_APP_FAILED = 210,
    YK_EVENT_APP_RESUMING = 211,
    YK_EVENT_APP_EXPIRED = 212,
    YK_EVENT_APP_CANNOT_RUN_QUEUE = 213,
    YK_EVENT_APP_RUNNABLE_QUEUE = 214,
    YK_EVENT_APP_CANNOT_RUN_QUOTA = 215,
    YK_EVENT_APP_RUNNABLE_QUOTA = 216,
    YK_EVENT_NODE_DECOMMISSION = 300,
    YK_EVENT_NODE_SCHEDULABLE = 302,
    YK_EVENT_NODE_ALLOC = 303,
    YK_EVENT_NODE_CAPACITY = 304,
    YK_EVENT_NODE_OCCUPIED = 305,
    YK_EVENT_NODE_RESERVATION = 306,
    YK_EVENT_QUEUE_CONFIG = 400,
    YK_EVENT_QUEUE_DYNAMIC = 401,
    YK_EVENT_QUEUE_TYPE = 402,
    YK_EVENT_QUEUE_MAX = 403,
    YK_EVENT_QUEUE_GUARANTEED = 404,
    YK_EVENT_QUEUE_APP = 405,
    YK_EVENT_QUEUE_ALLOC = 406,
    YK_EVENT_QUEUE_QUOTA_PREEMPTION = 407,
    YK_EVENT_ALLOC_CANCEL = 500,
    YK_EVENT_ALLOC_PREEMPT = 501,
    YK_EVENT_ALLOC_TIMEOUT = 502,
    YK_EVENT_ALLOC_REPLACED = 503,
    YK_EVENT_ALLOC_NODE_REMOVED = 504,
    YK_EVENT_UG_USER_LIMIT = 600,
    YK_EVENT_UG_GROUP_LIMIT = 601,
    YK_EVENT_UG_APP_LINK = 602,
    YK_EVENT_UG_USER_RESOURCE = 603,
    YK_EVENT_UG_GROUP_RESOURCE = 604,
};

struct yk_event {
    enum yk_event_type type;
    enum yk_event_change change;
    enum yk_event_detail detail;
    int64_t wall_ns;
    struct yk_str object_id, reference_id, message;
    struct yk_resvec resource; /* nothing set: none */
};

/* `resource` has no amounts. The other fields are for the caller to fill. */
static inline void yk_event_init(struct yk_event *event)
{
    yk_resvec_init(&event->resource);
}
static inline void yk_event_done(struct yk_event *event)
{
    yk_resvec_done(&event->resource);
}
/* A local event, done at the end of its scope. */
#define YK_EVENT(name)                                                                                       \
    YK_CLEANUP(yk_event_done) struct yk_event name;                                                          \
    yk_event_init(&(name))

#endif
