/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports the objects of one kind and their changes: lists them, then watches them.
 *
 * Steps: STREAM (a watch that begins with the objects that exist, then reports changes), PAGES (a list in
 * pages), WATCH (a watch from the last resourceVersion). The end of a step decides which step is next:
 *
 *              STREAM                      PAGES                        WATCH
 *   complete   again, after a while        WATCH                        WATCH, at once
 *   cut        again, after a while        list, after a while          WATCH, after a while
 *   at once,   PAGES                       -                            list, after a while
 *   no event
 *   no server  again, after a while        list, after a while          WATCH, after a while
 *   429        again, when allowed         list, when allowed           WATCH, when allowed
 *   410        newest list                 whole or newest list         list from the last version
 *   unreadable PAGES as JSON, later        PAGES as JSON, later         WATCH, later; then list as JSON
 *   other      PAGES                       list, after a while          list, after a while
 *
 * "list" is STREAM, or PAGES if the server has no streaming lists. "after a while" and "later" mean a
 * back-off, "when allowed" the time in Retry-After if it is longer than the back-off. The "newest list" is
 * requested without a resourceVersion. The "whole list" is requested in one page, because a continue token
 * has expired. Objects are passed on as they are read, with the events of enum yk_watch_event.
 * Invariant: all objects up to the stored resourceVersion have been passed on or skipped.
 * Thread: I/O thread.
 * Source: docs/reference/kubernetes.md, 1.4 (K05-K11).
 */
#ifndef YK_CLIENT_REFLECTOR_H
#define YK_CLIENT_REFLECTOR_H

#include "api/server.h"
#include "base/random.h"
#include "client/outage.h"
#include "client/transport.h"
#include "client/watch_stats.h"

/* Events for the receiver, in order. */
struct yk_watch_batch {
    struct yk_watch_item {
        enum yk_watch_event event;
        struct yk_object *object;
    } * items; /* owned, with their objects */
    size_t count, capacity;
};

/* Frees the items with their objects, and empties the batch. Any thread. */
void yk_watch_batch_done(struct yk_watch_batch *batch);

struct yk_reflector;

struct yk_reflector_options {
    struct yk_transport *transport;
    struct yk_io_timers *timers;
    struct yk_random *random;
    struct yk_outage *outage;     /* shared by all reflectors of an API server */
    struct yk_watch_stats *stats; /* shared likewise; NULL: nothing is counted */
    /* Takes the items of the batch and empties it. Not called before yk_reflector_new() has returned. Must
     * not free the reflector. False: the receiver is full now, and the reflector stops reading until
     * yk_reflector_resume() is called. If the list or the watch ends first, deliver() may be called again
     * without that call. */
    bool (*deliver)(struct yk_watch_batch *batch, void *context);
    /* Called when the watch works again after an interruption, and when the API server does not serve the
     * kind. In both cases the API server may be another one than before. Must not free the reflector. May be
     * NULL. */
    void (*look_again)(void *context);
    void *context; /* the context of deliver() and look_again() */
};

/* Whether some supported API servers do not serve the kind. If so, sets `*ret_group` and `*ret_version`
 * (static) to the group and version of the kind; otherwise sets both to NULL. */
bool yk_kind_may_be_missing(enum yk_kind kind, const char **ret_group, const char **ret_version);
/* The resource of a kind, as in paths: "pods". Static. */
const char *yk_kind_plural(enum yk_kind kind);
/* Makes a reflector and starts its first request. `spec` with its texts and `options` are copied. The objects
 * that `options` points to are borrowed for the life of the reflector. The caller frees the result with
 * yk_reflector_free(). */
struct yk_reflector *yk_reflector_new(const struct yk_watch_spec *spec,
                                      const struct yk_reflector_options *options);
/* Cancels the request and frees the reflector; deliver() is not called again. `reflector` may be NULL. */
void yk_reflector_free(struct yk_reflector *reflector);
YK_DEFINE_FREEP(yk_reflector)
/* The API server answers again, as on_end of the outage says: if the last request of the reflector got no
 * answer, the next one is sent within a second, although the back-off is not over. No effect if the last
 * request was answered, or a request is under way. */
void yk_reflector_retry_soon(struct yk_reflector *reflector);
/* The receiver has space again after deliver() returned false: reading continues. May call deliver() before
 * it returns, which may return false again: then call this function again later. No effect if the reflector
 * has not stopped reading. */
void yk_reflector_resume(struct yk_reflector *reflector);

#endif
