/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the checked tree as REST shows it in YAML: docs/reference/rest.md 5.1. */
#include "config/config.h"

#include "base/json_writer.h"
#include "base/yaml_writer.h"

static void put_key(struct yk_yaml_writer *yaml, const char *key)
{
    yk_yaml_put_text(yaml, yk_str_from(key));
}

static void put_text(struct yk_yaml_writer *yaml, const char *key, struct yk_str text)
{
    put_key(yaml, key);
    yk_yaml_put_text(yaml, text);
}

static void put_text_unless_empty(struct yk_yaml_writer *yaml, const char *key, struct yk_str text)
{
    if (text.len > 0)
        put_text(yaml, key, text);
}

static void put_bool(struct yk_yaml_writer *yaml, const char *key, bool truth)
{
    put_key(yaml, key);
    yk_yaml_put_plain(yaml, truth ? "true" : "false");
}

static void put_number(struct yk_yaml_writer *yaml, const char *key, uint64_t number)
{
    char digits[24];
    (void)snprintf(digits, sizeof(digits), "%llu", (unsigned long long)number); /* always fits */
    put_key(yaml, key);
    yk_yaml_put_plain(yaml, digits);
}

static void put_number_unless_zero(struct yk_yaml_writer *yaml, const char *key, uint64_t number)
{
    if (number != 0)
        put_number(yaml, key, number);
}

static void begin_map(struct yk_yaml_writer *yaml, const char *key)
{
    put_key(yaml, key);
    yk_yaml_map_begin(yaml);
}

static void begin_list(struct yk_yaml_writer *yaml, const char *key)
{
    put_key(yaml, key);
    yk_yaml_list_begin(yaml);
}

static void put_pairs_unless_empty(struct yk_yaml_writer *yaml, const char *key, const struct yk_pairs *pairs)
{
    if (pairs->count == 0)
        return;
    begin_map(yaml, key);
    for (uint32_t i = 0; i < pairs->count; i++) {
        yk_yaml_put_text(yaml, pairs->items[i].key);
        yk_yaml_put_text(yaml, pairs->items[i].value);
    }
    yk_yaml_map_end(yaml);
}

static void put_names_unless_empty(struct yk_yaml_writer *yaml, const char *key,
                                   const struct yk_config_names *names)
{
    if (names->count == 0)
        return;
    begin_list(yaml, key);
    for (uint32_t i = 0; i < names->count; i++)
        yk_yaml_put_text(yaml, names->items[i]);
    yk_yaml_list_end(yaml);
}

/* ---- objects: empty ones are left out ---- */

static bool resources_empty(const struct yk_config_resources *guaranteed,
                            const struct yk_config_resources *max)
{
    return guaranteed->text.count == 0 && max->text.count == 0;
}

static void put_resources(struct yk_yaml_writer *yaml, const struct yk_config_resources *guaranteed,
                          const struct yk_config_resources *max)
{
    if (resources_empty(guaranteed, max))
        return;
    begin_map(yaml, "resources");
    put_pairs_unless_empty(yaml, "guaranteed", &guaranteed->text);
    put_pairs_unless_empty(yaml, "max", &max->text);
    yk_yaml_map_end(yaml);
}

static void put_limit(struct yk_yaml_writer *yaml, const struct yk_config_limit *limit)
{
    yk_yaml_map_begin(yaml);
    put_text(yaml, "limit", limit->text);
    put_names_unless_empty(yaml, "users", &limit->users);
    put_names_unless_empty(yaml, "groups", &limit->groups);
    put_pairs_unless_empty(yaml, "maxresources", &limit->max_resources.text);
    put_number_unless_zero(yaml, "maxapplications", limit->max_applications);
    yk_yaml_map_end(yaml);
}

static void put_limits(struct yk_yaml_writer *yaml, const struct yk_config_limits *limits)
{
    if (limits->count == 0)
        return;
    begin_list(yaml, "limits");
    for (uint32_t i = 0; i < limits->count; i++)
        put_limit(yaml, &limits->items[i]);
    yk_yaml_list_end(yaml);
}

static void put_template(struct yk_yaml_writer *yaml, const struct yk_config_template *t)
{
    if (t->max_applications == 0 && t->properties.count == 0 && resources_empty(&t->guaranteed, &t->max))
        return;
    begin_map(yaml, "childtemplate");
    put_number_unless_zero(yaml, "maxapplications", t->max_applications);
    put_pairs_unless_empty(yaml, "properties", &t->properties);
    put_resources(yaml, &t->guaranteed, &t->max);
    yk_yaml_map_end(yaml);
}

static void put_queue(struct yk_yaml_writer *yaml, const struct yk_config_queue *queue)
{
    yk_yaml_map_begin(yaml);
    put_text(yaml, "name", queue->name);
    if (queue->parent)
        put_bool(yaml, "parent", true);
    put_resources(yaml, &queue->guaranteed, &queue->max);
    put_number_unless_zero(yaml, "maxapplications", queue->max_applications);
    put_pairs_unless_empty(yaml, "properties", &queue->properties);
    put_text_unless_empty(yaml, "adminacl", queue->admin_acl);
    put_text_unless_empty(yaml, "submitacl", queue->submit_acl);
    put_template(yaml, &queue->child_template);
    if (queue->queue_count > 0) {
        begin_list(yaml, "queues");
        for (uint32_t i = 0; i < queue->queue_count; i++)
            put_queue(yaml, &queue->queues[i]);
        yk_yaml_list_end(yaml);
    }
    put_limits(yaml, &queue->limits);
    yk_yaml_map_end(yaml);
}

static void put_filter(struct yk_yaml_writer *yaml, const struct yk_config_filter *filter)
{
    if (filter->type.len == 0 && filter->users.count == 0 && filter->groups.count == 0)
        return;
    begin_map(yaml, "filter");
    put_text(yaml, "type", filter->type);
    put_names_unless_empty(yaml, "users", &filter->users);
    put_names_unless_empty(yaml, "groups", &filter->groups);
    yk_yaml_map_end(yaml);
}

static void put_rule(struct yk_yaml_writer *yaml, const struct yk_config_rule *rule)
{
    yk_yaml_map_begin(yaml);
    put_text(yaml, "name", rule->name);
    if (rule->create)
        put_bool(yaml, "create", true);
    put_filter(yaml, &rule->filter);
    if (rule->parent != NULL) {
        put_key(yaml, "parent");
        put_rule(yaml, rule->parent);
    }
    put_text_unless_empty(yaml, "value", rule->value);
    yk_yaml_map_end(yaml);
}

static void put_rules(struct yk_yaml_writer *yaml, const struct yk_config_partition *partition)
{
    if (partition->rule_count == 0)
        return;
    begin_list(yaml, "placementrules");
    for (uint32_t i = 0; i < partition->rule_count; i++)
        put_rule(yaml, &partition->rules[i]);
    yk_yaml_list_end(yaml);
}

static void put_preemption(struct yk_yaml_writer *yaml, const struct yk_config_partition *partition)
{
    if (!partition->preemption_set && !partition->quota_preemption_set)
        return;
    begin_map(yaml, "preemption");
    if (partition->preemption_set)
        put_bool(yaml, "enabled", partition->preemption_enabled);
    if (partition->quota_preemption_set)
        put_bool(yaml, "quotapreemptionenabled", partition->quota_preemption_enabled);
    yk_yaml_map_end(yaml);
}

static void put_weight(struct yk_yaml_writer *yaml, struct yk_str type, double weight)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf number = {0};
    yk_json_put_double(&number, weight);
    yk_yaml_put_text(yaml, type);
    yk_yaml_put_plain(yaml, yk_buf_cstr(&number));
}

static void put_node_sort(struct yk_yaml_writer *yaml, const struct yk_config_partition *partition)
{
    if (partition->node_sort_type.len == 0 && partition->node_sort_weight_count == 0)
        return;
    begin_map(yaml, "nodesortpolicy");
    put_text(yaml, "type", partition->node_sort_type);
    if (partition->node_sort_weight_count > 0) {
        begin_map(yaml, "resourceweights");
        for (uint32_t i = 0; i < partition->node_sort_weight_count; i++)
            put_weight(yaml, partition->node_sort_weights[i].type, partition->node_sort_weights[i].weight);
        yk_yaml_map_end(yaml);
    }
    yk_yaml_map_end(yaml);
}

static void put_partition(struct yk_yaml_writer *yaml, const struct yk_config_partition *partition)
{
    yk_yaml_map_begin(yaml);
    put_text(yaml, "name", partition->name);
    begin_list(yaml, "queues");
    put_queue(yaml, &partition->root);
    yk_yaml_list_end(yaml);
    put_rules(yaml, partition);
    put_limits(yaml, &partition->limits);
    put_preemption(yaml, partition);
    put_node_sort(yaml, partition);
    if (partition->resolver.len > 0) {
        begin_map(yaml, "usergroupresolver");
        put_text(yaml, "type", partition->resolver);
        yk_yaml_map_end(yaml);
    }
    yk_yaml_map_end(yaml);
}

void yk_config_render_yaml(const struct yk_config *config, const struct yk_pairs *extra, struct yk_buf *out)
{
    struct yk_yaml_writer *yaml = yk_yaml_writer_new(out);
    yk_yaml_map_begin(yaml);
    begin_list(yaml, "partitions");
    for (uint32_t i = 0; i < config->partition_count; i++)
        put_partition(yaml, &config->partitions[i]);
    yk_yaml_list_end(yaml);
    put_text(yaml, "checksum", yk_str_from(config->checksum));
    if (extra != NULL)
        put_pairs_unless_empty(yaml, "extra", extra);
    put_bool(yaml, "deadlockdetectionenabled", false);
    put_number(yaml, "deadlocktimeoutseconds", 60);
    yk_yaml_map_end(yaml);
    (void)yk_yaml_writer_end(yaml); /* `out->failed` says the same */
}
