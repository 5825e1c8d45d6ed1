/* SPDX-License-Identifier: Apache-2.0 */
#include "preemption/trial.h"

void yk_trial_begin(struct yk_trial *trial, const struct yk_scope *scope, const struct yk_resvec *wanted,
                    const struct yk_victim_limits *victim_limits)
{
    trial->scope = scope;
    trial->wanted = wanted;
    trial->victim_limits = *victim_limits;
    trial->run.now_mono_ns = victim_limits->now_mono_ns;
    trial->run.leaf = scope->leaf;
    yk_resvec_clear(&trial->run.booked);
    yk_resvec_clear(&trial->lacking);
}

static struct yk_exchange exchange_of(const struct yk_trial *trial)
{
    return (struct yk_exchange){trial->scope, trial->wanted, &trial->run.booked, &trial->run.asks};
}

void yk_trial_set_lacking(struct yk_trial *trial, const struct yk_resvec *node_lack)
{
    const struct yk_exchange exchange = exchange_of(trial);
    (void)yk_trial_lacks(trial, trial->scope->leaf, &trial->lacking); /* `lacking` may be empty */
    yk_resvec_max(&trial->lacking, node_lack);
    trial->is_plain = yk_exchange_serves_leaf(&exchange);
}

/* Whether the amounts of lacking types in `size` fit into what remains of the guarantee of the ask's leaf.
 * The ask claims no other types of a victim. */
static bool fits_guarantee(const struct yk_trial *trial, const struct yk_resvec *size)
{
    YK_RESVEC(left);
    if (!yk_guarantee_left(trial->scope, trial->scope->leaf, &left))
        return false;
    yk_resvec_foreach_common(t, &left, size)
    {
        if (yk_resvec_has(&trial->lacking, t) && yk_resvec_get(size, t) > 0 &&
            yk_resvec_get(size, t) > yk_resvec_get(&left, t))
            return false;
    }
    return true;
}

static bool lowers_need(struct yk_trial *trial, const struct yk_ask *victim)
{
    const struct yk_exchange exchange = exchange_of(trial);
    if (trial->is_plain && yk_exchange_is_free(victim))
        return true;
    trial->is_plain = false;
    return yk_exchange_lowers_need(&exchange);
}

/* Like fits_guarantee() for the size of the victim, as if the victim had ended: this changes what the queues
 * above both the victim and the ask use. */
static bool fits_guarantee_without(const struct yk_trial *trial, const struct yk_ask *victim)
{
    const struct yk_queue *meet = yk_scope_meet(trial->scope, yk_ask_app(victim)->leaf);
    struct yk_queue *above_both = trial->scope->path[meet->depth];
    yk_queue_add_preempting(above_both, yk_ask_size(victim));
    bool fits = fits_guarantee(trial, yk_ask_size(victim));
    yk_queue_sub_preempting(above_both, yk_ask_size(victim));
    return fits;
}

bool yk_trial_take(struct yk_trial *trial, struct yk_ask *victim)
{
    if (!yk_guarantee_spares(trial->scope, victim, &trial->lacking) ||
        !fits_guarantee_without(trial, victim) || !yk_victim_limits_check(&trial->victim_limits, victim))
        return false;
    yk_dry_run_add(&trial->run, YK_DRY_VICTIM, victim, victim->node);
    if (lowers_need(trial, victim))
        return true;
    yk_dry_run_undo(&trial->run, trial->run.asks.count - 1);
    return false;
}

bool yk_trial_lacks(const struct yk_trial *trial, const struct yk_queue *queue, struct yk_resvec *ret_lack)
{
    const struct yk_scope *scope = trial->scope;
    YK_RESVEC(here);
    /* The queues count `booked`, the sizes of the victims, for the ask; its own size takes the place of
     * `booked`. */
    yk_guarantee_lacks(scope, trial->wanted, &trial->run.booked, ret_lack);
    for (; queue != NULL; queue = queue->parent) {
        if (yk_queue_lacks(queue, trial->wanted, &trial->run.booked, &here))
            yk_resvec_max(ret_lack, &here);
    }
    return !yk_resvec_is_empty(ret_lack);
}
