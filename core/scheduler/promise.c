/* SPDX-License-Identifier: Apache-2.0 */
#include "scheduler/promise.h"

#include "base/log.h"
#include "scheduler/parking.h"
#include "scheduler/preempt.h"
#include "scheduler/reserved.h"

struct yk_promise {
    struct yk_ask *ask; /* NULL: nobody any more, its victims still end */
    size_t victims;     /* that have not ended */
};

void yk_promise_make(struct yk_ask *ask, struct yk_ask *const *victims, size_t count)
{
    struct yk_promise *promise = yk_new0(struct yk_promise);
    promise->ask = ask;
    promise->victims = count;
    ask->promise = promise;
    ask->flags |= YK_ASK_PREEMPTION_TRIGGERED;
    yk_queue_add_promised(ask->app->leaf, yk_ask_size(ask));
    for (size_t i = 0; i < count; i++)
        victims[i]->promise = promise;
}

static void free_if_done(struct yk_promise *promise)
{
    if (promise->ask == NULL && promise->victims == 0)
        free(promise);
}

/* The ask has it no more. */
static struct yk_promise *take_from(struct yk_ask *ask)
{
    struct yk_promise *promise = yk_move(ask->promise);
    ask->flags &= ~(uint32_t)YK_ASK_PREEMPTION_TRIGGERED;
    yk_queue_sub_promised(ask->app->leaf, yk_ask_size(ask));
    promise->ask = NULL;
    return promise;
}

/* Of an allocation it is somebody else's: for whom it ends. */
static bool has_promise(const struct yk_ask *ask)
{
    return ask->promise != NULL && yk_ask_is_pending(ask);
}

void yk_promise_end(struct yk_ask *ask)
{
    if (!has_promise(ask))
        return;
    free_if_done(take_from(ask));
    yk_unreserve(ask->app->partition, ask);
    yk_wake_for_room(ask->app->leaf);
}

void yk_promise_break(struct yk_ask *ask)
{
    if (!has_promise(ask))
        return;
    yk_promise_end(ask);
    yk_preempt_again(ask->group);
}

static void end_all_of(struct yk_group *group)
{
    struct yk_ask *ask;
    group->preempt_passed = NULL;
    yk_tree_foreach (ask, &group->asks, struct yk_ask, in_group)
        yk_promise_end(ask);
}

void yk_promises_end(struct yk_app *app)
{
    struct yk_group *group;
    yk_tree_foreach (group, &app->pending_groups, struct yk_group, in_pending)
        end_all_of(group);
}

void yk_promise_pass_on(struct yk_ask *ask)
{
    struct yk_partition *partition = ask->app->partition;
    if (!has_promise(ask) || ask->reservation == NULL)
        return;
    struct yk_ask *heir = yk_preempt_candidate(ask->group);
    if (heir == NULL)
        return;
    struct yk_node *node = ask->reservation->node;
    struct yk_promise *promise = take_from(ask);
    yk_unreserve(partition, ask);
    if (!yk_reserve(partition, heir, node, YK_RESERVE_PREEMPTION)) {
        free_if_done(promise);
        yk_wake_for_room(ask->app->leaf);
        return;
    }
    promise->ask = heir;
    heir->promise = promise;
    heir->flags |= YK_ASK_PREEMPTION_TRIGGERED;
    yk_queue_add_promised(heir->app->leaf, yk_ask_size(heir));
}

void yk_promise_victim_ended(struct yk_partition *partition, struct yk_promise *promise)
{
    if (promise == NULL)
        return;
    struct yk_ask *ask = promise->ask;
    promise->victims--;
    if (ask == NULL) {
        free_if_done(promise);
        return;
    }
    if (ask->reservation != NULL)
        yk_reserved_note(partition, ask->reservation); /* more room in its queues, too */
    if (promise->victims > 0)
        return;
    if (ask->reservation != NULL && yk_node_has_room(ask->reservation->node, yk_ask_size(ask)) &&
        yk_promise_has_room(ask, NULL))
        return; /* the cycle starts it */
    yk_info(yk_log_alloc, "victims have ended and the ask does not fit", KV("partition", partition->name),
            KV("app", ask->app->id), KV("ask", ask->key));
    yk_promise_break(ask);
}

bool yk_promise_has_room(const struct yk_ask *ask, struct yk_queue **ret_refusing)
{
    const struct yk_resvec *size = yk_ask_size(ask);
    return yk_queue_has_room_for(ask->app->leaf, size, has_promise(ask) ? size : NULL, ret_refusing);
}
