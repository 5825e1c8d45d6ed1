/* SPDX-License-Identifier: Apache-2.0 */
#include "config/property_set.h"

#include "base/clock.h"
#include "base/log.h"
#include "config/properties_priv.h"

#define DEFAULT_DELAY_NS (30 * YK_NS_PER_S)

static const char preemption_policy_key[] = "preemption.policy";
static const char preemption_allowed_key[] = "preemption.allowed";
static const char priority_policy_key[] = "priority.policy";
static const char priority_offset_key[] = "priority.offset";

/* ---- values ---- */

static bool equals_any_case(struct yk_str text, const char *lower)
{
    size_t len = strlen(lower);
    if (text.len != len)
        return false;
    for (size_t i = 0; i < len; i++) {
        char c = text.p[i];
        if ((c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c) != lower[i])
            return false;
    }
    return true;
}

static int word_index(struct yk_str text, const char *const *words, size_t count, bool any_case)
{
    for (size_t i = 0; i < count; i++) {
        if (any_case ? equals_any_case(text, words[i]) : yk_str_is(text, words[i]))
            return (int)i;
    }
    return -1;
}

static bool read_app_sort(struct yk_str value, struct yk_queue_settings *settings)
{
    if (value.len > 0)
        return yk_app_sort_of(value, &settings->app_sort);
    settings->app_sort = YK_APP_SORT_FIFO;
    return true;
}

static bool read_priority_sort(struct yk_str value, struct yk_queue_settings *settings)
{
    static const char *const words[] = {"disabled", "enabled"};
    int index = word_index(value, words, YK_COUNT(words), true);
    if (index >= 0)
        settings->priority_sort = index == 1;
    return index >= 0;
}

static bool read_priority_policy(struct yk_str value, struct yk_queue_settings *settings)
{
    static const char *const words[] = {"default", "fence"}; /* enum yk_priority_policy */
    YK_INDEXED_BY(words, YK_PRIORITY_FENCE);
    int index = word_index(value, words, YK_COUNT(words), true);
    if (index >= 0)
        settings->priority_policy = (enum yk_priority_policy)index;
    return index >= 0;
}

static bool read_priority_offset(struct yk_str value, struct yk_queue_settings *settings)
{
    int64_t offset;
    if (yk_str_to_i64(value, &offset) != YK_OK || offset < INT32_MIN || offset > INT32_MAX)
        return false;
    settings->priority_offset = (int32_t)offset;
    return true;
}

static bool read_preemption_policy(struct yk_str value, struct yk_queue_settings *settings)
{
    static const char *const words[] = {"default", "fence", "disabled"}; /* enum yk_preemption_policy */
    YK_INDEXED_BY(words, YK_PREEMPTION_DISABLED);
    int index = word_index(value, words, YK_COUNT(words), true);
    if (index >= 0)
        settings->preemption_policy = (enum yk_preemption_policy)index;
    return index >= 0;
}

static bool read_preemption_allowed(struct yk_str value, struct yk_queue_settings *settings)
{
    static const char *const words[] = {"false", "true"};
    int index = word_index(value, words, YK_COUNT(words), true);
    if (index >= 0)
        settings->preemption_policy = index == 1 ? YK_PREEMPTION_DEFAULT : YK_PREEMPTION_DISABLED;
    return index >= 0;
}

static bool read_positive_duration(struct yk_str value, int64_t *ret_ns)
{
    int64_t ns;
    if (yk_duration_parse(value, &ns) != YK_OK || ns <= 0)
        return false;
    *ret_ns = ns;
    return true;
}

static bool read_preemption_delay(struct yk_str value, struct yk_queue_settings *settings)
{
    return read_positive_duration(value, &settings->preemption_delay_ns);
}

static bool read_quota_delay(struct yk_str value, struct yk_queue_settings *settings)
{
    int64_t ns;
    if (yk_duration_parse(value, &ns) == YK_OK && ns == 0)
        return true; /* the value turns it off explicitly */
    return read_positive_duration(value, &settings->quota_preemption_delay_ns);
}

static bool read_min_runtime(struct yk_str value, struct yk_queue_settings *settings)
{
    int64_t ns;
    if (yk_duration_parse(value, &ns) == YK_OK && ns == 0)
        return true; /* the value turns it off explicitly */
    return read_positive_duration(value, &settings->preemption_min_runtime_ns);
}

static bool read_budget(struct yk_str value, struct yk_queue_settings *settings)
{
    return yk_str_to_u64(value, &settings->preemption_budget) == YK_OK;
}

static bool read_backoff(struct yk_str value, struct yk_queue_settings *settings)
{
    return yk_str_to_u64(value, &settings->unschedulable_asks_backoff) == YK_OK;
}

static bool read_backoff_delay(struct yk_str value, struct yk_queue_settings *settings)
{
    return read_positive_duration(value, &settings->backoff_delay_ns);
}

static bool read_hold(struct yk_str value, struct yk_queue_settings *settings)
{
    static const char *const words[] = {"none", "strict"}; /* enum yk_hold */
    YK_INDEXED_BY(words, YK_HOLD_STRICT);
    int index = word_index(value, words, YK_COUNT(words), true);
    if (index >= 0)
        settings->hold = (enum yk_hold)index;
    return index >= 0;
}

static bool read_hold_delay(struct yk_str value, struct yk_queue_settings *settings)
{
    int64_t ns;
    if (yk_duration_parse(value, &ns) != YK_OK || ns < 0)
        return false;
    settings->hold_delay_ns = ns;
    return true;
}

static bool read_gang_placement(struct yk_str value, struct yk_queue_settings *settings)
{
    static const char *const words[] = {"gradual", "whole", "keep"}; /* enum yk_gang_placement */
    YK_INDEXED_BY(words, YK_GANG_KEEP);
    int index = word_index(value, words, YK_COUNT(words), true);
    if (index >= 0)
        settings->gang_placement = (enum yk_gang_placement)index;
    return index >= 0;
}

/* Properties are read in this order: preemption.policy is behind its alias preemption.allowed, so that
 * preemption.policy has precedence. */
static const struct {
    const char *key;
    bool (*read)(struct yk_str value, struct yk_queue_settings *settings);
    struct yk_queue_property_words words;
} known[] = {
    {"application.sort.policy", read_app_sort, {yk_app_sorts_either, "fifo"}},
    {"application.sort.priority", read_priority_sort, {"'enabled' or 'disabled'", "enabled"}},
    {priority_policy_key, read_priority_policy, {"'default' or 'fence'", "'default'"}},
    {priority_offset_key, read_priority_offset, {"a whole number of 32 bits", "0"}},
    {preemption_allowed_key,
     read_preemption_allowed,
     {"'true' or 'false'", "true, unless preemption.policy says otherwise"}},
    {preemption_policy_key,
     read_preemption_policy,
     {"'default', 'fence' or 'disabled'", "'default', unless preemption.allowed is false"}},
    {"preemption.delay", read_preemption_delay, {"a duration above 0, such as 30s", "30s"}},
    {"preemption.min.runtime",
     read_min_runtime,
     {"0 or a duration above it, such as 10m", "0, which is off"}},
    {"preemption.budget", read_budget, {"a whole number that is not negative", "0, which is off"}},
    {"quota.preemption.delay",
     read_quota_delay,
     {"0 or a duration above it, such as 30s", "0, which is off"}},
    {"application.unschedasks.backoff",
     read_backoff,
     {"a whole number that is not negative", "0, which is off"}},
    {"application.unschedasks.backoff.delay", read_backoff_delay, {"a duration above 0, such as 30s", "30s"}},
    {"application.sort.hold", read_hold, {"'none' or 'strict'", "'none'"}},
    {"application.sort.hold.delay", read_hold_delay, {"0 or a duration above it, such as 30s", "2s"}},
    {"gang.placement", read_gang_placement, {"'gradual', 'whole' or 'keep'", "'gradual'"}},
};

_Static_assert(YK_COUNT(known) == YK__PROPERTIES, "one number per row");

bool yk_queue_property_applies(const struct yk_pair *property, struct yk_queue_property_words *ret_words)
{
    struct yk_queue_settings unused;
    for (size_t i = 0; i < YK_COUNT(known); i++) {
        if (!yk_str_is(property->key, known[i].key))
            continue;
        *ret_words = known[i].words;
        return known[i].read(property->value, &unused);
    }
    return true;
}

void yk_queue_properties_each(void (*see)(void *context, const char *key,
                                          const struct yk_queue_property_words *words),
                              void *context)
{
    for (size_t i = 0; i < YK_COUNT(known); i++)
        see(context, known[i].key, &known[i].words);
}

void yk_queue_settings_from(const struct yk_property_set *properties, const char *queue_path,
                            struct yk_queue_settings *ret_settings)
{
    *ret_settings = (struct yk_queue_settings){
        .priority_sort = true,
        .preemption_delay_ns = DEFAULT_DELAY_NS,
        .backoff_delay_ns = DEFAULT_DELAY_NS,
        .hold_delay_ns = 2 * YK_NS_PER_S,
    };
    for (int i = 0; i < YK__PROPERTIES; i++) {
        const struct yk_pair *pair = yk_property_set_known(properties, i);
        if (pair != NULL && !known[i].read(pair->value, ret_settings))
            yk_warn(yk_log_config, "bad queue property, default used", KV("queue", queue_path),
                    KV("property", pair->key), KV("value", pair->value));
    }
}

/* ---- I1: what children inherit ---- */

int yk__property_number(struct yk_str key)
{
    for (int i = 0; i < YK__PROPERTIES; i++) {
        if (yk_str_is(key, known[i].key))
            return i;
    }
    return -1;
}

const struct yk_pair *yk__property_inherited(const struct yk_pair *pair)
{
    static const struct yk_pair replaced[] = {
        {YK_STR(priority_policy_key), YK_STR("default")},
        {YK_STR(priority_offset_key), YK_STR("0")},
        {YK_STR(preemption_policy_key), YK_STR("default")},
    };
    for (size_t i = 0; pair != NULL && i < YK_COUNT(replaced); i++) {
        bool stays = i == 2 && equals_any_case(pair->value, "disabled");
        if (yk_str_eq(pair->key, replaced[i].key) && !stays)
            return &replaced[i];
    }
    return pair;
}

/* An alias that the queue has itself has precedence over a policy that it inherits. */
int yk__property_hides(struct yk_str key)
{
    return yk_str_is(key, preemption_allowed_key) ? yk__property_number(YK_STR(preemption_policy_key)) : -1;
}
