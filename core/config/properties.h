/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queue properties: reads the free key/value map of a queue into typed settings. A wrong value is no error:
 * it is logged and ignored.
 * Thread: any.
 * Source: docs/reference/queues.md 3.1 and 3.2 (I1, I2).
 */
#ifndef YK_CONFIG_PROPERTIES_H
#define YK_CONFIG_PROPERTIES_H

#include "config/config.h"
#include "config/sort_policies.h"

enum yk_priority_policy { YK_PRIORITY_DEFAULT, YK_PRIORITY_FENCE };
enum yk_preemption_policy { YK_PREEMPTION_DEFAULT, YK_PREEMPTION_FENCE, YK_PREEMPTION_DISABLED };

/* Whether an ask that comes first and is refused by a limit holds back the asks behind it
 * (pending/limit_hold.h). */
enum yk_hold { YK_HOLD_NONE, YK_HOLD_STRICT };
/* How the placeholders of a gang get their nodes (scheduling.md 5.6). */
enum yk_gang_placement {
    YK_GANG_GRADUAL, /* one by one; an incomplete gang may give up its nodes for others */
    YK_GANG_WHOLE,   /* all missing ones in one step */
    YK_GANG_KEEP,    /* one by one; an incomplete gang keeps its nodes, as in YuniKorn 1.9 */
};

struct yk_queue_settings {
    enum yk_app_sort app_sort; /* used in a leaf; default fifo */
    bool priority_sort;        /* application.sort.priority, default true */
    enum yk_priority_policy priority_policy;
    int32_t priority_offset;
    enum yk_preemption_policy preemption_policy;
    int64_t preemption_delay_ns;       /* default 30 s */
    int64_t quota_preemption_delay_ns; /* default 0: off */
    int64_t preemption_min_runtime_ns; /* default 0: off */
    uint64_t preemption_budget;        /* maximum of victims in a minute; default 0: no maximum */
    /* Number of asks without a node after which an application pauses; default 0: it does not. */
    uint64_t unschedulable_asks_backoff;
    int64_t backoff_delay_ns; /* default 30 s */
    enum yk_hold hold;        /* application.sort.hold, default none */
    int64_t hold_delay_ns;    /* wait of a refused ask until it holds back others; default 2 s */
    enum yk_gang_placement gang_placement;
};

struct yk_property_set;
/* Sets all of `*ret_settings` from the effective properties of a queue (NULL: none), and from defaults. A
 * wrong value is logged with `queue_path` and ignored. */
void yk_queue_settings_from(const struct yk_property_set *properties, const char *queue_path,
                            struct yk_queue_settings *ret_settings);
struct yk_queue_property_words {
    const char *wanted; /* what a value has to be, such as "a duration above 0"; static */
    const char *used;   /* the default that is used instead, such as "30s"; static */
};
/* Whether the value of the property is valid, or its key is not known. If false, yk_queue_settings_from()
 * ignores the property. Sets `*ret_words` if the key is known, also if the value is not valid. */
bool yk_queue_property_applies(const struct yk_pair *property, struct yk_queue_property_words *ret_words);
/* Calls `see` for the key of each known property, with its words; both are static. */
void yk_queue_properties_each(void (*see)(void *context, const char *key,
                                          const struct yk_queue_property_words *words),
                              void *context);

#endif
