/* SPDX-License-Identifier: Apache-2.0 */
#include "preemption/plan.h"

enum {
    BATCH = 10,        /* nodes that would do, of which the best one is taken */
    BATCHES_MAX = 100, /* more batches follow, up to this number, while the rank of each node is above 0 */
};

void yk_planner_done(struct yk_planner *planner)
{
    yk_scope_done(&planner->scope);
    yk_dry_run_done(&planner->trial.run);
    yk_resvec_done(&planner->trial.lacking);
    yk_node_chooser_done(&planner->chooser);
    for (size_t i = 0; i < YK_VICTIM_INDEXES; i++)
        yk_victim_index_done(&planner->victim_indexes[i]);
    yk_vec_done(&planner->looked_at);
    yk_vec_done(&planner->later);
    yk_vec_done(&planner->victims);
}

uint64_t yk_plan_key(const struct yk_ask *ask)
{
    const char *path = yk_ask_app(ask)->leaf->path;
    uint64_t key = yk_hash(path, strlen(path));
    key = yk_hash_u64(key ^ ask->group->shape->hash);
    return yk_hash_u64(key + (uint32_t)ask->group->priority);
}

static struct yk_victim_index *victim_index_for(struct yk_planner *planner, uint64_t key)
{
    struct yk_victim_index *oldest = &planner->victim_indexes[0];
    for (size_t i = 0; i < YK_VICTIM_INDEXES; i++) {
        struct yk_victim_index *victim_index = &planner->victim_indexes[i];
        if (victim_index->key == key && victim_index->last_use != 0) {
            victim_index->last_use = ++planner->uses;
            return victim_index;
        }
        if (victim_index->last_use < oldest->last_use)
            oldest = victim_index;
    }
    yk_victim_index_reset(oldest, key);
    oldest->last_use = ++planner->uses;
    return oldest;
}

/* ---- the node ---- */

struct found {
    struct yk_node *node;
    uint64_t score; /* upper 32 bits: rank of the victims; lower 32 bits: their number; lower is better */
    double amount;  /* compares equal scores: amounts of the victims, in sizes of the ask; lower is better */
};

static double amount_of(const struct yk_trial *trial)
{
    double amount = 0;
    yk_resvec_foreach(t, trial->wanted)
    {
        if (yk_resvec_get(trial->wanted, t) > 0)
            amount += (double)yk_resvec_get(&trial->run.booked, t) / (double)yk_resvec_get(trial->wanted, t);
    }
    return amount;
}

static bool is_better(const struct found *a, const struct found *b)
{
    if (b->node == NULL || a->score != b->score)
        return b->node == NULL || a->score < b->score;
    return a->amount < b->amount;
}

static void look_at(struct yk_planner *planner, struct yk_victim_index *victim_index,
                    const struct yk_ask *ask, struct yk_node *node, struct found *best)
{
    uint32_t rank;
    if (!yk_node_choose(&planner->chooser, &planner->trial, ask, node, &rank)) {
        yk_victim_index_put_aside(victim_index, node);
        return;
    }
    uint32_t count = (uint32_t)planner->trial.run.asks.count;
    const struct found found = {node, (uint64_t)rank << 32 | count, amount_of(&planner->trial)};
    yk_dry_run_undo(&planner->trial.run, 0);
    victim_index->least[node->index] = count;
    yk_vec_append(&planner->looked_at, node);
    if (is_better(&found, best))
        *best = found;
}

/* The best node; NULL: there is none. Looks at nodes with the smallest lower bounds of victims first, in
 * batches, until a batch has a node whose victims all have rank 0. */
static struct yk_node *find_node(struct yk_planner *planner, struct yk_victim_index *victim_index,
                                 const struct yk_plan_view *view, const struct yk_ask *ask)
{
    struct found best = {0};
    struct yk_node *node;
    yk_vec_clear(&planner->looked_at);
    for (size_t batch = 1; batch <= BATCHES_MAX; batch++) {
        while (planner->looked_at.count < batch * BATCH &&
               (node = yk_victim_index_take(victim_index, view)) != NULL) {
            /* The end of a reservation counts as a change of the node, and then the index has it again. */
            if (view->is_free(view->context, node, ask))
                look_at(planner, victim_index, ask, node, &best);
            else
                yk_victim_index_keep(victim_index, node);
        }
        if (best.node == NULL || best.score >> 32 == 0)
            break;
    }
    yk_vec_foreach (node, &planner->looked_at)
        yk_victim_index_put(victim_index, view, node, victim_index->least[node->index]);
    return best.node;
}

/* ---- the queues ---- */

static bool reduces(const struct yk_resvec *lack, const struct yk_ask *victim)
{
    yk_resvec_foreach_common(t, lack, yk_ask_size(victim))
    {
        if (yk_resvec_get(yk_ask_size(victim), t) > 0)
            return true;
    }
    return false;
}

static bool suits_queues(const struct yk_trial *trial)
{
    YK_RESVEC(lack);
    return !yk_trial_lacks(trial, trial->scope->leaf, &lack);
}

/* A victim that was refused: others of the same leaf and shape would be refused, too. */
struct refused {
    const struct yk_queue *leaf;
    const struct yk_shape *shape;
};

enum { REFUSED_MAX = 8 };

/* The search for more victims, for the headroom of the queues. */
struct more {
    struct yk_planner *planner;
    const struct yk_plan_view *view;
    const struct yk_ask *ask;
    struct refused refused[REFUSED_MAX]; /* a ring: refused since the last victim was taken */
    /* how many were refused since then, also those no longer in the ring */
    size_t refused_count;
};

static bool is_refused(const struct more *more, const struct yk_ask *victim)
{
    const struct yk_queue *leaf = yk_ask_app(victim)->leaf;
    for (size_t i = 0; i < YK_MIN(more->refused_count, (size_t)REFUSED_MAX); i++) {
        if (more->refused[i].shape == victim->group->shape && more->refused[i].leaf == leaf)
            return true;
    }
    return false;
}

static void refuse(struct more *more, const struct yk_ask *victim)
{
    more->refused[more->refused_count++ % REFUSED_MAX] =
        (struct refused){yk_ask_app(victim)->leaf, victim->group->shape};
}

/* Takes the victim if it is eligible and has a type that is lacking in queues above both the victim and the
 * ask, or in the guarantee of the ask's leaf. */
static bool take_more(struct more *more, struct yk_ask *victim)
{
    struct yk_trial *trial = &more->planner->trial;
    YK_RESVEC(lack);
    if (is_refused(more, victim) || !yk_victim_eligible(victim, yk_ask_size(more->ask)) ||
        yk_vec_find(&trial->run.asks, victim) != SIZE_MAX)
        return false;
    const struct yk_queue *meet = yk_scope_meet(&more->planner->scope, yk_ask_app(victim)->leaf);
    if (yk_trial_lacks(trial, meet, &lack) && reduces(&lack, victim) && yk_trial_take(trial, victim)) {
        more->refused_count = 0;
        return true;
    }
    /* With a minimum runtime, an older allocation of the same leaf and shape may be a victim. */
    if (yk_ask_app(victim)->leaf->settings.preemption_min_runtime_ns == 0)
        refuse(more, victim);
    return false;
}

/* Whether the candidate shares a disruption budget with victims that are taken, so that it is tried after all
 * others. */
static bool goes_later(struct more *more, const struct yk_candidate *candidate)
{
    struct yk_planner *planner = more->planner;
    return yk_victim_rank_with(&more->view->ranking, candidate->ask, candidate->rank,
                               &planner->trial.run.asks, &planner->chooser.taken) != candidate->rank;
}

static bool take_until_suited(struct more *more, struct yk_all_candidates *candidates)
{
    struct yk_planner *planner = more->planner;
    const struct yk_candidate *candidate;
    struct yk_ask *victim;
    yk_vec_clear(&planner->later);
    while ((candidate = yk_all_candidates_next(candidates)) != NULL) {
        if (goes_later(more, candidate))
            yk_vec_append(&planner->later, candidate->ask);
        else if (take_more(more, candidate->ask) && suits_queues(&planner->trial))
            return true;
    }
    yk_vec_foreach (victim, &planner->later) {
        if (take_more(more, victim) && suits_queues(&planner->trial))
            return true;
    }
    return false;
}

/* Takes more victims, on any node, until queues and guarantees lack nothing (step 8); those that were found
 * stay taken if there are not enough. YK_PLAN_FOUND: nothing is lacking. */
static enum yk_plan satisfy_queues(struct yk_planner *planner, struct yk_victim_index *victim_index,
                                   const struct yk_plan_view *view, const struct yk_ask *ask, uint32_t *work)
{
    struct more more = {.planner = planner, .view = view, .ask = ask};
    if (suits_queues(&planner->trial))
        return YK_PLAN_FOUND;
    if (!yk_all_candidates_update(&victim_index->candidates, view, &planner->scope, ask, work))
        return YK_PLAN_UNFINISHED;
    bool suits = take_until_suited(&more, &victim_index->candidates);
    yk_all_candidates_end(&victim_index->candidates);
    if (suits)
        return YK_PLAN_FOUND;
    return planner->trial.run.asks.count > 0 ? YK_PLAN_SHORT : YK_PLAN_GUARANTEES;
}

/* Gives back the victims that are not needed because the other victims are enough. The victim that was chosen
 * last is tried first. */
static void leave_out(struct yk_planner *planner, const struct yk_ask *ask, const struct yk_node *node)
{
    struct yk_trial *trial = &planner->trial;
    for (size_t i = trial->run.asks.count; i-- > 0;) {
        const struct yk_dry_step step = yk_dry_run_remove(&trial->run, i);
        bool suits =
            suits_queues(trial) && (step.node != node || yk_node_suits(&planner->chooser, trial, ask, node));
        if (!suits)
            yk_dry_run_insert(&trial->run, i, &step);
    }
}

static void keep(struct yk_planner *planner, struct yk_node *node)
{
    struct yk_ask *victim;
    planner->node = node;
    yk_vec_clear(&planner->victims);
    yk_vec_foreach (victim, &planner->trial.run.asks)
        yk_vec_append(&planner->victims, victim);
}

static enum yk_plan plan_on(struct yk_planner *planner, struct yk_victim_index *victim_index,
                            const struct yk_plan_view *view, const struct yk_ask *ask, struct yk_node *node,
                            uint32_t *work)
{
    uint32_t rank;
    if (!YK_ASSERT(yk_node_choose(&planner->chooser, &planner->trial, ask, node, &rank)))
        return YK_PLAN_NO_HELP;
    enum yk_plan plan = satisfy_queues(planner, victim_index, view, ask, work);
    if (plan != YK_PLAN_FOUND)
        return plan;
    leave_out(planner, ask, node);
    if (planner->trial.run.asks.count == 0 && !view->displaces(view->context, node, ask))
        return YK_PLAN_NO_HELP; /* allocations that end already make it fit, so there is nothing to do */
    keep(planner, node);
    return YK_PLAN_FOUND;
}

/* ---- the plan ---- */

/* Whether the guarantees may cover the ask, whichever victims end: something of its size is guaranteed, and
 * what its leaf guarantees itself is not exceeded (step 5). */
static bool may_be_guaranteed(const struct yk_scope *scope, const struct yk_resvec *size)
{
    const struct yk_queue *leaf = scope->leaf;
    YK_RESVEC(left);
    bool shares = false;
    if (!yk_guarantee_left(scope, leaf, &left))
        return false;
    yk_resvec_foreach_common(t, &left, size)
    {
        bool own = leaf->has_guaranteed && yk_resvec_has(&leaf->guaranteed, t);
        shares |= yk_resvec_get(size, t) > 0;
        if (own && yk_resvec_get(size, t) > yk_resvec_get(&left, t))
            return false;
    }
    return shares;
}

/* Brings up to date what a plan needs: the index, and the candidates on all nodes if an earlier call began to
 * update them. False: the update needs more than `*work`. */
static bool is_ready(struct yk_planner *planner, struct yk_victim_index *victim_index,
                     const struct yk_plan_view *view, const struct yk_ask *ask, uint32_t *work)
{
    struct yk_all_candidates *candidates = &victim_index->candidates;
    return yk_victim_index_update(victim_index, view, &planner->scope, ask, work) &&
           (!yk_all_candidates_is_updating(candidates) ||
            yk_all_candidates_update(candidates, view, &planner->scope, ask, work));
}

enum yk_plan yk_plan_make(struct yk_planner *planner, const struct yk_plan_view *view, struct yk_ask *ask)
{
    uint32_t work = view->work_max;
    const struct yk_resvec *size = yk_ask_size(ask);
    planner->trial.victim_limits.wait_ns = YK_VICTIM_LIMITS_NONE_REFUSED;
    bool has_scope = yk_scope_set(&planner->scope, yk_ask_app(ask)->leaf, size, ask->group->priority);
    if (!may_be_guaranteed(&planner->scope, size))
        return YK_PLAN_GUARANTEES;
    if (!has_scope)
        return YK_PLAN_NO_HELP;
    struct yk_victim_index *victim_index =
        victim_index_for(planner, yk_hash_u64(yk_plan_key(ask) + planner->scope.fence_depth));
    planner->chooser.ranking = view->ranking;
    if (!is_ready(planner, victim_index, view, ask, &work))
        return YK_PLAN_UNFINISHED;
    const struct yk_victim_limits victim_limits = {view->now_wall_ns, view->now_mono_ns,
                                                   YK_VICTIM_LIMITS_NONE_REFUSED};
    yk_trial_begin(&planner->trial, &planner->scope, size, &victim_limits);
    struct yk_node *node = find_node(planner, victim_index, view, ask);
    if (node == NULL)
        return victim_index->kept > 0 ? YK_PLAN_KEPT : YK_PLAN_NO_HELP;
    enum yk_plan plan = plan_on(planner, victim_index, view, ask, node, &work);
    yk_dry_run_undo(&planner->trial.run, 0);
    return plan;
}
