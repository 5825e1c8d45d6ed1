/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a change of the configuration did: counts, and the first names of each kind. Made while the change is
 * carried out, then logged, told to the resource manager and kept for REST.
 *
 * Owns:   its names.
 * Thread: scheduling thread only.
 * Source: docs/reference/queues.md, "What a change did".
 */
#ifndef YK_STATE_CONFIG_CHANGE_H
#define YK_STATE_CONFIG_CHANGE_H

#include "base/str.h"
#include "config/config.h"

enum { YK_CHANGE_NAMES_MAX = 20 }; /* kept of each kind */

enum yk_change_kind {
    YK_CHANGE_ADDED,             /* queue paths, as all up to YK_CHANGE_OVER_LIMIT */
    YK_CHANGE_CHANGED,           /* was there, and is configured differently */
    YK_CHANGE_TYPE,              /* of these and the re-activated: leaf became parent or parent leaf */
    YK_CHANGE_DRAINING,          /* no longer configured */
    YK_CHANGE_REACTIVATED,       /* was draining */
    YK_CHANGE_ADOPTED,           /* was dynamic */
    YK_CHANGE_REMOVED,           /* of the draining: gone since */
    YK_CHANGE_OVER_LIMIT,        /* uses more, or runs more applications, than it may now */
    YK_CHANGE_APP_OVER_LIMIT,    /* application ids: hold something of what is over a limit */
    YK_CHANGE_PARTITION_ADDED,   /* partition names */
    YK_CHANGE_PARTITION_REMOVED, /* partition names */
    YK_CHANGE_KINDS,
};

/* Written by: state, scheduler. */
struct yk_config_change {
    int64_t wall_ns; /* when it became active; 0: never */
    char checksum[YK_CONFIG_CHECKSUM_LEN + 1];
    struct {
        uint32_t count;
        uint32_t name_count;
        char *names[YK_CHANGE_NAMES_MAX]; /* owned */
    } kinds[YK_CHANGE_KINDS];
};

/* "queues added", "applications over a limit", ...; static. */
const char *yk_change_kind_text(enum yk_change_kind kind);
/* Counts the change, and keeps `name` while there is space. */
void yk_config_change_note(struct yk_config_change *change, enum yk_change_kind kind, const char *name);
/* Appends one line: "queues added: 2, queues draining: 1"; "nothing" if nothing changed. */
void yk_config_change_summary(const struct yk_config_change *change, struct yk_buf *out);
/* Logs the line of yk_config_change_summary(), and a line with names for each kind that has names. */
void yk_config_change_log(const struct yk_config_change *change);
void yk_config_change_done(struct yk_config_change *change);

#endif
