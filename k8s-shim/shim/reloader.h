/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hot reload: from changed ConfigMaps to an active configuration, or to an Event with the reason why not.
 *
 * Another thread prepares the text if there is one. One reload is in progress at a time. ConfigMaps that
 * change meanwhile are read once it has ended, in their last version. Settings and queues are applied
 * together: a refused configuration changes neither.
 *
 * Thread: scheduling thread, except the preparation.
 * Source: docs/reference/queues.md, C5, C6; docs/reference/kubernetes.md 4.2 (C04, C05).
 */
#ifndef YK_BIND_RELOADER_H
#define YK_BIND_RELOADER_H

#include "app/apps.h"
#include "base/mailbox.h"
#include "bind/event_recorder.h"
#include "shim/configuration.h"

struct yk_reloader {
    struct yk_core *core; /* borrowed for life, as all here */
    struct yk_apps *apps;
    const struct yk_cache *cache;
    struct yk_configuration *configuration;
    struct yk_recorder *events;
    struct yk_mailbox *aside; /* mailbox of the thread that prepares; NULL: in place */
    struct yk_mailbox *inbox; /* mailbox of the scheduling thread; not NULL with `aside` */
    bool dirty;               /* the ConfigMaps have changed */
    bool busy;                /* a reload is in progress */
    uint64_t refused;
    uint64_t types_seen;   /* yk_restype_additions() at the last check */
    bool has_warned_types; /* it has warned that the table of resource types is half full */
};

/* Starts a reload if the ConfigMaps have changed and none is in progress. Without `aside` it is complete
 * on return. */
void yk_reloader_run(struct yk_reloader *reloader);
/* A queue has been draining for long: writes an Event on the ConfigMap. */
void yk_reloader_tell_draining(struct yk_reloader *reloader, const struct yk_si_draining *draining);
/* Warns in the log and with an Event on the ConfigMap when the table of resource types is half full. O(1)
 * unless a type was added. */
void yk_reloader_look_at_types(struct yk_reloader *reloader);

#endif
