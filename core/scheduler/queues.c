/* SPDX-License-Identifier: Apache-2.0 */
#include "scheduler/queues.h"

#include "base/log.h"
#include "limits/apply.h"
#include "scheduler/core.h"
#include "scheduler/event_tell.h"
#include "scheduler/housekeeping.h"
#include "scheduler/parking.h"
#include "scheduler/quota.h"
#include "scheduler/ready.h"

#include <jansson.h>

struct yk_activation {
    const struct yk_config_partition *config;
    struct yk_placement *placement;
};

/* ---- prepare: what can fail ---- */

enum yk_status yk_activation_prepare(const struct yk_config_partition *config,
                                     struct yk_activation **ret_activation, struct yk_err *err)
{
    YK_CLEANUP(yk_activation_freep) struct yk_activation *activation = yk_new0(struct yk_activation);
    activation->config = config;
    enum yk_status st = yk_placement_new(config, &activation->placement, err);
    if (st != YK_OK)
        return yk_fail_in(err, st, "partition '" YK_STR_FMT "'", YK_STR_ARG(config->name));
    *ret_activation = yk_move(activation);
    return YK_OK;
}

void yk_activation_free(struct yk_activation *activation)
{
    if (activation == NULL)
        return;
    yk_placement_free(activation->placement);
    free(activation);
}

/* ---- commit: what cannot ---- */

/* T1: pairs with an empty key or value say nothing. */
static void copy_pairs(struct yk_arena *arena, const struct yk_config_pairs *from, struct yk_config_pairs *to)
{
    to->count = 0;
    to->items = yk_arena_alloc0(arena, from->count * sizeof(*to->items));
    for (uint32_t i = 0; i < from->count; i++) {
        if (yk_str_empty(from->items[i].key) || yk_str_empty(from->items[i].value))
            continue;
        to->items[to->count].key = yk_arena_str(arena, from->items[i].key);
        to->items[to->count++].value = yk_arena_str(arena, from->items[i].value);
    }
}

/* R1: a limit counts only if something in it is above zero and nothing below. */
static bool set_limit(struct yk_resvec *to, const struct yk_resvec *from)
{
    to->set = 0;
    if (!yk_resvec_is_positive(from))
        return false;
    yk_resvec_copy(to, from);
    return true;
}

void yk_queues_set_max(const struct yk_partition *partition, struct yk_queue *queue,
                       const struct yk_resvec *amounts)
{
    struct yk_resvec before;
    yk_resvec_copy(&before, &queue->max);
    queue->has_max = set_limit(&queue->max, amounts);
    yk_tell_queue_max(partition, queue, &before);
}

void yk_queues_set_guaranteed(const struct yk_partition *partition, struct yk_queue *queue,
                              const struct yk_resvec *amounts)
{
    struct yk_resvec before;
    yk_resvec_copy(&before, &queue->guaranteed);
    queue->has_guaranteed = set_limit(&queue->guaranteed, amounts);
    yk_tell_queue_guaranteed(partition, queue, &before);
}

static bool template_limit(const struct yk_config_pairs *text, struct yk_resvec *ret)
{
    struct yk_resvec amounts;
    return yk_config_amounts(text, &amounts, NULL) == YK_OK && set_limit(ret, &amounts);
}

static void fill_template(struct yk_queue *queue, const struct yk_config_template *config)
{
    struct yk_queue_template *template = &queue->child_template;
    queue->own_template = config->is_set;
    *template = (struct yk_queue_template){0};
    if (config->is_set) {
        template->is_set = true;
        template->max_apps = config->max_applications;
        copy_pairs(&queue->arena, &config->properties, &template->properties);
        template->has_guaranteed = template_limit(&config->guaranteed.text, &template->guaranteed);
        template->has_max = template_limit(&config->max.text, &template->max);
    }
}

/* T2: the nearest template above counts, as a whole. Its texts are copied: the parent's arena may be replaced
 * alone. */
static void inherit_template(struct yk_queue *queue)
{
    if (queue->own_template || queue->is_leaf || queue->parent == NULL)
        return;
    const struct yk_queue_template *above = &queue->parent->child_template;
    queue->child_template = *above;
    copy_pairs(&queue->arena, &above->properties, &queue->child_template.properties);
}

static void set_acls(struct yk_queue *queue, const struct yk_config_queue *config)
{
    yk_acl_done(&queue->submit_acl);
    yk_acl_done(&queue->admin_acl);
    if (yk_acl_parse(config->submit_acl, &queue->submit_acl, NULL) != YK_OK ||
        yk_acl_parse(config->admin_acl, &queue->admin_acl, NULL) != YK_OK)
        (void)yk_assert_failed("prepare has checked the ACLs", __FILE__, __LINE__); /* left empty: nobody */
}

static void set_type(const struct yk_partition *partition, struct yk_queue *queue, bool is_leaf)
{
    if (queue->is_leaf == is_leaf)
        return;
    queue->is_leaf = is_leaf;
    yk_tell_queue_type(partition, queue);
    yk_info(yk_log_queue, is_leaf ? "queue is a leaf now" : "queue is a parent now",
            KV("queue", queue->path));
}

static void set_state(struct yk_partition *partition, struct yk_queue *queue, enum yk_object_state state)
{
    if (queue->state == state)
        return;
    queue->state = state;
    queue->state_wall_ns = yk_core_now(partition->core);
    yk_info(yk_log_queue, "queue state changed", KV("queue", queue->path),
            KV("state", yk_object_state_name(state)));
}

static void configure_queue(struct yk_partition *partition, struct yk_queue *queue,
                            const struct yk_config_queue *config)
{
    struct yk_arena old =
        queue->arena; /* properties of children may still point into it: freed after their turn */
    queue->arena = (struct yk_arena){0};
    queue->managed = true;
    set_state(partition, queue, YK_STATE_ACTIVE);
    set_type(partition, queue,
             (!config->parent && config->queue_count == 0) || yk_queue_is_recovery(queue)); /* R7 */
    set_acls(queue, config);
    if (queue->parent != NULL) {
        yk_queues_set_max(partition, queue, &config->max.amounts);
        yk_queues_set_guaranteed(partition, queue, &config->guaranteed.amounts);
    }
    queue->max_apps = config->max_applications;
    yk_limits_set(&partition->usages, queue, &config->limits);
    yk_queue_properties_inherit(queue->parent == NULL ? NULL : &queue->parent->properties,
                                &config->properties, &queue->arena, &queue->properties);
    yk_queue_settings_from(&queue->properties, queue->path, &queue->settings);
    fill_template(queue, &config->child_template);
    inherit_template(queue);
    yk_arena_done(&old);
}

void yk_queues_drain(struct yk_partition *partition, struct yk_queue *top)
{
    for (struct yk_queue *queue = top; queue != NULL; queue = yk_queue_next(queue, top)) {
        if (!queue->managed)
            continue;
        set_state(partition, queue, YK_STATE_DRAINING);
        yk_limits_set(&partition->usages, queue, NULL);
        yk_housekeeping_check_queue(partition, queue);
    }
}

/* R12: managed children that the configuration no longer names. */
static void drain_missing(struct yk_partition *partition, struct yk_queue *queue,
                          const struct yk_config_queue *config)
{
    struct yk_strmap named = {0};
    struct yk_vec lowered = {0};
    for (uint32_t i = 0; i < config->queue_count; i++) {
        char *name = yk_str_lower(config->queues[i].name);
        yk_vec_append(&lowered, name);
        (void)yk_strmap_put(&named, yk_str_from(name), &config->queues[i]); /* unique: checked by loading */
    }
    struct yk_queue *child;
    yk_list_foreach (child, &queue->child_list, struct yk_queue, in_children) {
        if (child->managed && yk_strmap_get(&named, yk_str_from(child->name)) == NULL)
            yk_queues_drain(partition, child);
    }
    char *name;
    yk_vec_foreach (name, &lowered)
        free(name);
    yk_vec_done(&lowered);
    yk_strmap_done(&named);
}

static void configure_branch(struct yk_partition *partition, struct yk_queue *queue,
                             const struct yk_config_queue *config)
{
    configure_queue(partition, queue, config);
    drain_missing(partition, queue, config);
    for (uint32_t i = 0; i < config->queue_count; i++) {
        const struct yk_config_queue *below = &config->queues[i];
        YK_CLEANUP(yk_freep) char *name = yk_str_lower(below->name);
        struct yk_queue *child = yk_queue_child(queue, yk_str_from(name));
        if (child == NULL) {
            child = yk_queue_new(queue, below->name, true, true, yk_core_now(partition->core));
            yk_tell_queue_added(partition, child);
            yk_info(yk_log_queue, "queue added", KV("queue", child->path));
        }
        configure_branch(partition, child, below);
    }
}

/* Dynamic parents take the nearest template anew (T4). */
static void refresh_dynamic_templates(struct yk_partition *partition)
{
    for (struct yk_queue *queue = partition->root; queue != NULL;
         queue = yk_queue_next(queue, partition->root)) {
        if (queue->managed || queue->is_leaf)
            continue;
        yk_arena_done(&queue->arena);
        queue->properties = (struct yk_config_pairs){0};
        inherit_template(queue);
    }
}

void yk_activation_commit(struct yk_partition *partition, struct yk_activation *activation)
{
    const struct yk_config_partition *config = activation->config;
    yk_placement_free(partition->placement);
    partition->placement = yk_move(activation->placement);
    yk_users_free(partition->users);
    partition->users = yk_users_new(config->resolver);
    partition->preemption_enabled = config->preemption_enabled;
    partition->quota_preemption_enabled = config->quota_preemption_enabled;
    yk_node_order_configure(&partition->node_order, config);
    configure_branch(partition, partition->root, &config->root);
    refresh_dynamic_templates(partition);
    yk_ready_rebuild(partition->root);
    yk_wake_all(partition);
    yk_quota_reloaded(partition);
    yk_activation_free(activation);
}

/* ---- dynamic queues ---- */

static void apply_template(const struct yk_partition *partition, struct yk_queue *leaf,
                           const struct yk_queue_template *template)
{
    if (!template->is_set || yk_queue_is_recovery(leaf))
        return;
    leaf->max_apps = template->max_apps;
    yk_queues_set_max(partition, leaf, &template->max);
    yk_queues_set_guaranteed(partition, leaf, &template->guaranteed);
    copy_pairs(&leaf->arena, &template->properties, &leaf->properties);
    yk_queue_settings_from(&leaf->properties, leaf->path, &leaf->settings);
    yk_queue_update_fair_max(leaf);
}

static struct yk_queue *create_one(struct yk_partition *partition, struct yk_queue *parent,
                                   struct yk_str name, bool is_leaf)
{
    struct yk_queue *queue = yk_queue_new(parent, name, is_leaf, false, yk_core_now(partition->core));
    yk_tell_queue_added(partition, queue);
    if (is_leaf)
        apply_template(partition, queue, &parent->child_template);
    else
        inherit_template(queue);
    yk_info(yk_log_queue, "queue added", KV("queue", queue->path), KV("dynamic", true));
    return queue;
}

static enum yk_status check_new_path(const struct yk_queue *parent, struct yk_str path, struct yk_str rest,
                                     struct yk_err *err)
{
    struct yk_str part;
    uint32_t depth = parent->depth;
    if (parent->is_leaf)
        return yk_fail(err, YK_ERR_INVALID, "queue '" YK_STR_FMT "' cannot be created below leaf '%s'",
                       YK_STR_ARG(path), parent->path);
    if (yk_queue_is_draining(parent))
        return yk_fail(err, YK_ERR_STATE, "queue '" YK_STR_FMT "' cannot be created: '%s' is draining",
                       YK_STR_ARG(path), parent->path);
    while (yk_str_split(&rest, '.', &part)) {
        if (!yk_queue_name_valid(part))
            return yk_fail(err, YK_ERR_INVALID,
                           "queue '" YK_STR_FMT "': '" YK_STR_FMT "' is not a queue name", YK_STR_ARG(path),
                           YK_STR_ARG(part));
        if (++depth > YK_CONFIG_DEPTH_MAX)
            return yk_fail(err, YK_ERR_LIMIT, "queue '" YK_STR_FMT "' is deeper than %d levels",
                           YK_STR_ARG(path), YK_CONFIG_DEPTH_MAX);
    }
    return YK_OK;
}

enum yk_status yk_queues_find_or_create(struct yk_partition *partition, struct yk_str path,
                                        struct yk_queue **ret_leaf, struct yk_err *err)
{
    struct yk_str rest, part;
    struct yk_queue *queue = yk_queue_find_deepest(partition->root, path, &rest);
    if (queue == NULL)
        return yk_fail(err, YK_ERR_INVALID, "queue '" YK_STR_FMT "' is not below the root", YK_STR_ARG(path));
    if (rest.p != NULL) {
        enum yk_status st = check_new_path(queue, path, rest, err);
        if (st != YK_OK)
            return st;
        while (yk_str_split(&rest, '.', &part))
            queue = create_one(partition, queue, part, rest.p == NULL);
    }
    if (!queue->is_leaf)
        return yk_fail(err, YK_ERR_INVALID, "queue '%s' is not a leaf", queue->path);
    *ret_leaf = queue;
    return YK_OK;
}

enum { TAG_BYTES_MAX = 64 << 10 };

enum yk_status yk_queues_parse_resource_tag(const char *json, struct yk_resvec *ret_amounts)
{
    if (strlen(json) > TAG_BYTES_MAX)
        return YK_ERR_LIMIT;
    json_t *root = json_loads(json, JSON_REJECT_DUPLICATES, NULL);
    json_t *resources = json_object_get(root, "resources"), *entry;
    const char *name;
    enum yk_status st = json_is_object(resources) ? YK_OK : YK_ERR_INVALID;
    ret_amounts->set = 0;
    json_object_foreach(resources, name, entry)
    {
        int type = yk_restype_find(yk_str_from(name));
        const json_t *value = json_object_get(entry, "value");
        if (!json_is_integer(value))
            st = YK_ERR_INVALID;
        else if (type !=
                 YK_RESTYPE_UNKNOWN) /* nobody has it: a namespace may not use up the table of types */
            yk_resvec_put(ret_amounts, type, json_integer_value(value));
    }
    json_decref(root);
    return st;
}
