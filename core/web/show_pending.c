/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a pending ask, and why it waits: docs/reference/rest.md 12.6. */
#include "web/pending_priv.h"

#include "policies/queue_order.h"
#include "report/obstacles.h"
#include "report/rm_calls.h"
#include "report/start_estimate.h"
#include "reservation/reservations.h"
#include "scheduler/core.h"
#include "web/show_priv.h"

enum { APPS_PER_LOOK = 256, RESTARTS_MAX = 4 };

/* ---- who comes first ---- */

void yk__ahead_done(struct yk__ahead *ahead)
{
    for (size_t i = 0; i < ahead->count; i++)
        free(ahead->apps[i]);
    ahead->count = 0;
    yk_buf_done(&ahead->last_app);
}

static uint64_t asks_of(const struct yk_app *app)
{
    uint64_t count = 0;
    for (int i = 0; i < YK_PENDING_COUNT; i++)
        count += app->pending_count.asks[i];
    return count;
}

/* Whether `app` comes before the application that is shown at `index`. Also true if that one has ended or
 * left the leaf. */
static bool comes_before_shown(const struct yk__ahead *ahead, const struct yk_app *app, size_t index)
{
    const struct yk_app *shown = yk_partition_find_app(app->partition, ahead->apps[index]);
    return shown == NULL || shown->leaf != app->leaf || yk_app_compare(app, shown) < 0;
}

static void show_among_first(struct yk__ahead *ahead, const struct yk_app *app)
{
    size_t at = ahead->count;
    while (at > 0 && comes_before_shown(ahead, app, at - 1))
        at--;
    if (at == YK__AHEAD_SHOWN)
        return;
    if (ahead->count == YK__AHEAD_SHOWN)
        free(ahead->apps[--ahead->count]);
    memmove(&ahead->apps[at + 1], &ahead->apps[at], (ahead->count - at) * sizeof(ahead->apps[0]));
    ahead->apps[at] = yk_strdup(app->id);
    ahead->count++;
}

/* The link in the leaf's list of applications with which to continue. NULL: the application visited last has
 * left the leaf. */
static const struct yk_list *place_in(const struct yk__ahead *ahead, const struct yk_app *app)
{
    const struct yk_app *last = NULL;
    if (ahead->last_app.len == 0)
        return app->leaf->apps.next;
    last = yk_partition_find_app(app->partition, yk_buf_cstr(&ahead->last_app));
    return last != NULL && last->leaf == app->leaf ? last->in_leaf.next : NULL;
}

static bool begin_again(struct yk__ahead *ahead)
{
    yk__ahead_done(ahead);
    ahead->asks = 0;
    ahead->is_counted = ++ahead->restarts > RESTARTS_MAX;
    return ahead->is_counted;
}

bool yk__ahead_count(struct yk_job *job, struct yk__ahead *ahead, const struct yk_app *app,
                     int64_t until_mono_ns)
{
    if (ahead->is_counted)
        return true;
    const struct yk_list *link = place_in(ahead, app);
    if (link == NULL)
        return begin_again(ahead);
    for (uint64_t seen = 1; link != &app->leaf->apps; link = link->next, seen++) {
        const struct yk_app *other = YK_CONTAINER(link, const struct yk_app, in_leaf);
        if (other != app && other->pending_groups.count > 0 && yk_app_compare(other, app) < 0) {
            ahead->asks += asks_of(other);
            show_among_first(ahead, other);
        }
        if (seen % APPS_PER_LOOK == 0 && yk_job_must_pause(job, until_mono_ns)) {
            yk_buf_clear(&ahead->last_app);
            yk_buf_text(&ahead->last_app, other->id);
            return false;
        }
    }
    ahead->is_counted = true;
    return true;
}

/* ---- one entry ---- */

void yk__pending_words_done(struct yk__pending_words *words)
{
    yk_buf_done(&words->text);
}

static bool same_why(const struct yk_why *a, const struct yk_why *b)
{
    return a->reason == b->reason && a->queue == b->queue && a->usage == b->usage;
}

static const char *words_for(struct yk__pending_words *words, const struct yk_ask *ask,
                             const struct yk_why *why)
{
    const struct yk_why claimed = yk_why_claimed(ask);
    bool is_own = why->reason == YK_REASON_PREEMPTION; /* the sentence names the victims of this ask */
    if (!is_own && words->group == ask->group && same_why(&words->why, why) &&
        same_why(&words->claimed, &claimed))
        return yk_buf_cstr(&words->text);
    yk_buf_clear(&words->text);
    yk_why_ask_sentence(ask, why, &words->text);
    words->group = ask->group;
    words->why = *why;
    words->claimed = claimed;
    return yk_buf_cstr(&words->text);
}

static void put_names(struct yk_json *json, const struct yk_ask *ask)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf namespace_ = {0}, name = {0};
    yk_rm_call_ask_name(yk_ask_app(ask)->partition, ask, &namespace_, &name);
    yk_json_add_text(json, "namespace", yk_buf_cstr(&namespace_));
    yk_json_add_text(json, "podName", yk_buf_cstr(&name));
}

static void put_identity(struct yk_json *json, const struct yk_ask *ask)
{
    const struct yk_app *app = yk_ask_app(ask);
    yk_json_add_text(json, "applicationID", app->id);
    yk_json_add_text(json, "queueName", app->queue_path);
    yk_json_add_text(json, "allocationKey", ask->key);
    put_names(json, ask);
    yk_json_add_text(json, "user", app->user);
    yk_json_add_int(json, "priority", yk_ask_priority(ask));
    yk_json_key(json, "resource");
    yk_resvec_json(yk_ask_size(ask), json);
}

static void put_attempts(struct yk_json *json, const struct yk_ask *ask)
{
    uint64_t attempts = 0;
    int64_t last_ns = 0;
    for (int wait = YK_WAIT_NONE + 1; wait < YK_WAIT_COUNT; wait++) {
        attempts += ask->group->waiting.log[wait].count;
        last_ns = YK_MAX(last_ns, ask->group->waiting.log[wait].last_wall_ns);
    }
    /* Asks of one group share its attempts. The ask was not there at those before it came. */
    if (last_ns < ask->create_wall_ns)
        attempts = 0, last_ns = 0;
    yk_json_add_int(json, "since", ask->create_wall_ns);
    yk_json_add_uint(json, "attempts", attempts);
    yk_json_add_int(json, "lastAttempt", last_ns);
}

void yk__show_pending(struct yk_json *json, const struct yk_ask *ask, const struct yk_why *why,
                      uint64_t in_queue, uint64_t in_app, struct yk__pending_words *words)
{
    yk_json_object_begin(json);
    put_identity(json, ask);
    if (in_queue != YK__NO_POSITION)
        yk_json_add_uint(json, "positionInQueue", in_queue);
    yk_json_add_uint(json, "positionInApplication", in_app);
    yk_json_add_text(json, "reason", yk_si_reason_token(why->reason));
    yk_json_add_text(json, "message", words_for(words, ask, why));
    put_attempts(json, ask);
    yk_json_object_end(json);
}

/* ---- pods that wait for their gang ---- */

static void put_held_identity(struct yk_json *json, const struct yk_app *app, const struct yk_si_held *held)
{
    yk_json_add_text(json, "applicationID", app->id);
    yk_json_add_text(json, "queueName", app->queue_path);
    yk_json_add_text(json, "allocationKey", held->key);
    yk_json_add_text(json, "namespace", held->namespace_);
    yk_json_add_text(json, "podName", held->name);
    yk_json_add_text(json, "user", app->user);
    yk_json_add_int(json, "priority", held->priority);
    yk_json_key(json, "resource");
    yk_resvec_json(held->resource, json);
}

/* What the first waiting placeholder waits for; `ask` NULL: none waits. */
static struct yk_why why_of_placeholder(const struct yk_ask *ask, struct yk_node_looks *looks)
{
    return ask != NULL ? yk_why_in_detail(ask, looks) : (struct yk_why){.reason = YK_REASON_NONE};
}

void yk__held_sentence(const struct yk_app *app, const struct yk_si_held *held, struct yk_node_looks *looks,
                       struct yk_buf *text)
{
    const struct yk_ask *ask = yk_why_waiting_placeholder(app);
    struct yk_why why = why_of_placeholder(ask, looks);
    yk_why_gang_sentence(ask, &why, &held->gang, text);
}

static void put_gang_reason(struct yk_json *json, const char *sentence)
{
    yk_json_add_text(json, "reason", yk_si_reason_token(YK_REASON_GANG));
    yk_json_add_text(json, "message", sentence);
}

void yk__show_held(struct yk_json *json, const struct yk_app *app, const struct yk_si_held *held,
                   uint64_t in_queue, uint64_t in_app, const char *sentence)
{
    yk_json_object_begin(json);
    put_held_identity(json, app, held);
    if (in_queue != YK__NO_POSITION)
        yk_json_add_uint(json, "positionInQueue", in_queue);
    yk_json_add_uint(json, "positionInApplication", in_app);
    put_gang_reason(json, sentence);
    yk_json_add_int(json, "since", held->create_wall_ns);
    yk_json_add_uint(json, "attempts", 0);
    yk_json_add_int(json, "lastAttempt", 0);
    yk_json_object_end(json);
}

void yk__show_reason_counts(struct yk_json *json, const uint64_t counts[YK_REASON_COUNT])
{
    yk_json_key(json, "reasons");
    yk_json_object_begin(json);
    for (int reason = YK_REASON_NONE + 1; reason < YK_REASON_COUNT; reason++) {
        if (counts[reason] > 0)
            yk_json_add_uint(json, yk_si_reason_token((enum yk_si_reason)reason), counts[reason]);
    }
    yk_json_object_end(json);
}

void yk__show_app_reason(struct yk_json *json, const char *app_id, const struct yk_app *app,
                         struct yk_node_looks *looks)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    struct yk_why why = {0};
    const struct yk_tree_link *first = app != NULL ? yk_tree_first(&app->pending_groups) : NULL;
    if (app != NULL)
        why = yk_why_of_app(app);
    if (why.reason != YK_REASON_NONE) {
        yk_why_app_sentence(app, &why, &text);
    } else if (first != NULL) {
        const struct yk_ask *ask = YK_CONTAINER(first, const struct yk_group, in_pending)->first;
        why = yk_why_in_detail(ask, looks);
        yk_why_ask_sentence(ask, &why, &text);
    }
    yk_json_add_text(json, "applicationID", app_id);
    yk_json_add_text(json, "applicationState", app != NULL ? yk_app_state_name(app->state) : "");
    yk_json_add_text(json, "reason", yk_si_reason_token(why.reason));
    yk_json_add_text(json, "message", yk_buf_cstr(&text));
    if (why.reason == YK_REASON_REJECTED)
        yk_json_add_text(json, "remedy", yk_why_remedy_of_rejected(app));
    if (app != NULL)
        yk__put_gang_unused(json, app);
}

/* ---- one ask in detail ---- */

static void put_ahead(struct yk_json *json, const struct yk_partition *partition,
                      const struct yk__ahead *ahead)
{
    yk_json_key(json, "ahead");
    yk_json_array_begin(json);
    for (size_t i = 0; i < ahead->count; i++) {
        const struct yk_app *app = yk_partition_find_app(partition, ahead->apps[i]);
        const struct yk_tree_link *first = app != NULL ? yk_tree_first(&app->pending_groups) : NULL;
        if (first == NULL)
            continue;
        yk_json_object_begin(json);
        yk_json_add_text(json, "applicationID", app->id);
        yk_json_add_text(json, "queueName", app->queue_path);
        yk_json_add_text(json, "user", app->user);
        yk_json_add_uint(json, "pods", asks_of(app));
        put_names(json, YK_CONTAINER(first, const struct yk_group, in_pending)->first);
        yk_json_object_end(json);
    }
    yk_json_array_end(json);
}

static void put_basis(struct yk_json *json, const struct yk_si_start *start)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf basis = {0};
    yk_si_start_basis(start, true, &basis);
    yk_json_add_text(json, "basis", yk_buf_cstr(&basis));
}

static void put_estimate(struct yk_json *json, const struct yk_si_start *start)
{
    yk_json_key(json, "estimate");
    yk_json_object_begin(json);
    yk_json_add_text(json, "state", start->is_known ? "estimated" : "unknown");
    if (start->is_known) {
        yk_json_add_int(json, "earliest", start->earliest_wall_ns);
        yk_json_add_int(json, "latest", start->latest_wall_ns);
    }
    put_basis(json, start);
    yk_json_object_end(json);
}

static bool is_number_of_apps(enum yk_si_reason reason)
{
    return reason == YK_REASON_QUEUE_MAX_APPS || reason == YK_REASON_USER_MAX_APPS ||
           reason == YK_REASON_GROUP_MAX_APPS;
}

static void put_limit_object(struct yk_json *json, const struct yk_why *why,
                             const struct yk_why_amounts *amounts)
{
    const char *kind = why->usage == NULL ? "queue" : why->usage->tracker->is_group ? "group" : "user";
    const struct {
        const char *key;
        const struct yk_resvec *amounts;
    } maps[] = {{"max", &amounts->max},
                {"used", &amounts->used},
                {"requested", &amounts->requested},
                {"missing", &amounts->missing}};
    yk_json_object_begin(json);
    yk_json_add_text(json, "kind", kind);
    yk_json_add_text(json, "name", why->usage != NULL ? why->usage->tracker->name : why->queue->path);
    yk_json_add_text(json, "queueName", why->queue->path);
    for (size_t i = 0; i < YK_COUNT(maps); i++) {
        yk_json_key(json, maps[i].key);
        yk_resvec_json(maps[i].amounts, json);
    }
    if (is_number_of_apps(why->reason) && !why->one_at_a_time) {
        struct yk_why_number apps = yk_why_number(why);
        yk_json_add_uint(json, "maxApplications", apps.max);
        yk_json_add_uint(json, "runningApplications", apps.running);
    }
    yk_json_object_end(json);
}

struct limits {
    struct yk_json *json;
    const struct yk_ask *ask;
    const struct yk_why *reason;
    bool any;
};

static void put_one_of_limits(void *context, const struct yk_why *why)
{
    struct limits *limits = context;
    struct yk_why_amounts amounts = {0};
    bool is_reason = why->queue == limits->reason->queue && why->usage == limits->reason->usage;
    if (!yk_why_amounts_of_ask(limits->ask, is_reason ? limits->reason : why, &amounts))
        return;
    if (!limits->any) {
        yk_json_key(limits->json, "limits");
        yk_json_array_begin(limits->json);
    }
    limits->any = true;
    put_limit_object(limits->json, why, &amounts);
    yk_why_amounts_done(&amounts);
}

/* Writes the limit that refuses the ask: of amounts or of running applications. If it is a limit of amounts,
 * also writes all limits that would refuse the ask. */
static void put_limits(struct yk_json *json, const struct yk_ask *ask, const struct yk_why *why)
{
    struct yk_why_amounts amounts = {0};
    struct limits limits = {json, ask, why, false};
    if (why->queue == NULL)
        return;
    bool of_amounts = yk_why_amounts_of_ask(ask, why, &amounts);
    if (of_amounts || is_number_of_apps(why->reason)) {
        yk_json_key(json, "limit");
        put_limit_object(json, why, &amounts);
    }
    yk_why_amounts_done(&amounts);
    if (!of_amounts)
        return;
    yk_why_each_limit(ask, put_one_of_limits, &limits);
    if (limits.any)
        yk_json_array_end(json);
}

struct all_obstacles {
    struct yk_json *json;
    const struct yk_ask *ask;
};

static void put_one_obstacle(void *context, const struct yk_why *why)
{
    struct all_obstacles *all = context;
    struct yk_why_amounts amounts = {0};
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    yk_why_ask_sentence(all->ask, why, &text);
    yk_json_object_begin(all->json);
    yk_json_add_text(all->json, "reason", yk_si_reason_token(why->reason));
    yk_json_add_text(all->json, "message", yk_buf_cstr(&text));
    if (yk_why_amounts_of_ask(all->ask, why, &amounts) || is_number_of_apps(why->reason)) {
        yk_json_key(all->json, "limit");
        put_limit_object(all->json, why, &amounts);
    }
    yk_why_amounts_done(&amounts);
    yk_json_object_end(all->json);
}

static void put_all_obstacles(struct yk_json *json, const struct yk_ask *ask, const struct yk_why *why,
                              struct yk_node_looks *looks)
{
    struct all_obstacles all = {json, ask};
    yk_json_key(json, "obstacles");
    yk_json_array_begin(json);
    yk_obstacles_of_ask(ask, why, looks, put_one_obstacle, &all);
    yk_json_array_end(json);
}

/* Writes the numbers of nodes that lack resources, for a resource manager that cannot tell them
 * (`node_obstacles` is NULL). */
static void put_insufficient(struct yk_json *json, const struct yk_ask *ask)
{
    const struct yk_partition *partition = yk_ask_app(ask)->partition;
    const struct yk_resvec *size = yk_ask_size(ask);
    const struct yk_node *node;
    yk_json_key(json, "insufficient");
    yk_json_object_begin(json);
    yk_resvec_foreach(t, size)
    {
        uint64_t count = 0;
        yk_vec_foreach (node, &partition->nodes)
            count += node != NULL && node->schedulable &&
                     yk_resvec_get(size, t) > YK_MAX(yk_resvec_get(node->available, t), 0);
        if (count > 0)
            yk_json_add_uint(json, yk_restype_name(t), count);
    }
    yk_json_object_end(json);
}

static bool is_about_nodes(const struct yk_why *why)
{
    return why->has_look || why->reason == YK_REASON_BACKOFF || why->reason == YK_REASON_PREEMPTION;
}

static bool look_on(struct yk_job *job, struct yk__node_facts *facts, const struct yk_ask *ask,
                    int64_t until_mono_ns)
{
    while (!yk_node_look_go_on(&facts->walk, &facts->looks, ask->group)) {
        if (yk_job_must_pause(job, until_mono_ns))
            return false;
    }
    return true;
}

bool yk__node_facts_look(struct yk_job *job, struct yk__node_facts *facts, const struct yk_ask *ask,
                         int64_t until_mono_ns)
{
    return !yk_why_needs_look(ask) || look_on(job, facts, ask, until_mono_ns);
}

bool yk__node_facts_gather(struct yk_job *job, struct yk__node_facts *facts, const struct yk_ask *ask,
                           int64_t until_mono_ns)
{
    const struct yk_why why = {.reason = yk_why_of_ask(ask).reason, .has_look = yk_why_needs_look(ask)};
    if (is_about_nodes(&why) && !yk__node_obstacles_count(job, &facts->obstacles, ask, until_mono_ns))
        return false;
    /* Last, because the look is forgotten at the end of the slice if something changes. */
    return (!is_about_nodes(&why) && !yk_obstacles_may_be_nodes(ask)) ||
           look_on(job, facts, ask, until_mono_ns);
}

/* What the resource manager says about the nodes is its text up to the first token of a reason. */
static void put_node_words(struct yk_json *json, const struct yk_ask *ask)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0}, words = {0};
    yk_rm_call_wait_words(yk_ask_app(ask)->partition, ask, &text);
    struct yk_str rest = yk_buf_view(&text);
    for (int reason = YK_REASON_NONE + 1; reason < YK_REASON_COUNT && text.len > 0; reason++) {
        char token[64];
        (void)snprintf(token, sizeof(token), " %s: ", yk_si_reason_token((enum yk_si_reason)reason));
        const char *at = strstr(yk_buf_cstr(&text), token);
        if (at != NULL)
            rest.len = YK_MIN(rest.len, (size_t)(at - yk_buf_cstr(&text)));
    }
    yk_buf_str(&words, rest);
    yk__put_text_if(json, "words", yk_buf_cstr(&words));
}

static void put_nodes(struct yk_json *json, const struct yk_ask *ask, const struct yk_why *why,
                      struct yk__node_facts *facts)
{
    const struct yk_rm *rm = yk_ask_app(ask)->partition->rm;
    struct yk_node_look look = why->look;
    if (!is_about_nodes(why))
        return;
    if (!why->has_look)
        yk_node_look_shared(&facts->looks, ask->group, &look);
    yk_json_key(json, "nodes");
    yk_json_object_begin(json);
    yk_json_add_uint(json, "total", look.total);
    /* To an ask that requires its node, all others are closed. They count below `predicates`. */
    yk_json_add_uint(json, "unschedulable", ask->group->required_node != NULL ? 0 : look.closed);
    if (rm->callbacks.node_obstacles != NULL)
        yk__put_node_obstacles(json, &facts->obstacles, "insufficient", YK_SI_OBSTACLE_RESOURCE);
    else
        put_insufficient(json, ask);
    yk__put_node_obstacles(json, &facts->obstacles, "predicates", YK_SI_OBSTACLE_FILTER);
    yk_json_key(json, "examples");
    yk_json_array_begin(json);
    for (size_t i = 0; i < YK_NODE_EXAMPLES && look.best[i] != NULL; i++)
        yk_json_text(json, look.best[i]->id);
    yk_json_array_end(json);
    put_node_words(json, ask);
    yk_json_object_end(json);
}

static void put_reservation(struct yk_json *json, const struct yk_ask *ask)
{
    const struct yk_reservation *reservation = yk_ask_reservation(ask);
    if (reservation == NULL)
        return;
    yk_json_key(json, "reservation");
    yk_json_object_begin(json);
    yk_json_add_text(json, "nodeID", reservation->node->id);
    yk_json_object_end(json);
}

/* The number of asks of the same application that come before `ask`. */
static uint64_t position_in_app(const struct yk_ask *ask)
{
    const struct yk_tree_link *link;
    uint64_t count = 0;
    for (link = yk_tree_first(&yk_ask_app(ask)->pending_groups); link != NULL; link = yk_tree_next(link)) {
        const struct yk_group *group = YK_CONTAINER(link, const struct yk_group, in_pending);
        if (group == ask->group)
            break;
        count += group->asks.count;
    }
    for (link = yk_tree_first(&ask->group->asks); link != NULL && link != &ask->in_group;
         link = yk_tree_next(link))
        count++;
    return count;
}

/* When the timeout of the gang ends, and what happens then; nothing if that does not matter. */
static void put_gang_timeout(struct yk_json *json, const struct yk_app *app)
{
    const struct yk_clock *clock = app->partition->core->clock;
    if (app->gang == NULL || !yk_gang_may_time_out(app->gang))
        return;
    int64_t left_ns = yk_i64_sub(app->gang->timer.due_mono_ns, yk_clock_mono_ns(clock));
    yk_json_key(json, "gangTimeout");
    yk_json_object_begin(json);
    yk_json_add_int(json, "time", yk_i64_add(yk_clock_wall_ns(clock), left_ns));
    yk_json_add_text(json, "outcome",
                     app->gang->style == YK_SI_GANG_HARD ? "applicationFails" : "gangGivenUp");
    yk_json_add_bool(json, "isCertain", app->gang->never_fits);
    yk_json_add_bool(json, "mayBeginAgain", app->gang->gave_way && !app->gang->never_fits);
    yk_json_object_end(json);
}

static void put_details(struct yk_json *json, const struct yk_ask *ask, const struct yk_why *why,
                        const struct yk__ahead *ahead, struct yk__node_facts *facts)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf remedy = {0};
    uint64_t in_app = position_in_app(ask), in_queue = ahead->asks + in_app;
    struct yk_si_start start = yk_start_estimate(ask, why->reason, NULL, &facts->looks);
    put_attempts(json, ask);
    yk_why_remedy(ask, why, start.ends_by_itself, &facts->looks, &remedy);
    yk_json_add_text(json, "remedy", yk_buf_cstr(&remedy));
    yk_json_add_uint(json, "positionInQueue", in_queue);
    yk_json_add_uint(json, "positionInApplication", in_app);
    put_ahead(json, yk_ask_app(ask)->partition, ahead);
    put_estimate(json, &start);
    put_limits(json, ask, why);
    put_all_obstacles(json, ask, why, &facts->looks);
    put_nodes(json, ask, why, facts);
    yk__put_preemption(json, ask);
    put_reservation(json, ask);
    put_gang_timeout(json, yk_ask_app(ask));
    yk__put_gang_unused(json, yk_ask_app(ask));
}

static void put_waiting(struct yk_json *json, const struct yk_ask *ask, const struct yk__ahead *ahead,
                        struct yk__node_facts *facts)
{
    struct yk__pending_words words = {0};
    struct yk_why why = yk_why_in_detail(ask, &facts->looks);
    yk_json_add_text(json, "reason", yk_si_reason_token(why.reason));
    yk_json_add_text(json, "message", words_for(&words, ask, &why));
    put_details(json, ask, &why, ahead, facts);
    yk__pending_words_done(&words);
}

static void put_placed(struct yk_json *json, const struct yk_ask *ask)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    if (ask->node != NULL)
        yk_buf_printf(&text, "has node %s", ask->node->id);
    else
        yk_buf_text(&text, "has been decided on, and waits for others to end");
    yk_json_add_text(json, "reason", "");
    yk_json_add_text(json, "message", yk_buf_cstr(&text));
    yk_json_add_int(json, "since", ask->create_wall_ns);
    yk__put_text_if(json, "nodeID", ask->node != NULL ? ask->node->id : NULL);
}

void yk__show_explanation(struct yk_json *json, const struct yk_ask *ask, const struct yk__ahead *ahead,
                          struct yk__node_facts *facts)
{
    yk_json_object_begin(json);
    put_identity(json, ask);
    if (yk_ask_is_pending(ask))
        put_waiting(json, ask, ahead, facts);
    else
        put_placed(json, ask);
    yk_json_object_end(json);
}

static void put_gang(struct yk_json *json, const struct yk_ask *ask, const struct yk_why *why,
                     const struct yk_si_held *held)
{
    yk_json_key(json, "gang");
    yk_json_object_begin(json);
    yk_json_add_uint(json, "placeholders", held->gang.members);
    yk_json_add_uint(json, "placed", held->gang.placed);
    if (ask != NULL) {
        YK_CLEANUP(yk_buf_done) struct yk_buf namespace_ = {0}, name = {0};
        yk_rm_call_ask_name(yk_ask_app(ask)->partition, ask, &namespace_, &name);
        yk_json_add_text(json, "allocationKey", ask->key);
        yk_json_add_text(json, "podName", yk_buf_cstr(&name));
        yk_json_add_text(json, "reason", yk_si_reason_token(why->reason));
    }
    yk_json_object_end(json);
}

void yk__show_held_explanation(struct yk_json *json, const struct yk_app *app, const struct yk_si_held *held,
                               const struct yk__ahead *ahead, struct yk__node_facts *facts)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf sentence = {0};
    const struct yk_ask *ask = yk_why_waiting_placeholder(app);
    struct yk_why why = why_of_placeholder(ask, &facts->looks);
    yk_why_gang_sentence(ask, &why, &held->gang, &sentence);
    yk_json_object_begin(json);
    put_held_identity(json, app, held);
    put_gang_reason(json, yk_buf_cstr(&sentence));
    put_gang(json, ask, &why, held);
    if (ask != NULL) {
        put_details(json, ask, &why, ahead, facts);
    } else {
        yk_json_add_int(json, "since", held->create_wall_ns);
        put_gang_timeout(json, app);
    }
    yk_json_object_end(json);
}
