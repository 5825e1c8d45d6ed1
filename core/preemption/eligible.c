/* SPDX-License-Identifier: Apache-2.0 */
#include "preemption/eligible.h"

#include "objects/app.h"

bool yk_victim_eligible(const struct yk_ask *victim, const struct yk_resvec *wanted)
{
    const uint32_t out = YK_ASK_FOREIGN | YK_ASK_RELEASED | YK_ASK_PREEMPTED | YK_ASK_REPLACING;
    return victim->node != NULL && (victim->flags & out) == 0 && yk_ask_peer(victim) == NULL &&
           victim->group->required_node == NULL && yk_resvec_match_any(yk_ask_size(victim), wanted);
}

int yk_victim_compare_age(const struct yk_ask *a, const struct yk_ask *b)
{
    if (a->create_wall_ns != b->create_wall_ns)
        return a->create_wall_ns > b->create_wall_ns ? -1 : 1;
    int order = strcmp(a->key, b->key);
    return order != 0 ? order : (a->sequence > b->sequence) - (a->sequence < b->sequence);
}

/* Only gangs that run count: the placeholders of an incomplete gang do no work. */
static bool is_gang_member(const struct yk_ask *victim)
{
    return victim->group->task_group != NULL && yk_ask_app(victim)->state == YK_APP_RUNNING;
}

uint32_t yk_victim_rank(const struct yk_victim_ranking *ranking, const struct yk_ask *victim)
{
    bool is_protected = ranking->callbacks->is_protected != NULL &&
                        ranking->callbacks->is_protected(ranking->rm, victim->cookie);
    return (is_gang_member(victim) ? YK_VICTIM_GANG_MEMBER : 0) |
           ((victim->flags & YK_ASK_ORIGINATOR) != 0 ? YK_VICTIM_ORIGINATOR : 0) |
           ((victim->flags & YK_ASK_PREEMPT_SELF) == 0 ? YK_VICTIM_OPTED_OUT : 0) |
           (is_protected ? YK_VICTIM_PROTECTED : 0);
}

uint32_t yk_victim_rank_with(const struct yk_victim_ranking *ranking, const struct yk_ask *victim,
                             uint32_t rank, const struct yk_vec *taken, struct yk_vec *scratch)
{
    const struct yk_si_callbacks *callbacks = ranking->callbacks;
    const struct yk_ask *other;
    if ((rank & YK_VICTIM_PROTECTED) != 0 || taken->count == 0 || callbacks->is_protected_with == NULL)
        return rank;
    yk_vec_clear(scratch);
    yk_vec_foreach (other, taken)
        yk_vec_append(scratch, other->cookie);
    bool is_protected =
        callbacks->is_protected_with(ranking->rm, victim->cookie, scratch->items, scratch->count);
    return is_protected ? rank | YK_VICTIM_PROTECTED : rank;
}
