/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What was done with the queue configurations that the resource manager sent: which became active, which were
 * refused and why, and what changed.
 *
 * The history is in memory only, so it is lost when the process ends. It has at most YK_CONFIG_HISTORY_MAX
 * entries, and their newest texts, up to YK_CONFIG_HISTORY_TEXT_MAX bytes together. The entry in force, which
 * is the newest that was applied, is always kept with its text.
 *
 * Owns:   yk_rm.config_history.
 * Thread: scheduling thread only. Any thread may call the yk_config_entry functions for an entry that is in
 *         no history yet.
 * Source: docs/reference/rest.md 5.3.
 */
#ifndef YK_REPORT_CONFIG_HISTORY_H
#define YK_REPORT_CONFIG_HISTORY_H

#include "state/partition.h"

enum {
    YK_CONFIG_HISTORY_MAX = 50,           /* entries */
    YK_CONFIG_HISTORY_TEXT_MAX = 2 << 20, /* bytes of all texts: two of the largest that a ConfigMap holds */
    YK_CONFIG_HISTORY_CHANGES_MAX = 8192, /* bytes of the lines of one entry */
};

/* The caller zeroes it, sets `is_applied`, `is_first`, `checksum`, `source`, and `error` or `summary`, calls
 * the functions below for the rest, and adds it (yk_config_history_add()). */
struct yk_config_entry {
    uint64_t id;       /* from 1; set by yk_config_history_add(), like `wall_ns` and `repeated` */
    int64_t wall_ns;   /* when it became active or was refused the last time, by the clock of the core */
    uint64_t repeated; /* how often the same text was refused again for the same reason */
    bool is_applied;   /* it became active; false: it was refused */
    bool is_first;     /* it came with the registration of the resource manager */
    char checksum[YK_CONFIG_CHECKSUM_LEN + 1];
    char *source;  /* owned, as all texts: where it came from (struct yk_si_register); NULL: not known */
    char *error;   /* why it was refused; NULL: it was not refused */
    char *summary; /* what the change did (yk_config_change_summary()); NULL: refused */
    /* lines of yk_config_diff(), compared with what was active; NULL: it could not be compared */
    char *changes;
    uint64_t change_count; /* number of all lines, including those for which `changes` has no space */
    char *text;            /* without comments; NULL: it was not stored, or was dropped */
    size_t text_bytes;     /* of `text`; 0: none */
};

/* "start" or "reload": what brought the configuration; static. */
const char *yk_config_entry_trigger(const struct yk_config_entry *entry);
/* Sets `entry->text` to a copy of `text` without its comments, which GET /ws/v1/config does not show either.
 * No effect if `text` is longer than YK_CONFIG_HISTORY_TEXT_MAX. O(bytes). */
void yk_config_entry_set_text(struct yk_config_entry *entry, struct yk_str text);
/* Sets `entry->changes` to the first lines of what changes from one checked configuration to another, and
 * `entry->change_count` to the number of all lines. O(queues). */
void yk_config_entry_compare(struct yk_config_entry *entry, const struct yk_config *from,
                             const struct yk_config *to);
/* Frees the texts. The entry is zeroed afterwards. Not needed after yk_config_history_add(). */
void yk_config_entry_done(struct yk_config_entry *entry);

/* Adds an entry, whose texts are taken: `entry` is empty afterwards. Sets its id, time and `repeated`. If it
 * was refused, the caller has set `error`. If the same text was refused for the same reason after the
 * configuration in force was applied, the new entry replaces the former one and gets its id. If the history
 * is full, an entry is dropped: the oldest refused one if more than half are refused, else the oldest that is
 * not in force. If the texts are too long together, the oldest are dropped, but not that in force. */
void yk_config_history_add(struct yk_rm *rm, struct yk_config_entry *entry);
/* The number of entries that are kept, at most YK_CONFIG_HISTORY_MAX. */
uint64_t yk_config_history_kept(const struct yk_rm *rm);
/* The number of entries that were ever added, without repeated ones. */
uint64_t yk_config_history_total(const struct yk_rm *rm);
/* The entry `age` places before the last one by time (0: the last one), borrowed until the next
 * yk_config_history_add(). NULL: there is none. */
const struct yk_config_entry *yk_config_history_at(const struct yk_rm *rm, uint64_t age);
/* The entry with that id, borrowed as by yk_config_history_at(). NULL: there is none, or it is no longer
 * kept. */
const struct yk_config_entry *yk_config_history_find(const struct yk_rm *rm, uint64_t id);
/* NULL is fine. */
void yk_config_history_free(struct yk_config_history *history);

#endif
