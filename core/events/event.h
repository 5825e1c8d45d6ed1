/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events: what happened to which object. The numbers of the enumerators are part of the REST interface.
 * Thread: any.
 * Source: docs/reference/rest.md 7.1; docs/reference/scheduling.md, section 8.
 */
#ifndef YK_EVENTS_EVENT_H
#define YK_EVENTS_EVENT_H

#include "base/str.h"
#include "resources/resvec.h"

/* The kind of object. */
enum yk_event_type {
    YK_EVENT_NOTHING = 0,
    YK_EVENT_REQUEST = 1,
    YK_EVENT_APP = 2,
    YK_EVENT_NODE = 3,
    YK_EVENT_QUEUE = 4,
    YK_EVENT_USER_GROUP = 5,
};

/* How the object changed. */
enum yk_event_change { YK_EVENT_NONE = 0, YK_EVENT_SET = 1, YK_EVENT_ADD = 2, YK_EVENT_REMOVE = 3 };

/* What happened: the rows of event_rows.h. */
enum yk_event_detail {
    YK_EVENT_NO_DETAIL = 0,
#define ROW(symbol, number, meaning) YK_EVENT_##symbol = (number),
#include "events/event_rows.h"
#undef ROW
};

/* Written by: the caller of yk_events_tell(), or yk_ring_get(). */
struct yk_event {
    enum yk_event_type type;
    enum yk_event_change change;
    enum yk_event_detail detail;
    int64_t wall_ns; /* when it happened */
    /* Borrowed texts: the object, another object that the event is about (such as the node of an ask), and a
     * message for people; "" if there is none. */
    struct yk_str object_id, reference_id, message;
    struct yk_resvec resource; /* amounts in base units; empty: none */
};

/* Initialises `resource` as empty. The caller sets all other fields. */
static inline void yk_event_init(struct yk_event *event)
{
    yk_resvec_init(&event->resource);
}
static inline void yk_event_done(struct yk_event *event)
{
    yk_resvec_done(&event->resource);
}
/* Declares a local event, which is initialised with yk_event_init() and ended at the end of its scope. */
#define YK_EVENT(name)                                                                                       \
    YK_CLEANUP(yk_event_done) struct yk_event name;                                                          \
    yk_event_init(&(name))

#endif
