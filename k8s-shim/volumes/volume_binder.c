/* SPDX-License-Identifier: Apache-2.0 */
#include "volumes/volume_binder.h"

#include "api/encode.h"
#include "base/log.h"
#include "volumes/volumes_priv.h"

#define RETRY_FIRST_NS YK_NS_PER_S
#define RETRY_MAX_NS   (30 * YK_NS_PER_S)

struct yk_volume_binding {
    struct yk_timer timer; /* first member */
    struct yk_volume_binder *binder;
    struct yk_volume_plan *plan; /* owned; NULL: the binding has ended, but requests are unanswered */
    struct yk_list in_waiting;
    int64_t deadline_mono_ns;
    uint32_t in_flight; /* writes without an answer */
    yk_volume_bind_done *done;
    void *context;
};

/* The context of a request. */
struct write {
    struct yk_volume_binding *binding;
    uint32_t item; /* index in plan->items */
};

static void step(struct yk_volume_binding *binding);

void yk_volume_binder_init(struct yk_volume_binder *binder, struct yk_api_server *api,
                           struct yk_timers *timers, const struct yk_cache *cache, struct yk_volumes *volumes,
                           int64_t timeout_ns)
{
    *binder = (struct yk_volume_binder){
        .api = api, .timers = timers, .cache = cache, .volumes = volumes, .timeout_ns = timeout_ns};
    yk_list_init(&binder->waiting);
}

static int64_t now_ns(const struct yk_volume_binder *binder)
{
    return yk_clock_mono_ns(binder->timers->clock);
}

/* ---- the end of a binding ---- */

/* Frees the plan, and the binding as soon as all its requests are answered. */
static void leave(struct yk_volume_binding *binding)
{
    yk_timer_cancel(binding->binder->timers, &binding->timer);
    yk_list_remove(&binding->in_waiting);
    yk_volumes_forget(binding->binder->volumes, binding->plan);
    binding->plan = NULL;
    if (binding->in_flight == 0)
        free(binding);
}

static void finish(struct yk_volume_binding *binding, bool bound, const char *message)
{
    yk_volume_bind_done *done = binding->done;
    void *context = binding->context;
    leave(binding);
    done(context, bound, message);
}

void yk_volume_bind_cancel(struct yk_volume_binding *binding)
{
    if (binding != NULL)
        leave(binding);
}

/* ---- the progress of an item ---- */

enum progress {
    DONE,     /* the claim is bound */
    WAITING,  /* the item waits for an answer, an event or a time */
    TO_WRITE, /* a request has to be sent now */
    FAILED,
};

struct look {
    struct yk_volume_binding *binding;
    const struct yk_cache_node *node;
    struct yk_err err; /* why the result is FAILED */
};

static const char *claim_name(const struct yk__plan_item *item)
{
    return yk_name_text(item->claim->key);
}

/* Sets look->err to the sentence. The value of the expression is FAILED. */
#define FAIL(look, ...) ((void)yk_fail(&(look)->err, YK_ERR_STATE, __VA_ARGS__), FAILED)

static const struct yk_object *object_of(const struct yk__plan_item *item)
{
    return item->volume != NULL ? &item->volume->object->object : &item->claim->object->object;
}

/* Whether the object was written since the last request: it has another version than the request. */
static bool has_moved(const struct yk__plan_item *item)
{
    char version[YK__VERSION_MAX];
    snprintf(version, sizeof(version), YK_STR_FMT, YK_STR_ARG(object_of(item)->resource_version));
    return strcmp(version, item->sent_version) != 0;
}

static bool reaches(const struct look *look, struct yk__volume *volume)
{
    return yk__volume_reaches(look->binding->binder->volumes, volume, look->node, true);
}

static enum progress bound_claim(struct look *look, const struct yk__plan_item *item)
{
    struct yk__volume *volume = item->claim->volume;
    if (volume->object == NULL)
        return WAITING;
    if (!reaches(look, volume))
        return FAIL(look, "the node affinity of volume '%s' does not match the node",
                    yk_name_text(volume->name));
    return yk__claim_is_bound(item->claim) ? DONE : WAITING;
}

static enum progress taken_back(struct look *look, const struct yk__plan_item *item)
{
    return item->volume != NULL
               ? FAIL(look, "the volume for claim '%s' was taken from it again", claim_name(item))
               : FAIL(look, "provisioning failed for claim '%s'", claim_name(item));
}

/* The object does not show the effect of the write: the item has not been written yet, or the effect was
 * undone. */
static enum progress not_marked(struct look *look, struct yk__plan_item *item)
{
    switch (item->state) {
    case YK__ITEM_SEEN:
        return taken_back(look, item);
    case YK__ITEM_WRITTEN:
        /* The first version after the one in the request is that of the write itself. So a later version
         * without the effect means that the effect was undone. */
        return has_moved(item) ? taken_back(look, item) : WAITING;
    case YK__ITEM_SENT:
        return WAITING;
    case YK__ITEM_UNWRITTEN:
        break;
    }
    return now_ns(look->binding->binder) >= item->not_before_mono_ns ? TO_WRITE : WAITING;
}

/* The object shows the effect of the write. */
static enum progress marked(struct yk__plan_item *item)
{
    item->state = YK__ITEM_SEEN;
    return WAITING;
}

static enum progress look_at_volume(struct look *look, struct yk__plan_item *item)
{
    const struct yk_volume *object = item->volume->object;
    if (object == NULL)
        return FAIL(look, "volume '%s' is gone", yk_name_text(item->volume->name));
    if (!reaches(look, item->volume))
        return FAIL(look, "the node affinity of volume '%s' does not match the node",
                    yk_name_text(item->volume->name));
    if (object->has_claim && !yk__volume_is_for(item->volume, item->claim))
        return FAIL(look, "volume '%s' was given to another claim", yk_name_text(item->volume->name));
    return object->has_claim && !yk_str_empty(object->claim.uid) ? marked(item) : not_marked(look, item);
}

static enum progress look_at_item(struct look *look, struct yk__plan_item *item)
{
    const struct yk__claim *claim = item->claim;
    if (claim->object == NULL)
        return FAIL(look, "claim '%s' is gone", claim_name(item));
    if (claim->volume != NULL)
        return bound_claim(look, item);
    if (item->volume != NULL)
        return look_at_volume(look, item);
    if (claim->selected_node.id == 0)
        return not_marked(look, item);
    if (!yk_name_eq(claim->selected_node, item->plan->node))
        return FAIL(look, "claim '%s' is provisioned on another node", claim_name(item));
    return marked(item);
}

/* ---- writing ---- */

static void answered(struct yk_op *op);

static struct yk_op *volume_op(const struct yk__plan_item *item)
{
    const struct yk_volume *object = item->volume->object;
    struct yk_op *op = yk_op_new(YK_OP_PATCH_VOLUME, &(struct yk_op_target){.name = object->object.name});
    const struct yk_claim_ref_patch patch = {
        object->object.resource_version, &item->claim->object->object,
        !object->has_claim &&
            yk_pairs_get(&object->object.annotations, YK_ANNOTATION_BOUND_BY_CONTROLLER).p == NULL};
    yk_encode_claim_ref(&op->body, &patch);
    return op;
}

static struct yk_op *claim_op(const struct yk__plan_item *item)
{
    const struct yk_object *object = &item->claim->object->object;
    struct yk_op *op = yk_op_new(
        YK_OP_PATCH_CLAIM, &(struct yk_op_target){.namespace_ = object->namespace_, .name = object->name});
    yk_encode_selected_node(&op->body, object->resource_version, yk_str_from(yk_name_text(item->plan->node)));
    return op;
}

static void send(struct yk_volume_binding *binding, struct yk__plan_item *item)
{
    struct yk_op *op = item->volume != NULL ? volume_op(item) : claim_op(item);
    struct write *write = yk_new0(struct write);
    *write = (struct write){binding, (uint32_t)(item - binding->plan->items)};
    op->context = write;
    op->done = answered;
    snprintf(item->sent_version, sizeof(item->sent_version), YK_STR_FMT,
             YK_STR_ARG(object_of(item)->resource_version));
    item->state = YK__ITEM_SENT;
    item->attempts++;
    binding->in_flight++;
    binding->binder->in_flight++;
    yk_api_submit(binding->binder->api, op);
}

static bool may_write(struct yk_volume_binding *binding)
{
    struct yk_volume_binder *binder = binding->binder;
    if (binder->in_flight < YK_VOLUME_WRITES_IN_FLIGHT_MAX)
        return true;
    if (!yk_list_linked(&binding->in_waiting))
        yk_list_append(&binder->waiting, &binding->in_waiting);
    return false;
}

static void pump(struct yk_volume_binder *binder)
{
    while (!binder->stopping && binder->in_flight < YK_VOLUME_WRITES_IN_FLIGHT_MAX &&
           !yk_list_empty(&binder->waiting)) {
        struct yk_volume_binding *next =
            yk_list_first(&binder->waiting, struct yk_volume_binding, in_waiting);
        yk_list_remove(&next->in_waiting);
        step(next);
    }
}

/* ---- answers ---- */

static void try_again(struct yk_volume_binding *binding, struct yk__plan_item *item, int64_t at_least_ns)
{
    unsigned doublings = YK_MIN(item->attempts - 1, 5u);
    int64_t delay_ns = YK_MIN(RETRY_FIRST_NS << doublings, RETRY_MAX_NS);
    item->state = YK__ITEM_UNWRITTEN;
    item->not_before_mono_ns = now_ns(binding->binder) + YK_MAX(delay_ns, at_least_ns);
}

/* Handles the answer to a write. False: the write cannot succeed or has no attempts left, so the binding
 * fails. */
static bool take_answer(struct yk_volume_binding *binding, struct yk__plan_item *item, const struct yk_op *op)
{
    if (item->state != YK__ITEM_SENT) /* the watch has shown the effect before the answer */
        return true;
    switch (op->result) {
    case YK_OP_OK:
        item->state = YK__ITEM_WRITTEN;
        return true;
    case YK_OP_CONFLICT:
        try_again(binding, item, 0);
        if (item->claim->object != NULL && (item->volume == NULL || item->volume->object != NULL) &&
            has_moved(item))
            item->not_before_mono_ns = 0; /* the cache has the version that conflicted: no need to wait */
        break;
    case YK_OP_NOT_FOUND:
    case YK_OP_INVALID:
        return false;
    case YK_OP_GONE:
    case YK_OP_UNAUTHORIZED:
    case YK_OP_RETRY:
    case YK_OP_CANCELLED:
        try_again(binding, item, op->retry_after_ns);
        break;
    }
    return item->attempts < YK_VOLUME_WRITE_ATTEMPTS_MAX;
}

static void tell_failure(const struct yk__plan_item *item, const struct yk_op *op)
{
    yk_warn(yk_log_shim_task, "volume not bound", KV("claim", claim_name(item)),
            KV("volume", item->volume != NULL ? yk_name_text(item->volume->name) : ""),
            KV("node", yk_name_text(item->plan->node)), KV("status", op->http_status),
            KV("err", yk_op_reason(op)), KV("attempts", item->attempts));
}

static void answered(struct yk_op *op)
{
    struct write *write = op->context;
    struct yk_volume_binding *binding = write->binding;
    struct yk_volume_binder *binder = binding->binder;
    binder->in_flight--;
    binding->in_flight--;
    if (binding->plan == NULL) {
        if (binding->in_flight == 0)
            free(binding);
    } else if (!binder->stopping) {
        struct yk__plan_item *item = &binding->plan->items[write->item];
        if (take_answer(binding, item, op)) {
            step(binding);
        } else {
            tell_failure(item, op);
            finish(binding, false, yk_op_reason(op));
        }
    }
    free(write);
    yk_op_free(op);
    pump(binder);
}

/* ---- steps ---- */

/* Whether all volumes of the plan are written, or their claims are bound. Volumes are written before claims,
 * so that a controller that sees the selected node of a claim finds the volumes of the other claims
 * assigned. */
static bool volumes_are_written(const struct yk_volume_plan *plan)
{
    for (uint32_t i = 0; i < plan->item_count; i++) {
        if (plan->items[i].volume != NULL && plan->items[i].state < YK__ITEM_WRITTEN &&
            !yk__claim_is_bound(plan->items[i].claim))
            return false;
    }
    return true;
}

static void write_if_due(struct yk_volume_binding *binding, struct yk__plan_item *item)
{
    if ((item->volume != NULL || volumes_are_written(binding->plan)) && may_write(binding))
        send(binding, item);
}

static void sleep_until_due(struct yk_volume_binding *binding)
{
    int64_t due_ns = binding->deadline_mono_ns, now = now_ns(binding->binder);
    for (uint32_t i = 0; i < binding->plan->item_count; i++) {
        const struct yk__plan_item *item = &binding->plan->items[i];
        if (item->state == YK__ITEM_UNWRITTEN && item->not_before_mono_ns > now)
            due_ns = YK_MIN(due_ns, item->not_before_mono_ns);
    }
    yk_timer_arm(binding->binder->timers, &binding->timer, due_ns - now);
}

static void step(struct yk_volume_binding *binding)
{
    struct yk_volume_binder *binder = binding->binder;
    struct look look = {.binding = binding};
    look.node = yk_cache_find_node(binder->cache, yk_str_from(yk_name_text(binding->plan->node)));
    if (look.node == NULL) {
        finish(binding, false, "binding volumes: the node is gone");
        return;
    }
    bool all_done = true;
    for (uint32_t i = 0; i < binding->plan->item_count; i++) {
        struct yk__plan_item *item = &binding->plan->items[i];
        enum progress progress = look_at_item(&look, item);
        if (progress == FAILED) {
            finish(binding, false, look.err.text);
            return;
        }
        if (progress == TO_WRITE)
            write_if_due(binding, item);
        all_done = all_done && progress == DONE;
    }
    if (all_done)
        finish(binding, true, "");
    else if (now_ns(binder) >= binding->deadline_mono_ns)
        finish(binding, false, "binding volumes: timed out waiting for the claims to be bound");
    else
        sleep_until_due(binding);
}

static void timer_fires(struct yk_timer *timer)
{
    struct yk_volume_binding *binding = (struct yk_volume_binding *)(void *)timer;
    if (!binding->binder->stopping)
        step(binding);
}

static void on_change(struct yk_volume_plan *plan)
{
    struct yk_volume_binding *binding = plan->binding;
    yk_timer_arm(binding->binder->timers, &binding->timer, 0);
}

struct yk_volume_binding *yk_volume_bind(struct yk_volume_binder *binder, struct yk_volume_plan *plan,
                                         yk_volume_bind_done *done, void *context)
{
    struct yk_volume_binding *binding = yk_new0(struct yk_volume_binding);
    binding->timer.fire = timer_fires;
    binding->binder = binder;
    binding->plan = plan;
    binding->deadline_mono_ns = yk_i64_add(now_ns(binder), binder->timeout_ns);
    binding->done = done;
    binding->context = context;
    yk_list_init(&binding->in_waiting);
    plan->binding = binding;
    plan->on_change = on_change;
    on_change(plan);
    return binding;
}

void yk_volume_binder_stop(struct yk_volume_binder *binder)
{
    binder->stopping = true;
}
