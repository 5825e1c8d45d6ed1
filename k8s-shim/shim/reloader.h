/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hot reload: activates the configuration of changed ConfigMaps, or refuses it. Both are reported with an
 * Event on the ConfigMap and in the log.
 *
 * Another thread parses and checks the queues, if there is one. One reload is in progress at a time; if the
 * ConfigMaps change meanwhile, their last version is read after it has ended. Settings and queues are applied
 * together: a refused configuration changes neither.
 *
 * Thread: scheduling thread, except for parsing and checking.
 * Source: docs/reference/queues.md, C5, C6; docs/reference/kubernetes.md 4.2 (C04, C05).
 */
#ifndef YK_BIND_RELOADER_H
#define YK_BIND_RELOADER_H

#include "app/apps.h"
#include "base/mailbox.h"
#include "bind/event_recorder.h"
#include "shim/configuration.h"

struct yk_reloader {
    struct yk_core *core; /* borrowed for life, as all pointers here */
    struct yk_apps *apps;
    const struct yk_cache *cache;
    struct yk_configuration *configuration;
    struct yk_recorder *events;
    struct yk_mailbox *aside; /* of the thread that parses and checks; NULL: done on the scheduling thread */
    struct yk_mailbox *inbox; /* of the scheduling thread; NULL only without `aside` */
    bool dirty;               /* the ConfigMaps have changed; the shim sets it */
    bool busy;                /* a reload is in progress */
    uint64_t refused;         /* number of configurations that were refused */
    uint64_t types_seen;      /* yk_restype_additions() at the last check */
    bool has_warned_types;    /* it has warned that the table of resource types is half full */
};

/* Starts a reload if `dirty` is set and none is in progress, and clears `dirty`. To be called in each
 * round, after the first configuration is active. Without `aside` the reload is complete when the call
 * returns; else commands of the two mailboxes complete it, and the reloader must exist until then. If hot
 * refresh is off, it only writes to the log. */
void yk_reloader_run(struct yk_reloader *reloader);
/* A queue has been draining for long: adds an Event on the ConfigMap. No effect if the cache has neither
 * ConfigMap. */
void yk_reloader_tell_draining(struct yk_reloader *reloader, const struct yk_si_draining *draining);
/* Warns in the log and with an Event on the ConfigMap when the table of resource types is half full. O(1)
 * unless a type was added. */
void yk_reloader_look_at_types(struct yk_reloader *reloader);

#endif
