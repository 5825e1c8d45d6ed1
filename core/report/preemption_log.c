/* SPDX-License-Identifier: Apache-2.0 */
#include "report/preemption_log.h"

#include "report/rm_calls.h"
#include "report/timeline.h"
#include "state/core.h"

const char *yk_preemption_kind_name(enum yk_preemption_kind kind)
{
    static const char *const names[] = {"guarantee", "quota", "daemonset", "gang"};
    YK_INDEXED_BY(names, YK_PREEMPTION_GANG);
    return names[kind];
}

static void side_done(struct yk_preemption_side *side)
{
    free(side->key);
    free(side->object_name);
    free(side->namespace_);
    free(side->application_id);
    free(side->queue_name);
    free(side->user);
    yk_resvec_done(&side->resource);
    side->key = side->object_name = side->namespace_ = side->application_id = side->queue_name = side->user =
        NULL;
}

static void entry_done(struct yk_preemption *entry)
{
    side_done(&entry->victim);
    side_done(&entry->preemptor);
    free(entry->node_id);
    free(entry->message);
    entry->node_id = entry->message = NULL;
}

void yk_preemption_log_free(struct yk_preemption_log *log)
{
    if (log == NULL)
        return;
    for (size_t i = 0; i < YK_PREEMPTION_LOG_MAX; i++)
        entry_done(&log->entries[i]);
    free(log);
}

static void fill_side(struct yk_preemption_side *side, const struct yk_ask *ask)
{
    struct yk_buf namespace_ = {0}, name = {0};
    const struct yk_app *app = yk_ask_app(ask);
    yk_rm_call_ask_name(app->partition, ask, &namespace_, &name);
    side->key = yk_strdup(ask->key);
    side->namespace_ = yk_strdup(yk_buf_cstr(&namespace_));
    side->object_name = yk_strdup(yk_buf_cstr(&name));
    side->application_id = yk_strdup(app->id);
    side->queue_name = yk_strdup(app->queue_path);
    side->user = yk_strdup(app->user);
    yk_resvec_copy(&side->resource, yk_ask_size(ask));
    yk_buf_done(&namespace_);
    yk_buf_done(&name);
}

static void add_name(struct yk_buf *text, const struct yk_preemption_side *side)
{
    if (side->namespace_[0] != '\0')
        yk_buf_printf(text, "%s/", side->namespace_);
    yk_buf_printf(text, "%s (application %s of %s in queue %s)", side->object_name, side->application_id,
                  side->user, side->queue_name);
}

static char *sentence_of(const struct yk_preemption *entry, const struct yk_queue *queue, bool is_of_gang)
{
    struct yk_buf text = {0};
    add_name(&text, &entry->victim);
    yk_buf_text(&text, " ends ");
    switch (entry->kind) {
    case YK_PREEMPTION_GUARANTEE:
        yk_buf_text(&text, "because a queue is below its guarantee, for ");
        break;
    case YK_PREEMPTION_QUOTA:
        yk_buf_printf(&text, "because queue %s uses more than its maximum",
                      queue != NULL ? queue->path : entry->victim.queue_name);
        break;
    case YK_PREEMPTION_DAEMON:
        yk_buf_printf(&text, "because node %s is the only one that may be used by ", entry->node_id);
        break;
    case YK_PREEMPTION_GANG:
        yk_buf_text(&text, is_of_gang ? "because its gang is incomplete and gives way to "
                                      : "because its place is needed by ");
        break;
    }
    if (entry->preemptor.key != NULL)
        add_name(&text, &entry->preemptor);
    else if (entry->kind == YK_PREEMPTION_GANG)
        yk_buf_text(&text, "others");
    return yk_buf_take(&text);
}

static void note_one(struct yk_partition *partition, const struct yk_ask *victim,
                     enum yk_preemption_kind kind, const struct yk_ask *preemptor,
                     const struct yk_queue *queue)
{
    struct yk_preemption_log *log = partition->preemptions;
    struct yk_preemption *entry = &log->entries[log->total % YK_PREEMPTION_LOG_MAX];
    entry_done(entry);
    entry->wall_ns = yk_core_now(partition->core);
    entry->kind = kind;
    fill_side(&entry->victim, victim);
    if (preemptor != NULL)
        fill_side(&entry->preemptor, preemptor);
    entry->node_id = yk_strdup(victim->node != NULL ? victim->node->id : "");
    entry->message = sentence_of(entry, queue, (victim->flags & YK_ASK_PLACEHOLDER) != 0);
    log->total++;
    yk_timeline_preempted(victim, entry->message);
}

void yk_preemption_note(struct yk_partition *partition, struct yk_ask *const *victims, size_t count,
                        enum yk_preemption_kind kind, const struct yk_ask *preemptor, struct yk_queue *queue)
{
    if (partition->preemptions == NULL)
        partition->preemptions = yk_new0(struct yk_preemption_log);
    for (size_t i = 0; i < count; i++) {
        note_one(partition, victims[i], kind, preemptor, queue);
        struct yk_queue *by = preemptor != NULL ? yk_ask_app(preemptor)->leaf : queue;
        struct yk_queue *from = yk_ask_app(victims[i])->leaf;
        if (by == NULL)
            by = from;
        by->preempted_for[kind]++;
        if (from != NULL)
            from->evicted[kind]++;
    }
    struct yk_metrics *metrics = &partition->core->metrics;
    yk_size_histogram_observe(&metrics->victims[kind], count);
    /* reservation/preempt.c counts attempts for guarantees, also those that fail. */
    metrics->preemption_attempts[kind] += kind != YK_PREEMPTION_GUARANTEE;
}

uint64_t yk_preemption_kept(const struct yk_partition *partition)
{
    const struct yk_preemption_log *log = partition->preemptions;
    return log == NULL ? 0 : YK_MIN(log->total, (uint64_t)YK_PREEMPTION_LOG_MAX);
}

const struct yk_preemption *yk_preemption_at(const struct yk_partition *partition, uint64_t age)
{
    const struct yk_preemption_log *log = partition->preemptions;
    if (age >= yk_preemption_kept(partition))
        return NULL;
    return &log->entries[(log->total - 1 - age) % YK_PREEMPTION_LOG_MAX];
}
