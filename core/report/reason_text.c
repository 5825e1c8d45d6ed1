/* SPDX-License-Identifier: Apache-2.0 */
#include "report/reason.h"

#include "objects/reservation.h"
#include "report/preemption_log.h"
#include "report/refusal.h"
#include "report/rm_calls.h"
#include "resources/amount_text.h"
#include "state/core.h"

/* Maximum number of children, applications or allocations that one part of a sentence looks at. */
enum { HOLDERS_LOOKED_AT = 64 };

/* ---- limits ---- */

/* Whether one of the amounts in the sentence is the largest that an ask may have: more than that counts as
 * that (docs/reference/kubernetes.md, P16). */
static bool has_most(const struct yk_resvec *size, const struct yk_resvec *only)
{
    for (int t = yk_resvec_next(size, 0); t < YK_RESTYPE_MAX; t = yk_resvec_next(size, t + 1)) {
        if (yk_resvec_get(size, t) >= YK_SI_AMOUNT_MAX && (only == NULL || yk_resvec_has(only, t)))
            return true;
    }
    return false;
}

/* "needs 20 cores and 8 Gi": the types in `only`; NULL: all but the number of pods. */
static void add_need(struct yk_buf *text, const struct yk_resvec *size, const struct yk_resvec *only)
{
    yk_buf_text(text, "needs ");
    yk_amounts_text(text, size, only);
    if (has_most(size, only))
        yk_buf_text(text, " or more");
}

/* "queue root.a", "user bob", "group dev". */
static void add_owner(struct yk_buf *text, const struct yk_why *why)
{
    if (why->usage == NULL)
        yk_buf_printf(text, "queue %s", why->queue->path);
    else
        yk_buf_printf(text, "%s %s", why->usage->tracker->is_group ? "group" : "user",
                      why->usage->tracker->name);
}

static void add_place(struct yk_buf *text, const struct yk_why *why)
{
    if (why->usage != NULL)
        yk_buf_printf(text, " in queue %s", why->queue->path);
}

/* "queue root.a has 4 of 40 cores free". Names the types in `only`. */
static void add_free(struct yk_buf *text, const struct yk_why *why, const struct yk_why_amounts *amounts,
                     const struct yk_resvec *only)
{
    bool first = true;
    add_owner(text, why);
    yk_buf_text(text, " has ");
    yk_resvec_foreach(t, only)
    {
        int64_t max = yk_resvec_get(&amounts->max, t);
        int64_t left = yk_i64_sub(max, yk_resvec_get(&amounts->used, t));
        yk_buf_text(text, first ? "" : " and ");
        yk_amount_text_of(text, t, YK_MAX(left, 0), max);
        first = false;
    }
    yk_buf_text(text, " free");
    add_place(text, why);
}

/* ---- the one that holds most ---- */

struct holder {
    const struct yk_queue *child;
    const struct yk_app *app;
    int64_t amount, excess; /* of one type: what it holds, and what of that is above its share */
};

static void consider(struct holder *holder, const struct yk_queue *child, const struct yk_app *app,
                     int64_t amount, int64_t share)
{
    int64_t excess = YK_MAX(yk_i64_sub(amount, share), (int64_t)0);
    bool is_more = excess > holder->excess || (excess == holder->excess && amount > holder->amount);
    if (is_more)
        *holder = (struct holder){.child = child, .app = app, .amount = amount, .excess = excess};
}

/* Finds the child that is furthest above its guarantee; if none is above, the one that holds most. */
static void consider_children(struct holder *holder, const struct yk_queue *queue, int type)
{
    const struct yk_queue *child;
    int looked_at = 0;
    yk_list_foreach (child, &queue->child_list, struct yk_queue, in_children) {
        int64_t share = child->has_guaranteed ? yk_resvec_get(&child->guaranteed, type) : 0;
        consider(holder, child, NULL, yk_resvec_get(&child->allocated, type), share);
        if (++looked_at == HOLDERS_LOOKED_AT)
            return;
    }
}

/* Finds the application that holds most, and what it has above an equal part of the maximum. */
static void consider_apps(struct holder *holder, const struct yk_queue *queue, int64_t max, int type)
{
    const struct yk_app *app;
    int looked_at = 0, holders = 0;
    yk_list_foreach (app, &queue->apps, struct yk_app, in_leaf) {
        int64_t amount = yk_resvec_get(&app->allocated, type);
        holders += amount > 0;
        consider(holder, NULL, app, amount, 0);
        if (++looked_at == HOLDERS_LOOKED_AT)
            break;
    }
    if (holders > 0)
        holder->excess = YK_MAX(yk_i64_sub(holder->amount, max / holders), (int64_t)0);
}

/* "; bob's application etl-7 holds 12 cores more than an equal share"; "holds 4 cores" if that is not above
 * its share. For a parent queue, names a child queue and compares it with its guarantee. */
static void add_holder(struct yk_buf *text, const struct yk_queue *queue, int64_t max, int type)
{
    struct holder holder = {0};
    if (yk_list_empty(&queue->child_list))
        consider_apps(&holder, queue, max, type);
    else
        consider_children(&holder, queue, type);
    if (holder.amount <= 0)
        return;
    if (holder.app != NULL)
        yk_buf_printf(text, "; %s's application %s holds ", holder.app->user, holder.app->id);
    else
        yk_buf_printf(text, "; queue %s holds ", holder.child->path);
    bool is_guaranteed = holder.child != NULL && holder.child->has_guaranteed;
    yk_amount_text(text, type, holder.excess > 0 ? holder.excess : holder.amount);
    if (holder.app != NULL && holder.excess > 0)
        yk_buf_text(text, " more than an equal share");
    else if (is_guaranteed)
        yk_buf_text(text, holder.excess > 0 ? " more than its guarantee" : ", not more than its guarantee");
}

/* "; dan's application devs holds 1.5 cores": among the other applications of the user or group in the leaf
 * of `app`, the one that holds most. "; its own application holds ..." if the others hold nothing. */
static void add_member(struct yk_buf *text, const struct yk_app *app, const struct yk_usage *usage, int type)
{
    bool is_group = usage->tracker->is_group;
    const struct yk_usage *entry = is_group ? app->limit.group : app->limit.user;
    struct holder holder = {0};
    int looked_at = 0;
    if (entry == NULL)
        return;
    for (const struct yk_list *link = entry->members.next; link != &entry->members; link = link->next) {
        const struct yk_app *member = is_group ? YK_CONTAINER(link, const struct yk_app, limit.in_group)
                                               : YK_CONTAINER(link, const struct yk_app, limit.in_user);
        if (member != app)
            consider(&holder, NULL, member, yk_resvec_get(&member->allocated, type), 0);
        if (++looked_at == HOLDERS_LOOKED_AT)
            break;
    }
    if (holder.app == NULL && yk_resvec_get(&app->allocated, type) <= 0)
        return;
    if (holder.app != NULL)
        yk_buf_printf(text, "; %s's application %s holds ", holder.app->user, holder.app->id);
    else
        yk_buf_text(text, "; its own application holds ");
    yk_amount_text(text, type, holder.app != NULL ? holder.amount : yk_resvec_get(&app->allocated, type));
}

/* ---- several limits ---- */

struct others {
    struct yk_buf *text;
    const struct yk_why *first;
    const struct yk_resvec *size;
};

static void add_other(void *context, const struct yk_why *why)
{
    const struct others *others = context;
    struct yk_why_amounts amounts = {0};
    bool is_first = why->queue == others->first->queue && why->usage == others->first->usage;
    if (is_first || !yk_why_amounts(why, others->size, &amounts))
        return;
    if (!yk_resvec_is_empty(&amounts.missing)) {
        yk_buf_text(others->text, "; also needs ");
        yk_amounts_text(others->text, others->size, &amounts.missing);
        yk_buf_text(others->text, ", ");
        add_free(others->text, why, &amounts, &amounts.missing);
    }
    yk_why_amounts_done(&amounts);
}

static void add_others(struct yk_buf *text, const struct yk_ask *ask, const struct yk_why *why)
{
    struct others others = {text, why, yk_ask_size(ask)};
    yk_why_each_limit(ask, add_other, &others);
}

/* Who holds what the limit `why` lacks of the type. */
static void add_holder_of(struct yk_buf *text, const struct yk_ask *ask, const struct yk_why *why,
                          const struct yk_why_amounts *amounts, int type)
{
    if (why->usage == NULL)
        add_holder(text, why->queue, yk_resvec_get(&amounts->max, type), type);
    else
        add_member(text, yk_ask_app(ask), why->usage, type);
}

/* ---- sentences, one function per reason ---- */

static void say_quota(const struct yk_ask *ask, const struct yk_why *why, struct yk_buf *text)
{
    struct yk_why_amounts amounts = {0};
    if (!yk_why_amounts(why, yk_ask_size(ask), &amounts))
        return;
    const struct yk_resvec *types = yk_resvec_is_empty(&amounts.missing) ? &amounts.max : &amounts.missing;
    add_need(text, yk_ask_size(ask), types);
    yk_buf_text(text, ", ");
    add_free(text, why, &amounts, types);
    int type = yk_resvec_next(types, 0);
    if (why->is_held)
        yk_buf_text(text, ", which is kept for a pod that comes first");
    else if (why->is_shared)
        yk_buf_text(text, ", which pods that come first need");
    if (type < YK_RESTYPE_MAX)
        add_holder_of(text, ask, why, &amounts, type);
    if (why->usage == NULL && why->queue->state == YK_STATE_DRAINING)
        yk_buf_text(text, "; the queue is no longer in the configuration");
    yk_why_amounts_done(&amounts);
    if (!why->is_shared && !why->is_listed)
        add_others(text, ask, why);
}

/* "needs 2 cores, queue root.full may have 1 core in all". `amounts`: those of the limit `why`, for
 * `size`. */
static void add_exceeded(struct yk_buf *text, const struct yk_resvec *size, const struct yk_why *why,
                         const struct yk_why_amounts *amounts)
{
    YK_RESVEC(above);
    yk_resvec_foreach(t, &amounts->max)
    {
        if (yk_resvec_get(size, t) > yk_resvec_get(&amounts->max, t))
            yk_resvec_put(&above, t, yk_resvec_get(&amounts->max, t));
    }
    add_need(text, size, &above);
    yk_buf_text(text, ", ");
    add_owner(text, why);
    yk_buf_text(text, " may have ");
    if (yk_resvec_is_zero(&above))
        yk_buf_text(text, "none");
    else
        yk_amounts_text(text, &amounts->max, &above);
    yk_buf_text(text, " in all");
    add_place(text, why);
}

/* "needs 7 cores, the nodes offer 6 cores"; "needs 7 cores and 70 Mi" if all nodes together offer as much. */
static void add_more_than_nodes(struct yk_buf *text, const struct yk_gang *gang)
{
    const struct yk_resvec *offered = &gang->app->partition->root->max;
    YK_RESVEC(above);
    yk_resvec_foreach(t, &gang->total)
    {
        if (yk_resvec_get(&gang->total, t) > YK_MAX(yk_resvec_get(offered, t), 0))
            yk_resvec_put(&above, t, YK_MAX(yk_resvec_get(offered, t), 0));
    }
    add_need(text, &gang->total, yk_resvec_is_empty(&above) ? NULL : &above);
    if (yk_resvec_is_empty(&above))
        return;
    yk_buf_text(text, ", the nodes offer ");
    if (yk_resvec_is_zero(&above))
        yk_buf_text(text, "none");
    else
        yk_amounts_text(text, offered, &above);
}

/* "; after its timeout of 15 min its pods are scheduled without it"; of a gang that may start: "; if the gang
 * is not complete within its timeout of 15 min, the application fails". Nothing if the timeout is not running. The
 * time that is left is not named, because it changes. */
static void add_timeout(struct yk_buf *text, const struct yk_gang *gang)
{
    int64_t seconds = (yk_gang_timeout_ns(gang) + YK_NS_PER_S / 2) / YK_NS_PER_S;
    bool is_minutes = seconds % 60 == 0;
    if (!yk_gang_may_time_out(gang))
        return;
    bool begins_again = gang->gave_way && !gang->never_fits;
    yk_buf_printf(text, "; %s its timeout of %lld %s%s%s ",
                  gang->never_fits ? "after" : "if the gang is not complete within",
                  (long long)(is_minutes ? seconds / 60 : seconds), is_minutes ? "min" : "s",
                  begins_again ? ", which begins again when its placeholders give way to others" : "",
                  gang->never_fits ? "" : ",");
    yk_buf_text(text, gang->style == YK_SI_GANG_HARD ? "the application fails"
                                                     : "its pods are scheduled without it");
}

void yk_why_too_large_sentence(const struct yk_gang *gang, struct yk_buf *text)
{
    const struct yk_why why = yk_why_maximum_below(gang->app, &gang->total);
    struct yk_why_amounts amounts = {0};
    yk_buf_printf(text, "the gang can never start: it %s; it ", gang->never_fits_why);
    if (!gang->exceeds_limit) {
        add_more_than_nodes(text, gang);
    } else if (yk_why_amounts(&why, &gang->total, &amounts)) {
        add_exceeded(text, &gang->total, &why, &amounts);
        yk_why_amounts_done(&amounts);
    } else { /* the limit has changed since */
        add_need(text, &gang->total, NULL);
    }
    add_timeout(text, gang);
}

static void say_exceeds(const struct yk_ask *ask, const struct yk_why *why, struct yk_buf *text)
{
    struct yk_why_amounts amounts = {0};
    const struct yk_gang *gang = yk_refusal_gang(ask->group);
    if (gang != NULL) {
        yk_why_too_large_sentence(gang, text);
        return;
    }
    if (!yk_why_amounts(why, yk_ask_size(ask), &amounts))
        return;
    add_exceeded(text, yk_ask_size(ask), why, &amounts);
    yk_buf_text(text, ": it can never start");
    yk_why_amounts_done(&amounts);
}

enum { RUNNING_NAMED = 3 };

/* ": bob's etl-7, ann's train and others": running applications that count for the limit. Only if it is a
 * limit of the application's own leaf; otherwise they may be in many leaves. */
static void add_running(struct yk_buf *text, const struct yk_why *why, const struct yk_app *app)
{
    const struct yk_app *other;
    int named = 0, looked_at = 0;
    if (why->queue != app->leaf)
        return;
    yk_list_foreach (other, &app->leaf->apps, struct yk_app, in_leaf) {
        bool runs = other != app && (other->state == YK_APP_RUNNING || other->allocating_accepted);
        bool counts =
            why->usage == NULL || other->limit.user == why->usage || other->limit.group == why->usage;
        if (runs && counts && named == RUNNING_NAMED) {
            yk_buf_text(text, " and others");
            return;
        }
        if (runs && counts)
            yk_buf_printf(text, "%s%s's %s", named++ == 0 ? ": " : ", ", other->user, other->id);
        if (++looked_at == HOLDERS_LOOKED_AT)
            return;
    }
}

struct yk_why_number yk_why_number(const struct yk_why *why)
{
    const struct yk_usage *usage = why->usage;
    const struct yk_queue *queue = why->queue;
    if (usage != NULL)
        return (struct yk_why_number){usage->limit != NULL ? usage->limit->max_apps : queue->max_apps,
                                      usage->running};
    return (struct yk_why_number){queue->max_apps,
                                  (uint64_t)queue->running_apps + queue->allocating_accepted};
}

const struct yk_app *yk_why_starting(const struct yk_app *app)
{
    const struct yk_app *other;
    int looked_at = 0;
    if (app->leaf->apps_by_state[YK_APP_STARTING] == 0)
        return NULL;
    yk_list_foreach (other, &app->leaf->apps, struct yk_app, in_leaf) {
        if (other->state == YK_APP_STARTING)
            return other;
        if (++looked_at == HOLDERS_LOOKED_AT)
            break;
    }
    return NULL;
}

/* "application etl-6 is starting, until 12:05 UTC at the latest": that is fixed, so the sentence can be stored. */
static void add_starting(struct yk_buf *text, const struct yk_app *starting)
{
    const struct yk_clock *clock = starting->partition->core->clock;
    const struct yk_timer *timer = &starting->life.timer;
    char until[YK_TIME_TEXT_MAX];
    yk_buf_printf(text, "application %s is starting", starting->id);
    if (!yk_timer_armed(timer))
        return;
    yk_time_format(yk_clock_wall_ns(clock) + timer->due_mono_ns - yk_clock_mono_ns(clock), 0, until);
    yk_buf_printf(text, ", until %s at the latest", until);
}

static void say_max_apps(const struct yk_app *app, const struct yk_why *why, struct yk_buf *text)
{
    if (why->one_at_a_time) {
        const struct yk_app *first = app->leaf->start.may_start;
        yk_buf_printf(text, "queue %s starts one application at a time, and ", why->queue->path);
        const struct yk_app *starting = yk_why_starting(app);
        if (first != NULL)
            yk_buf_printf(text, "application %s comes first", first->id);
        else if (starting != NULL)
            add_starting(text, starting);
        else
            yk_buf_text(text, "another one is starting");
        return;
    }
    struct yk_why_number apps = yk_why_number(why);
    add_owner(text, why);
    yk_buf_printf(text, " runs %llu of at most %llu applications", (unsigned long long)apps.running,
                  (unsigned long long)apps.max);
    add_place(text, why);
    add_running(text, why, app);
}

/* "; queue root.w has 1 of 2 cores free; kim's application wocc holds 1 core". False: no limit is too small. */
static bool add_limit_of_gang(const struct yk_ask *ask, const struct yk_why *why, struct yk_buf *text)
{
    struct yk_why_amounts amounts = {0};
    if (!yk_why_amounts_of_ask(ask, why, &amounts))
        return false;
    int type = yk_resvec_next(&amounts.missing, 0);
    if (type < YK_RESTYPE_MAX) {
        yk_buf_text(text, "; ");
        add_free(text, why, &amounts, &amounts.missing);
        add_holder_of(text, ask, why, &amounts, type);
    }
    yk_why_amounts_done(&amounts);
    return type < YK_RESTYPE_MAX;
}

static void say_gang(const struct yk_ask *ask, const struct yk_why *why, struct yk_buf *text)
{
    const struct yk_group *group = ask->group;
    if (group->task_group == NULL) {
        yk_buf_text(text, "waits for its gang");
        return;
    }
    if (!group->placeholders) {
        yk_buf_printf(
            text, "waits to replace a placeholder of task group %s: %llu of %llu have not ended, %u run",
            group->task_group->name, (unsigned long long)yk_task_group_open(group->task_group),
            (unsigned long long)group->task_group->count, (unsigned)group->task_group->placeholders.count);
        return;
    }
    yk_buf_text(text, "starts only together with its gang, which needs ");
    if (yk_resvec_is_zero(&group->task_group->gang->total))
        yk_buf_text(text, "all of its pods at once");
    else
        yk_amounts_text(text, &group->task_group->gang->total, NULL);
    if (!add_limit_of_gang(ask, why, text))
        yk_buf_text(text, "; not all of it fits now");
}

static void say_backoff(const struct yk_app *app, struct yk_buf *text)
{
    const struct yk_clock *clock = app->partition->core->clock;
    char until[YK_TIME_TEXT_MAX];
    yk_time_format(yk_clock_wall_ns(clock) + app->backoff.pause.due_mono_ns - yk_clock_mono_ns(clock), 0,
                   until);
    yk_buf_printf(text, "application %s pauses until %s, because %llu of its pods found no node", app->id,
                  until, (unsigned long long)app->backoff.unplaced);
}

static void add_nearest(const struct yk_group *group, const struct yk_node_look *look, struct yk_buf *text)
{
    const struct yk_resvec *size = &group->shape->size;
    bool never = look->large == 0 && look->largest != NULL;
    const struct yk_node *node = never ? look->largest : look->best[0];
    bool first = true;
    yk_resvec_foreach(t, size)
    {
        int64_t total = yk_resvec_get(node->total, t), left = yk_resvec_get(node->available, t);
        if (yk_resvec_get(size, t) <= YK_MAX(never ? total : left, 0))
            continue;
        yk_buf_text(text, first ? "" : " and ");
        if (never)
            yk_amount_text(text, t, total);
        else
            yk_amount_text_of(text, t, YK_MAX(left, 0), total);
        first = false;
    }
}

static void lacking_types(const struct yk_group *group, const struct yk_node_look *look,
                          struct yk_resvec *ret_types)
{
    bool never = look->large == 0 && look->largest != NULL;
    const struct yk_node *node = never ? look->largest : look->best[0];
    yk_resvec_foreach(t, &group->shape->size)
    {
        int64_t has = yk_resvec_get(never ? node->total : node->available, t);
        if (yk_resvec_get(&group->shape->size, t) > YK_MAX(has, 0))
            yk_resvec_put(ret_types, t, 0);
    }
}

struct tenant {
    const struct yk_app *app;
    int64_t amount;
};

/* The application that holds most of the type on the node; only the first allocations there are looked at. */
static struct tenant largest_tenant(const struct yk_node *node, int type)
{
    struct tenant tenants[HOLDERS_LOOKED_AT], largest = {0};
    const struct yk_ask *there;
    size_t count = 0;
    int looked_at = 0;
    yk_list_foreach (there, &node->allocations, struct yk_ask, in_node) {
        const struct yk_app *app = yk_ask_app(there);
        size_t at = 0;
        while (at < count && tenants[at].app != app)
            at++;
        if (at == count)
            tenants[count++] = (struct tenant){.app = app};
        tenants[at].amount = yk_i64_add(tenants[at].amount, yk_resvec_get(yk_ask_size(there), type));
        if (tenants[at].amount > largest.amount)
            largest = tenants[at];
        if (++looked_at == HOLDERS_LOOKED_AT)
            break;
    }
    return largest;
}

/* "; bob's application etl-7 holds 6 cores there". Appends nothing if this is the application that waits. */
static void add_tenant(struct yk_buf *text, const struct yk_group *group, const struct yk_node *node,
                       const struct yk_resvec *types)
{
    int type = yk_resvec_next(types, 0);
    if (type >= YK_RESTYPE_MAX)
        return;
    struct tenant tenant = largest_tenant(node, type);
    if (tenant.app == NULL || tenant.app == group->app)
        return;
    yk_buf_printf(text, "; %s's application %s holds ", tenant.app->user, tenant.app->id);
    yk_amount_text(text, type, tenant.amount);
    yk_buf_text(text, " there");
}

/* "node n1, which has it, is reserved for bob's application etl-7, whose pod etl-7-0 comes first". */
static void say_reserved(const struct yk_group *group, const struct yk_node_look *look, struct yk_buf *text)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf namespace_ = {0}, name = {0};
    add_need(text, &group->shape->size, NULL);
    const struct yk_reservation *first =
        yk_list_first(&look->kept->reservations, struct yk_reservation, in_node);
    const struct yk_app *app = yk_ask_app(first->ask);
    yk_rm_call_ask_name(app->partition, first->ask, &namespace_, &name);
    yk_buf_printf(text,
                  "; node %s, which has it, is reserved for %s's application %s, whose pod %s comes first",
                  look->kept->id, app->user, app->id, yk_buf_cstr(&name));
}

static void say_resources(const struct yk_group *group, const struct yk_node_look *look, struct yk_buf *text)
{
    YK_RESVEC(types);
    if (look->best[0] == NULL) {
        add_need(text, &group->shape->size, NULL);
        yk_buf_text(text, ", and there are no nodes");
        return;
    }
    lacking_types(group, look, &types);
    add_need(text, &group->shape->size, &types);
    bool never = look->large == 0;
    const struct yk_node *node = never ? look->largest : look->best[0];
    if (group->required_node != NULL)
        yk_buf_printf(text, "; node %s, the only one that it may use, has ", node->id);
    else if (look->allowed == 1)
        yk_buf_printf(text, "; the only node that it may use, %s, has ", node->id);
    else if (never)
        yk_buf_printf(text, "; the largest of %u nodes that it may use, %s, has ", look->allowed, node->id);
    else
        yk_buf_printf(text, "; of %u nodes that it may use, %s comes nearest and has ", look->allowed,
                      node->id);
    add_nearest(group, look, text);
    yk_buf_text(text, never ? " in all" : " free");
    if (!never)
        add_tenant(text, group, node, &types);
}

static void say_predicates(const struct yk_group *group, const struct yk_node_look *look, struct yk_buf *text)
{
    if (group->required_node != NULL && look->closed == look->total) {
        yk_buf_printf(text, "may use node %s only, which is not there", group->required_node);
        return;
    }
    uint32_t free = look->fitting - look->reserved;
    add_need(text, &group->shape->size, NULL);
    if (free > 0) {
        yk_buf_printf(text, "; %u of %u node%s ha%s that free, but other pods or volumes are in its way",
                      free, look->total, look->total == 1 ? "" : "s", free == 1 ? "s" : "ve");
        return;
    }
    if (look->closed == look->total)
        yk_buf_printf(text, "; none of %u node%s takes new pods", look->total, look->total == 1 ? "" : "s");
    else if (look->closed > 0 && group->required_node == NULL)
        yk_buf_printf(text,
                      "; none of the nodes that take new pods satisfies its constraints, and %u of %u take%s "
                      "none",
                      look->closed, look->total, look->closed == 1 ? "s" : "");
    else if (look->total == 1)
        yk_buf_text(text, "; the only node does not satisfy its constraints");
    else
        yk_buf_printf(text, "; none of %u nodes satisfies its constraints", look->total);
}

static void say_nodes(const struct yk_ask *ask, const struct yk_why *why, struct yk_buf *text)
{
    const struct yk_group *group = ask->group;
    if (!YK_ASSERT(why->has_look))
        return;
    if (why->reason == YK_REASON_NODE_RESOURCES)
        say_resources(group, &why->look, text);
    else if (why->reason == YK_REASON_RESERVED)
        say_reserved(group, &why->look, text);
    else if (why->reason == YK_REASON_VOLUMES)
        yk_buf_text(text, yk_why_misses_volumes(ask)
                              ? "a claim or a volume that it needs is missing or not bound"
                              : "its volumes are not available on a node that has capacity for it");
    else
        say_predicates(group, &why->look, text);
}

enum { VICTIMS_NAMED = 3, PREEMPTIONS_LOOKED_AT = 256 };

static bool is_for(const struct yk_preemption *entry, const struct yk_ask *ask)
{
    return entry->preemptor.key != NULL && strcmp(entry->preemptor.key, ask->key) == 0;
}

/* "other pods are ending on node n1 to make room for it: etl-1 (bob's application etl) and others": the
 * victims of the last plan for the ask. */
static void say_preemption(const struct yk_ask *ask, struct yk_buf *text)
{
    const struct yk_partition *partition = yk_ask_app(ask)->partition;
    const struct yk_preemption *entry, *last = NULL;
    int named = 0;
    yk_buf_text(text, "other pods are ending ");
    for (uint64_t age = 0; age < PREEMPTIONS_LOOKED_AT; age++) {
        entry = yk_preemption_at(partition, age);
        if (entry == NULL || (last != NULL && entry->wall_ns != last->wall_ns))
            break;
        if (!is_for(entry, ask))
            continue;
        if (last == NULL)
            yk_buf_printf(text, "on node %s to make room for it", entry->node_id);
        last = entry;
        if (named == VICTIMS_NAMED) {
            yk_buf_text(text, " and others");
            return;
        }
        yk_buf_printf(text, "%s%s (%s's application %s)", named++ == 0 ? ": " : ", ",
                      entry->victim.object_name, entry->victim.user, entry->victim.application_id);
    }
    if (last == NULL)
        yk_buf_text(text, "to make room for it");
}

static void say_not_attempted(const struct yk_ask *ask, struct yk_buf *text)
{
    yk_buf_printf(text, "is tried at its turn in queue %s", ask->group->app->leaf->path);
}

void yk_why_app_sentence(const struct yk_app *app, const struct yk_why *why, struct yk_buf *text)
{
    if (why->reason == YK_REASON_REJECTED && app->life.message != NULL)
        yk_buf_text(text, app->life.message);
    else if (why->reason == YK_REASON_QUEUE_STOPPED)
        yk_buf_printf(text, "partition %s is stopped", app->partition->name);
    else if (why->reason == YK_REASON_QUEUE_MAX_APPS || why->reason == YK_REASON_USER_MAX_APPS ||
             why->reason == YK_REASON_GROUP_MAX_APPS)
        say_max_apps(app, why, text);
}

/* Appends that more nodes alone do not help, if that is so. */
static void add_claimed(const struct yk_ask *ask, struct yk_buf *text)
{
    struct yk_why claimed = yk_why_claimed(ask);
    if (claimed.usage != NULL)
        yk_buf_printf(text, "; pods that come first need what %s %s has free in queue %s",
                      claimed.usage->tracker->is_group ? "group" : "user", claimed.usage->tracker->name,
                      claimed.queue->path);
    else if (claimed.queue != NULL)
        yk_buf_printf(text, "; pods that come first need what queue %s has free", claimed.queue->path);
}

/* Appends the sentence without what happens at the end of the timeout of a gang that may start. */
static void say_reason(const struct yk_ask *ask, const struct yk_why *why, struct yk_buf *text)
{
    switch (why->reason) {
    case YK_REASON_NONE:
    case YK_REASON_GATED: /* the core does not have such asks */
        return;
    case YK_REASON_REJECTED:
    case YK_REASON_QUEUE_STOPPED:
    case YK_REASON_QUEUE_MAX_APPS:
    case YK_REASON_USER_MAX_APPS:
    case YK_REASON_GROUP_MAX_APPS:
        yk_why_app_sentence(ask->group->app, why, text);
        return;
    case YK_REASON_EXCEEDS_MAX:
        say_exceeds(ask, why, text);
        return;
    case YK_REASON_QUEUE_QUOTA:
    case YK_REASON_USER_QUOTA:
    case YK_REASON_GROUP_QUOTA:
        say_quota(ask, why, text);
        return;
    case YK_REASON_GANG:
        say_gang(ask, why, text);
        return;
    case YK_REASON_BACKOFF:
        say_backoff(ask->group->app, text);
        return;
    case YK_REASON_NODE_RESOURCES:
    case YK_REASON_PREDICATES:
    case YK_REASON_VOLUMES:
    case YK_REASON_RESERVED:
        say_nodes(ask, why, text);
        if (!why->is_listed)
            add_claimed(ask, text);
        return;
    case YK_REASON_PREEMPTION:
        say_preemption(ask, text);
        return;
    case YK_REASON_NOT_ATTEMPTED:
        say_not_attempted(ask, text);
        return;
    }
}

void yk_why_ask_sentence(const struct yk_ask *ask, const struct yk_why *why, struct yk_buf *text)
{
    const struct yk_group *group = ask->group;
    say_reason(ask, why, text);
    bool may_start = group->placeholders && !group->task_group->gang->never_fits;
    if (may_start && why->reason != YK_REASON_NONE && !why->is_listed)
        add_timeout(text, group->task_group->gang);
}

const struct yk_ask *yk_why_waiting_placeholder(const struct yk_app *app)
{
    enum { GROUPS_MAX = 64 }; /* equal placeholders are one group, so a gang rarely has more */
    const struct yk_tree_link *link = yk_tree_first(&app->pending_groups);
    for (int i = 0; link != NULL && i < GROUPS_MAX; i++, link = yk_tree_next(link)) {
        const struct yk_ask *ask = YK_CONTAINER(link, const struct yk_group, in_pending)->first;
        if (ask != NULL && (ask->flags & YK_ASK_PLACEHOLDER) != 0)
            return ask;
    }
    return NULL;
}

void yk_why_gang_sentence(const struct yk_ask *ask, const struct yk_why *why,
                          const struct yk_si_gang_wait *wait, struct yk_buf *text)
{
    yk_buf_printf(text, "%llu of the %llu placeholders of its gang have nodes",
                  (unsigned long long)wait->placed, (unsigned long long)wait->members);
    if (ask == NULL) {
        yk_buf_text(text, ", and none of the others waits for a node at present");
        return;
    }
    YK_CLEANUP(yk_buf_done) struct yk_buf namespace_ = {0}, name = {0};
    yk_rm_call_ask_name(yk_ask_app(ask)->partition, ask, &namespace_, &name);
    yk_buf_printf(text, "; %s waits (%s): ", yk_buf_cstr(&name), yk_si_reason_token(why->reason));
    yk_why_ask_sentence(ask, why, text);
}
