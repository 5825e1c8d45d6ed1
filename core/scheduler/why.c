/* SPDX-License-Identifier: Apache-2.0 */
#include "scheduler/why.h"

#include "report/reason.h"
#include "report/refusal.h"
#include "report/start_estimate.h"

static uint64_t hash_text(const char *text)
{
    return yk_hash(text, strlen(text));
}

static uint64_t about(const struct yk_ask *ask, const struct yk_why *why)
{
    uint64_t hash = 0;
    if (why->queue != NULL)
        hash ^= hash_text(why->queue->path);
    if (why->usage != NULL)
        hash ^= yk_hash_u64(hash_text(why->usage->tracker->name) + why->usage->tracker->is_group);
    if (why->reason == YK_REASON_BACKOFF || why->reason == YK_REASON_GANG)
        hash ^= hash_text(ask->group->app->id);
    if (why->reason == YK_REASON_GANG && ask->group->task_group != NULL)
        hash ^= yk_hash_u64(hash_text(ask->group->task_group->name));
    if (why->one_at_a_time && yk_why_starting(ask->group->app) != NULL)
        hash ^= hash_text(yk_why_starting(ask->group->app)->id);
    return hash;
}

struct yk_si_why yk_why_of_key(const struct yk_core *core, const char *rm_id, const char *application_id,
                               const char *key, struct yk_si_why_text *text)
{
    const struct yk_ask *ask = yk_core_find_ask(core, rm_id, application_id, key);
    if (ask == NULL || ask->group == NULL || !yk_ask_is_pending(ask))
        return (struct yk_si_why){YK_REASON_NONE, 0};
    struct yk_why why = text != NULL ? yk_why_in_detail(ask, NULL) : yk_why_of_ask(ask);
    if (text != NULL) {
        yk_why_ask_sentence(ask, &why, &text->sentence);
        yk_refusal_text(ask->group, yk_why_refusal(ask->group, &why), &text->refusal);
        if (yk_why_claimed(ask).reason != YK_REASON_NONE)
            yk_buf_text(&text->refusal,
                        "rest of the limit is needed by pods that come first, and no node takes it now");
    }
    return (struct yk_si_why){why.reason, about(ask, &why)};
}

static const struct yk_app *find_app(const struct yk_core *core, const char *rm_id,
                                     const char *application_id)
{
    const struct yk_rm *rm = yk_core_find_rm(core, rm_id);
    const struct yk_partition *partition;
    yk_vec_foreach (partition, &core->partitions) {
        const struct yk_app *app =
            partition->rm == rm ? yk_partition_find_app(partition, application_id) : NULL;
        if (app != NULL)
            return app;
    }
    return NULL;
}

static const struct yk_ask *waiting_placeholder(const struct yk_core *core, const char *rm_id,
                                                const char *application_id)
{
    const struct yk_app *app = find_app(core, rm_id, application_id);
    return app != NULL ? yk_why_waiting_placeholder(app) : NULL;
}

struct yk_si_why yk_why_of_gang_wait(const struct yk_core *core, const char *rm_id,
                                     const char *application_id, const struct yk_si_gang_wait *wait,
                                     struct yk_buf *text)
{
    const struct yk_ask *ask = waiting_placeholder(core, rm_id, application_id);
    struct yk_why why = {.reason = YK_REASON_NONE};
    if (ask != NULL)
        why = yk_why_in_detail(ask, NULL);
    yk_why_gang_sentence(why.reason != YK_REASON_NONE ? ask : NULL, &why, wait, text);
    return (struct yk_si_why){why.reason, why.reason != YK_REASON_NONE ? about(ask, &why) : 0};
}

struct yk_si_start yk_start_of_key(const struct yk_core *core, const char *rm_id, const char *application_id,
                                   const char *key, const struct yk_si_start *like)
{
    const struct yk_ask *ask = key != NULL ? yk_core_find_ask(core, rm_id, application_id, key)
                                           : waiting_placeholder(core, rm_id, application_id);
    if (ask == NULL || ask->group == NULL || !yk_ask_is_pending(ask))
        return (struct yk_si_start){0};
    struct yk_why why = yk_why_of_ask(ask);
    return yk_start_estimate(ask, why.reason, like, NULL);
}
