/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hot reload: from changed ConfigMaps to an active configuration, or to an Event that says why not.
 *
 * The text is prepared by another thread if there is one, in place otherwise. One reload is under way at a
 * time; ConfigMaps that change meanwhile are read once it has ended, as they are then: what lies between is
 * skipped, and the last one wins. Settings and queues go together: what is refused leaves both as they are.
 *
 * Thread: scheduling thread, apart from the preparation.
 * Source: docs/reference/queues.md, C5, C6; docs/reference/kubernetes.md 4.2 (C04, C05).
 */
#ifndef YK_BIND_RELOADER_H
#define YK_BIND_RELOADER_H

#include "base/mailbox.h"
#include "bind/configuration.h"
#include "bind/event_recorder.h"

struct yk_reloader {
    struct yk_core *core; /* borrowed for life, as all here */
    const struct yk_cache *cache;
    struct yk_configuration *configuration;
    struct yk_recorder *events;
    struct yk_mailbox *aside; /* of the thread that prepares; NULL: in place */
    struct yk_mailbox *inbox; /* of the scheduling thread; not NULL with `aside` */
    bool dirty;               /* the ConfigMaps have changed */
    bool busy;                /* one is under way */
    uint64_t refused;
    uint64_t types_seen;   /* yk_restype_additions() when the table was looked at last */
    bool has_warned_types; /* that the table of resource types is half full */
};

/* Starts a reload if one is wanted and none is under way. Without `aside` it has ended on return. */
void yk_reloader_run(struct yk_reloader *reloader);
/* A queue drains long: an Event on the ConfigMap. */
void yk_reloader_tell_draining(struct yk_reloader *reloader, const struct yk_si_draining *draining);
/* Warns in the log and with an Event on the ConfigMap when the table of resource types gets half full. O(1)
 * unless a type was added. */
void yk_reloader_look_at_types(struct yk_reloader *reloader);

#endif
