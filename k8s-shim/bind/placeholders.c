/* SPDX-License-Identifier: Apache-2.0 */
#include "bind/placeholders.h"

#include "base/log.h"

#define RETRY_FIRST_NS YK_NS_PER_S
#define RETRY_MAX_NS   (30 * YK_NS_PER_S)
#define REMAKE_NS      (10 * YK_NS_PER_S)

struct order {             /* a placeholder to create; freed after the final answer */
    struct yk_timer timer; /* first member */
    struct yk_list link;   /* in placeholders->waiting while the timer runs */
    struct yk_placeholders *placeholders;
    struct yk_op *op;     /* owned; the request to repeat when the timer fires; NULL: it is in flight */
    char *application_id; /* owned */
    uint64_t gang;        /* number of the gang */
    size_t group;         /* index of the task group */
    unsigned tries;       /* requests that failed temporarily */
};

static void remake_due(struct yk_timer *timer)
{
    yk_apps_remake_placeholders(YK_CONTAINER(timer, struct yk_placeholders, again)->apps);
}

void yk_placeholders_init(struct yk_placeholders *placeholders, struct yk_api_server *api,
                          struct yk_timers *timers, struct yk_apps *apps)
{
    *placeholders = (struct yk_placeholders){.api = api, .timers = timers, .apps = apps};
    yk_list_init(&placeholders->waiting);
    placeholders->again.fire = remake_due;
}

static void order_free(struct order *order)
{
    struct yk_placeholders *placeholders = order->placeholders;
    yk_timer_cancel(placeholders->timers, &order->timer);
    if (yk_list_linked(&order->link))
        yk_list_remove(&order->link);
    placeholders->in_flight--;
    yk_op_free(order->op);
    free(order->application_id);
    free(order);
}

static void settle(struct order *order, enum yk_placeholder_answer answer)
{
    struct yk_placeholders *placeholders = order->placeholders;
    placeholders->made += answer != YK_PLACEHOLDER_REFUSED;
    placeholders->refused += answer == YK_PLACEHOLDER_REFUSED;
    yk_apps_placeholder_answered(placeholders->apps, order->application_id, order->gang, order->group,
                                 answer);
    order_free(order);
}

static bool is_there(const struct order *order, const struct yk_op *op)
{
    return yk_cache_find_pod(order->placeholders->apps->cache, yk_str_from(op->namespace_),
                             yk_str_from(op->name)) != NULL;
}

static bool may_pass(const struct yk_op *op)
{
    return op->result == YK_OP_RETRY || op->result == YK_OP_CONFLICT || op->result == YK_OP_UNAUTHORIZED;
}

static void answered(struct yk_op *op);

static void send(struct order *order, struct yk_op *op)
{
    op->done = answered;
    op->context = order;
    yk_api_submit(order->placeholders->api, op);
}

static void again_due(struct yk_timer *timer)
{
    struct order *order = (struct order *)(void *)timer;
    struct yk_op *op = yk_move(order->op);
    yk_list_remove(&order->link);
    bool wanted = yk_apps_gang_reserves(order->placeholders->apps, order->application_id, order->gang);
    if (wanted && !is_there(order, op)) {
        yk_op_forget_answer(op);
        send(order, op);
        return;
    }
    yk_op_free(op);
    settle(order, YK_PLACEHOLDER_WAS_THERE);
}

static void try_again_later(struct order *order, struct yk_op *op)
{
    struct yk_placeholders *placeholders = order->placeholders;
    int64_t delay_ns = order->tries > 5 ? RETRY_MAX_NS : RETRY_FIRST_NS << (order->tries - 1);
    order->op = op;
    yk_list_append(&placeholders->waiting, &order->link);
    yk_timer_arm(placeholders->timers, &order->timer, YK_MAX(delay_ns, op->retry_after_ns));
}

static void answered(struct yk_op *op)
{
    struct order *order = op->context;
    struct yk_placeholders *placeholders = order->placeholders;
    bool stopping = placeholders->stopping || op->result == YK_OP_CANCELLED;
    if (!stopping && may_pass(op) && !is_there(order, op) && ++order->tries < YK_PLACEHOLDER_TRIES_MAX) {
        try_again_later(order, op);
        return;
    }
    enum yk_placeholder_answer answer = op->result == YK_OP_OK ? YK_PLACEHOLDER_MADE
                                        : is_there(order, op)  ? YK_PLACEHOLDER_WAS_THERE
                                                               : YK_PLACEHOLDER_REFUSED;
    if (answer == YK_PLACEHOLDER_REFUSED && !stopping &&
        !yk_apps_note_placeholder_refusal(placeholders->apps, order->application_id, order->gang))
        yk_warn(yk_log_shim_app, "placeholder could not be made",
                KV("app", (const char *)order->application_id), KV("namespace", op->namespace_),
                KV("pod", op->name), KV("status", op->http_status), KV("err", yk_op_reason(op)));
    yk_op_free(op);
    if (stopping)
        order_free(order);
    else
        settle(order, answer);
}

static bool make_next(struct yk_placeholders *placeholders)
{
    struct yk_placeholder_order next;
    YK_CLEANUP(yk_buf_done) struct yk_buf body = {.max = YK_OP_BODY_MAX};
    if (!yk_apps_next_placeholder(placeholders->apps, &next, &body))
        return false;
    struct order *order = yk_new0(struct order);
    order->timer.fire = again_due;
    yk_list_init(&order->link);
    order->placeholders = placeholders;
    order->application_id = yk_strdup(next.application_id);
    order->gang = next.gang;
    order->group = next.group;
    struct yk_op *op =
        yk_op_new(YK_OP_CREATE_POD, &(struct yk_op_target){.namespace_ = yk_str_from(next.namespace_),
                                                           .name = yk_str_from(next.name)});
    op->body = body;
    body = (struct yk_buf){.p = NULL};
    placeholders->in_flight++;
    send(order, op);
    return true;
}

void yk_placeholders_run(struct yk_placeholders *placeholders)
{
    struct yk_apps *apps = placeholders->apps;
    if (placeholders->stopping)
        return;
    while (!yk_list_empty(&apps->making) && placeholders->in_flight < YK_PLACEHOLDERS_IN_FLIGHT_MAX &&
           make_next(placeholders))
        continue;
    if (!yk_list_empty(&apps->incomplete) && !yk_timer_armed(&placeholders->again))
        yk_timer_arm(placeholders->timers, &placeholders->again, REMAKE_NS);
}

void yk_placeholders_detach(struct yk_placeholders *placeholders)
{
    placeholders->in_flight = 0;
    for (const struct yk_list *at = placeholders->waiting.next; at != &placeholders->waiting; at = at->next)
        placeholders->in_flight++;
}

void yk_placeholders_stop(struct yk_placeholders *placeholders)
{
    placeholders->stopping = true;
    yk_timer_cancel(placeholders->timers, &placeholders->again);
    while (!yk_list_empty(&placeholders->waiting))
        order_free(yk_list_first(&placeholders->waiting, struct order, link));
}
