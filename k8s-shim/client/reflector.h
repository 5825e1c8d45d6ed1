/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps the objects of one kind up to date: lists them, then watches them.
 *
 * Steps: STREAM (a watch that begins with what there is; live after its end marker), PAGES (list), WATCH
 * (live from the last resourceVersion). How a step ended decides on the next one:
 *
 *              STREAM                      PAGES                        WATCH
 *   clean      again, after a while        WATCH                        WATCH, at once
 *   cut        again, after a while        list, after a while          WATCH, after a while
 *   short      PAGES                       -                            list, after a while
 *   no server  again, after a while        list, after a while          WATCH, after a while
 *   429        again, when allowed         list, when allowed           WATCH, when allowed
 *   410        newest version              page: whole list; newest v.  list from the last version
 *   garbage    PAGES as JSON, later        list as JSON, later          WATCH, later; then list as JSON
 *   other      PAGES                       list, after a while          list, after a while
 *
 * "list" is STREAM, or PAGES where the server has no streaming lists. Objects are handed on as they come; the
 * receiver marks and sweeps between REPLACE_BEGIN and REPLACE_END (REPLACE_GAPS: without the sweep).
 * Invariant: the last resourceVersion never passes an object that was not handed on (or skipped).
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

/* Events on their way to the receiver, in order. */
struct yk_watch_batch {
    struct yk_watch_item {
        enum yk_watch_event event;
        struct yk_object *object;
    } * items; /* owned, with their objects */
    size_t count, capacity;
};

void yk_watch_batch_done(struct yk_watch_batch *batch);

struct yk_reflector;

struct yk_reflector_options {
    struct yk_transport *transport;
    struct yk_io_timers *timers;
    struct yk_random *random;
    struct yk_outage *outage;     /* shared by all reflectors */
    struct yk_watch_stats *stats; /* likewise; NULL: nothing is counted */
    /* Takes the items (the batch is empty afterwards). False: the receiver is full, wait for
     * yk_reflector_resume(). */
    bool (*deliver)(struct yk_watch_batch *batch, void *context);
    /* The API server is back, or does not know this kind: it may be another one now. May be NULL. */
    void (*look_again)(void *context);
    void *context;
};

/* Whether there are servers without that kind. If so, sets `*ret_group` and `*ret_version` (static) to the
 * group and version that serve it. */
bool yk_kind_may_be_missing(enum yk_kind kind, const char **ret_group, const char **ret_version);
/* The resource of a kind, as in paths: "pods". Static. */
const char *yk_kind_plural(enum yk_kind kind);
/* Makes a reflector and starts it. `spec` and `options` are copied, what they point to is borrowed for life.
 * The caller frees it. */
struct yk_reflector *yk_reflector_new(const struct yk_watch_spec *spec,
                                      const struct yk_reflector_options *options);
/* Stops: nothing is delivered afterwards. NULL has no effect. */
void yk_reflector_free(struct yk_reflector *reflector);
YK_DEFINE_FREEP(yk_reflector)
/* The API server answers again: a reflector whose last request got no answer tries within a second, instead
 * of when its back-off is over. Calling it without need is harmless. */
void yk_reflector_retry_soon(struct yk_reflector *reflector);
/* The receiver, which refused a batch, has space again: delivery goes on. */
void yk_reflector_resume(struct yk_reflector *reflector);

#endif
