/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the checked tree as REST shows it in JSON: docs/reference/rest.md 5.1. The keys are the field
 * names of YuniKorn 1.9. */
#include "config/config.h"

#include "base/json_writer.h"

static void put_text(struct yk_json *json, const char *key, struct yk_str text)
{
    yk_json_key(json, key);
    yk_json_str(json, text);
}

static void put_text_unless_empty(struct yk_json *json, const char *key, struct yk_str text)
{
    if (text.len > 0)
        put_text(json, key, text);
}

static void put_number_unless_zero(struct yk_json *json, const char *key, uint64_t number)
{
    if (number == 0)
        return;
    yk_json_key(json, key);
    yk_json_uint(json, number);
}

static void put_true(struct yk_json *json, const char *key, bool truth)
{
    if (!truth)
        return;
    yk_json_key(json, key);
    yk_json_bool(json, true);
}

static void put_names_unless_empty(struct yk_json *json, const char *key, const struct yk_config_names *names)
{
    if (names->count == 0)
        return;
    yk_json_key(json, key);
    yk_json_array_begin(json);
    for (uint32_t i = 0; i < names->count; i++)
        yk_json_str(json, names->items[i]);
    yk_json_array_end(json);
}

static void put_resources(struct yk_json *json, const struct yk_config_resources *guaranteed,
                          const struct yk_config_resources *max)
{
    yk_json_key(json, "Resources");
    yk_json_object_begin(json);
    yk_json_add_pairs(json, "Guaranteed", &guaranteed->text);
    yk_json_add_pairs(json, "Max", &max->text);
    yk_json_object_end(json);
}

static void put_limits_unless_empty(struct yk_json *json, const struct yk_config_limits *limits)
{
    if (limits->count == 0)
        return;
    yk_json_key(json, "Limits");
    yk_json_array_begin(json);
    for (uint32_t i = 0; i < limits->count; i++) {
        const struct yk_config_limit *limit = &limits->items[i];
        yk_json_object_begin(json);
        put_text(json, "Limit", limit->text);
        put_names_unless_empty(json, "Users", &limit->users);
        put_names_unless_empty(json, "Groups", &limit->groups);
        yk_json_add_pairs(json, "MaxResources", &limit->max_resources.text);
        put_number_unless_zero(json, "MaxApplications", limit->max_applications);
        yk_json_object_end(json);
    }
    yk_json_array_end(json);
}

static void put_template(struct yk_json *json, const struct yk_config_template *t)
{
    yk_json_key(json, "ChildTemplate");
    yk_json_object_begin(json);
    put_number_unless_zero(json, "MaxApplications", t->max_applications);
    yk_json_add_pairs(json, "Properties", &t->properties);
    put_resources(json, &t->guaranteed, &t->max);
    yk_json_object_end(json);
}

static void put_queue(struct yk_json *json, const struct yk_config_queue *queue)
{
    yk_json_object_begin(json);
    put_text(json, "Name", queue->name);
    put_true(json, "Parent", queue->parent);
    put_resources(json, &queue->guaranteed, &queue->max);
    put_number_unless_zero(json, "MaxApplications", queue->max_applications);
    yk_json_add_pairs(json, "Properties", &queue->properties);
    put_text_unless_empty(json, "AdminACL", queue->admin_acl);
    put_text_unless_empty(json, "SubmitACL", queue->submit_acl);
    put_template(json, &queue->child_template);
    if (queue->queue_count > 0) {
        yk_json_key(json, "Queues");
        yk_json_array_begin(json);
        for (uint32_t i = 0; i < queue->queue_count; i++)
            put_queue(json, &queue->queues[i]);
        yk_json_array_end(json);
    }
    put_limits_unless_empty(json, &queue->limits);
    yk_json_object_end(json);
}

static void put_rule(struct yk_json *json, const struct yk_config_rule *rule)
{
    yk_json_object_begin(json);
    put_text(json, "Name", rule->name);
    put_true(json, "Create", rule->create);
    yk_json_key(json, "Filter");
    yk_json_object_begin(json);
    put_text(json, "Type", rule->filter.type);
    put_names_unless_empty(json, "Users", &rule->filter.users);
    put_names_unless_empty(json, "Groups", &rule->filter.groups);
    yk_json_object_end(json);
    if (rule->parent != NULL) {
        yk_json_key(json, "Parent");
        put_rule(json, rule->parent);
    }
    put_text_unless_empty(json, "Value", rule->value);
    yk_json_object_end(json);
}

static void put_rules_unless_empty(struct yk_json *json, const struct yk_config_partition *partition)
{
    if (partition->rule_count == 0)
        return;
    yk_json_key(json, "PlacementRules");
    yk_json_array_begin(json);
    for (uint32_t i = 0; i < partition->rule_count; i++)
        put_rule(json, &partition->rules[i]);
    yk_json_array_end(json);
}

static void put_preemption(struct yk_json *json, const struct yk_config_partition *partition)
{
    yk_json_key(json, "Preemption");
    yk_json_object_begin(json);
    if (partition->preemption_set) {
        yk_json_key(json, "Enabled");
        yk_json_bool(json, partition->preemption_enabled);
    }
    if (partition->quota_preemption_set) {
        yk_json_key(json, "QuotaPreemptionEnabled");
        yk_json_bool(json, partition->quota_preemption_enabled);
    }
    yk_json_object_end(json);
}

static void put_node_sort(struct yk_json *json, const struct yk_config_partition *partition)
{
    yk_json_key(json, "NodeSortPolicy");
    yk_json_object_begin(json);
    put_text(json, "Type", partition->node_sort_type);
    if (partition->node_sort_weight_count > 0) {
        yk_json_key(json, "ResourceWeights");
        yk_json_object_begin(json);
        for (uint32_t i = 0; i < partition->node_sort_weight_count; i++) {
            yk_json_key_str(json, partition->node_sort_weights[i].type);
            yk_json_double(json, partition->node_sort_weights[i].weight);
        }
        yk_json_object_end(json);
    }
    yk_json_object_end(json);
}

static void put_partition(struct yk_json *json, const struct yk_config_partition *partition)
{
    yk_json_object_begin(json);
    put_text(json, "Name", partition->name);
    yk_json_key(json, "Queues");
    yk_json_array_begin(json);
    put_queue(json, &partition->root);
    yk_json_array_end(json);
    put_rules_unless_empty(json, partition);
    put_limits_unless_empty(json, &partition->limits);
    put_preemption(json, partition);
    put_node_sort(json, partition);
    yk_json_key(json, "UserGroupResolver");
    yk_json_object_begin(json);
    put_text_unless_empty(json, "type", partition->resolver);
    yk_json_object_end(json);
    yk_json_object_end(json);
}

void yk_config_render_json(const struct yk_config *config, const struct yk_pairs *extra, struct yk_buf *out)
{
    struct yk_json json;
    yk_json_init(&json, out);
    yk_json_object_begin(&json);
    yk_json_key(&json, "Partitions");
    yk_json_array_begin(&json);
    for (uint32_t i = 0; i < config->partition_count; i++)
        put_partition(&json, &config->partitions[i]);
    yk_json_array_end(&json);
    put_text(&json, "Checksum", yk_str_from(config->checksum));
    if (extra != NULL)
        yk_json_add_pairs(&json, "Extra", extra);
    yk_json_key(&json, "DeadlockDetectionEnabled");
    yk_json_bool(&json, false);
    yk_json_key(&json, "DeadlockTimeoutSeconds");
    yk_json_int(&json, 60);
    yk_json_object_end(&json);
}
