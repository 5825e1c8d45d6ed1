/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queue properties: the free key/value map of a queue as typed settings. A wrong value never rejects: it is
 * logged and the default applies.
 * Thread: any, one object at a time.
 * Source: docs/reference/queues.md 3.1 and 3.2 (I1, I2).
 */
#ifndef YK_CONFIG_PROPERTIES_H
#define YK_CONFIG_PROPERTIES_H

#include "config/config.h"
#include "config/sort_policies.h"

enum yk_priority_policy { YK_PRIORITY_DEFAULT, YK_PRIORITY_FENCE };
enum yk_preemption_policy { YK_PREEMPTION_DEFAULT, YK_PREEMPTION_FENCE, YK_PREEMPTION_DISABLED };

/* What the first in order that a limit refuses does to those behind it (pending/limit_hold.h). */
enum yk_hold { YK_HOLD_NONE, YK_HOLD_STRICT };
/* How the placeholders of a gang get their nodes (scheduling.md 5.6). */
enum yk_gang_placement {
    YK_GANG_GRADUAL, /* one by one; an incomplete gang gives way */
    YK_GANG_WHOLE,   /* all that are missing in one step */
    YK_GANG_KEEP,    /* one by one; an incomplete gang keeps what it has, as in 1.9 */
};

struct yk_queue_settings {
    enum yk_app_sort app_sort; /* of a leaf */
    bool priority_sort;        /* application.sort.priority, default true */
    enum yk_priority_policy priority_policy;
    int32_t priority_offset;
    enum yk_preemption_policy preemption_policy;
    int64_t preemption_delay_ns;         /* default 30 s */
    int64_t quota_preemption_delay_ns;   /* default 0: off */
    int64_t preemption_min_runtime_ns;   /* default 0: off */
    uint64_t preemption_budget;          /* victims in a minute; default 0: off */
    uint64_t unschedulable_asks_backoff; /* default 0: off */
    int64_t backoff_delay_ns;            /* default 30 s */
    enum yk_hold hold;                   /* application.sort.hold, default none */
    int64_t hold_delay_ns;               /* default 2 s; 0: at once */
    enum yk_gang_placement gang_placement;
};

struct yk_property_set;
/* Sets `*ret_settings` from effective properties (NULL: none). A wrong value is logged with `queue_path`, and
 * the default applies. */
void yk_queue_settings_from(const struct yk_property_set *properties, const char *queue_path,
                            struct yk_queue_settings *ret_settings);
struct yk_queue_property_words {
    const char *wanted; /* "a duration above 0" */
    const char *used;   /* the default: "30s" */
};
/* Whether a property's value will be used as it is; one that is not known says nothing here. If not,
 * `*ret_words` says what it should be, and what is used instead. */
bool yk_queue_property_applies(const struct yk_pair *property, struct yk_queue_property_words *ret_words);

#endif
