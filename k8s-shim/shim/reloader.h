/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hot reload: activates the configuration of changed ConfigMaps, or refuses it. The log says which. An Event
 * on the ConfigMap says it, too, unless the configuration is accepted and its queues are the active ones.
 *
 * If there is a second thread (that of `aside`), it parses and checks the queues. At most one reload is in
 * progress.
 * If the ConfigMaps change during a reload, their last version is read after the reload has ended. Settings
 * and queues are applied together: a refused configuration changes neither.
 *
 * Thread: scheduling thread, except for parsing and checking.
 * Source: docs/reference/queues.md, C5, C6; docs/reference/kubernetes.md 4.2 (C04, C05).
 */
#ifndef YK_SHIM_RELOADER_H
#define YK_SHIM_RELOADER_H

#include "app/apps.h"
#include "base/mailbox.h"
#include "bind/event_recorder.h"
#include "shim/configuration.h"

#include <stdatomic.h>

struct yk_reloader {
    struct yk_core *core; /* borrowed for life; so are all pointers here */
    struct yk_apps *apps;
    const struct yk_cache *cache;
    struct yk_configuration *configuration;
    struct yk_recorder *events;
    struct yk_mailbox *aside;  /* of the thread that parses and checks; NULL: that is the scheduling thread */
    struct yk_mailbox *inbox;  /* of the scheduling thread; may be NULL if `aside` is NULL */
    bool dirty;                /* the ConfigMaps have changed; the shim sets it */
    bool busy;                 /* a reload is in progress */
    uint64_t refused;          /* number of configurations that were refused */
    _Atomic bool last_refused; /* the last one was refused; any thread reads it */
    uint64_t types_seen;       /* yk_restype_additions() at the last check */
    bool has_warned_types;     /* more than half of the table of resource types was in use at that check */
};

/* Starts a reload if `dirty` is set and no reload is in progress, and clears `dirty`. The caller calls it in
 * each round after the first configuration has become active. Without `aside` the reload is complete when the
 * call returns. With `aside`, commands of the two mailboxes complete it, and the reloader must exist until
 * then. If hot refresh is off, the function only clears `dirty` and writes to the log. */
void yk_reloader_run(struct yk_reloader *reloader);
/* A queue has been draining for a long time: adds an Event on the ConfigMap. No effect if the cache has
 * neither of the two ConfigMaps. */
void yk_reloader_tell_draining(struct yk_reloader *reloader, const struct yk_si_draining *draining);
/* Warns in the log and with an Event on the ConfigMap when more than half of the table of resource types is
 * in use. Warns once: again only if a call has found at most half of the table in use meanwhile. To be called
 * after each yk_apps_run(). O(1), and no effect, if no type was added since the last call. */
void yk_reloader_look_at_types(struct yk_reloader *reloader);

#endif
