/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a change of the configuration did: for each kind of change the number, and the first names. It is
 * filled while the change is carried out, then logged, reported to the resource manager and stored for REST.
 * Queues that are removed later because they drained are added to the stored one.
 *
 * Owns:   its names.
 * Thread: scheduling thread only.
 * Source: docs/reference/queues.md, "What a change did".
 */
#ifndef YK_STATE_CONFIG_CHANGE_H
#define YK_STATE_CONFIG_CHANGE_H

#include "base/str.h"
#include "config/config.h"

enum { YK_CHANGE_NAMES_MAX = 20 }; /* names that are stored of each kind */

/* Names of the kinds up to YK_CHANGE_OVER_LIMIT are paths of queues. */
enum yk_change_kind {
    YK_CHANGE_ADDED,       /* the queue is new */
    YK_CHANGE_CHANGED,     /* the queue was configured before, with other settings */
    YK_CHANGE_TYPE,        /* an existing queue was a leaf and is a parent now, or the reverse */
    YK_CHANGE_DRAINING,    /* the queue is no longer configured */
    YK_CHANGE_REACTIVATED, /* the queue was draining and is configured again */
    YK_CHANGE_ADOPTED,     /* the queue was dynamic and is configured now */
    YK_CHANGE_REMOVED,     /* a draining queue was removed after this change and before the next one */
    /* the queue has more resources or running applications than its new limits allow, and had not more than
     * the old ones allowed */
    YK_CHANGE_OVER_LIMIT,
    /* ids of applications that use a type of which a queue over its limit (YK_CHANGE_OVER_LIMIT), their own
     * or one above, has too much */
    YK_CHANGE_APP_OVER_LIMIT,
    YK_CHANGE_PARTITION_ADDED,   /* names of partitions */
    YK_CHANGE_PARTITION_REMOVED, /* names of partitions */
    YK_CHANGE_KINDS,
};

/* Written by: state, scheduler. */
struct yk_config_change {
    int64_t wall_ns; /* when it became active; 0: never */
    char checksum[YK_CONFIG_CHECKSUM_LEN + 1];
    struct {
        uint32_t count;                   /* all changes of the kind */
        uint32_t name_count;              /* those whose names are stored */
        char *names[YK_CHANGE_NAMES_MAX]; /* owned */
    } kinds[YK_CHANGE_KINDS];
};

/* The kind in words: "queues added", "applications over a limit", ...; the text is static. `kind` is not
 * YK_CHANGE_KINDS. */
const char *yk_change_kind_text(enum yk_change_kind kind);
/* Counts one change of the kind, and stores a copy of `name` if there is space. Does not set `wall_ns` and
 * `checksum`: the holder does. `change` is zeroed before the first call; its holder ends it with
 * yk_config_change_done(). */
void yk_config_change_note(struct yk_config_change *change, enum yk_change_kind kind, const char *name);
/* Appends a summary of one line, without a newline: "queues added: 2, queues draining: 1"; "nothing" if
 * nothing changed. */
void yk_config_change_summary(const struct yk_config_change *change, struct yk_buf *out);
/* Logs the line of yk_config_change_summary() with the checksum, and a line with names for each kind that
 * has changes. */
void yk_config_change_log(const struct yk_config_change *change);
/* Frees the names and zeroes the struct. */
void yk_config_change_done(struct yk_config_change *change);

#endif
