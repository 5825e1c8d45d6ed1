/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The checked tree as REST shows it in YAML: docs/reference/rest.md 5.1. Lists are indented by the next
 * multiple of four, what belongs to an entry stands below its first key. What comes out reads back as the
 * same configuration. The emitter of libyaml cannot write this layout: it puts the entries of a list into the
 * column of the key above them.
 */
#include "config/config.h"

#include "base/json_writer.h"
#include "base/yaml_scalar.h"

enum { STEP = 4 };

/* The column of what is nested below a key in column `at`. */
static int below(int at)
{
    return (at + STEP) / STEP * STEP;
}

static void put_indent(struct yk_buf *out, int at)
{
    yk_buf_printf(out, "%*s", at, "");
}

static bool reads_as_itself(struct yk_str text)
{
    if (yk_yaml_scalar_needs_quotes(text))
        return false;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.p[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        bool inside = (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '/';
        if (!letter && !(i > 0 && inside))
            return false;
    }
    return true;
}

static bool is_printable_ascii(struct yk_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.p[i] < ' ' || text.p[i] > '~')
            return false;
    }
    return true;
}

/* Characters that JSON takes as they are and YAML does not; their bytes are `len` long. 0: none begins
 * here. */
static unsigned unreadable_char(struct yk_str text, size_t at, size_t *len)
{
    const unsigned char *p = (const unsigned char *)text.p + at;
    size_t left = text.len - at;
    *len = 1;
    if (p[0] == 0x7f)
        return 0x7f;
    *len = 2;
    if (left >= 2 && p[0] == 0xc2 && p[1] < 0xa0) /* C1 controls */
        return p[1];
    *len = 3;
    if (left >= 3 && p[0] == 0xef && p[1] == 0xbb && p[2] == 0xbf)
        return 0xfeff;
    if (left >= 3 && p[0] == 0xef && p[1] == 0xbf && p[2] >= 0xbe)
        return 0xff00u | (p[2] | 0x40u);
    return 0;
}

/* A JSON string is a YAML one, but for a few characters. */
static void put_double_quoted(struct yk_buf *out, struct yk_str text)
{
    struct yk_buf json = {0};
    yk_json_put_string(&json, text);
    struct yk_str quoted = yk_buf_view(&json);
    for (size_t at = 0; at < quoted.len;) {
        size_t len;
        unsigned code = unreadable_char(quoted, at, &len);
        if (code != 0)
            yk_buf_printf(out, "\\u%04x", code);
        else
            yk_buf_char(out, quoted.p[at]);
        at += code != 0 ? len : 1;
    }
    out->failed = out->failed || json.failed;
    yk_buf_done(&json);
}

static void put_scalar(struct yk_buf *out, struct yk_str text)
{
    if (reads_as_itself(text)) {
        yk_buf_str(out, text);
    } else if (text.len == 0 || !is_printable_ascii(text)) {
        put_double_quoted(out, text);
    } else {
        yk_buf_char(out, '\'');
        for (size_t i = 0; i < text.len; i++) {
            yk_buf_char(out, text.p[i]);
            if (text.p[i] == '\'')
                yk_buf_char(out, '\'');
        }
        yk_buf_char(out, '\'');
    }
}

/* ---- keys and their values ---- */

/* The entry of a list begins with "- ", its other keys stand two columns further. */
struct entry {
    struct yk_buf *out;
    int at;        /* column of its keys */
    bool is_first; /* no key was written yet */
};

static void put_key(struct entry *entry, const char *key)
{
    put_indent(entry->out, entry->is_first ? entry->at - 2 : entry->at);
    if (entry->is_first)
        yk_buf_text(entry->out, "- ");
    entry->is_first = false;
    yk_buf_printf(entry->out, "%s:", key);
}

static void put_text(struct entry *entry, const char *key, struct yk_str text)
{
    put_key(entry, key);
    yk_buf_char(entry->out, ' ');
    put_scalar(entry->out, text);
    yk_buf_char(entry->out, '\n');
}

static void put_text_unless_empty(struct entry *entry, const char *key, struct yk_str text)
{
    if (text.len > 0)
        put_text(entry, key, text);
}

static void put_bool(struct entry *entry, const char *key, bool truth)
{
    put_key(entry, key);
    yk_buf_text(entry->out, truth ? " true\n" : " false\n");
}

static void put_number_unless_zero(struct entry *entry, const char *key, uint64_t number)
{
    if (number == 0)
        return;
    put_key(entry, key);
    yk_buf_printf(entry->out, " %llu\n", (unsigned long long)number);
}

/* A key whose value is nested below it; returns where its keys go. */
static struct entry begin_nested(struct entry *entry, const char *key)
{
    put_key(entry, key);
    yk_buf_char(entry->out, '\n');
    return (struct entry){.out = entry->out, .at = below(entry->at)};
}

static struct entry list_item(const struct entry *list)
{
    return (struct entry){.out = list->out, .at = list->at + 2, .is_first = true};
}

static void put_pairs_unless_empty(struct entry *entry, const char *key, const struct yk_pairs *pairs)
{
    if (pairs->count == 0)
        return;
    struct entry map = begin_nested(entry, key);
    for (uint32_t i = 0; i < pairs->count; i++) {
        put_indent(map.out, map.at);
        put_scalar(map.out, pairs->items[i].key);
        yk_buf_text(map.out, ": ");
        put_scalar(map.out, pairs->items[i].value);
        yk_buf_char(map.out, '\n');
    }
}

static void put_names_unless_empty(struct entry *entry, const char *key, const struct yk_config_names *names)
{
    if (names->count == 0)
        return;
    struct entry list = begin_nested(entry, key);
    for (uint32_t i = 0; i < names->count; i++) {
        put_indent(list.out, list.at);
        yk_buf_text(list.out, "- ");
        put_scalar(list.out, names->items[i]);
        yk_buf_char(list.out, '\n');
    }
}

/* ---- objects; those that are all empty are left out ---- */

static bool resources_empty(const struct yk_config_resources *guaranteed,
                            const struct yk_config_resources *max)
{
    return guaranteed->text.count == 0 && max->text.count == 0;
}

static void put_resources(struct entry *entry, const struct yk_config_resources *guaranteed,
                          const struct yk_config_resources *max)
{
    if (resources_empty(guaranteed, max))
        return;
    struct entry resources = begin_nested(entry, "resources");
    put_pairs_unless_empty(&resources, "guaranteed", &guaranteed->text);
    put_pairs_unless_empty(&resources, "max", &max->text);
}

static void put_limits(struct entry *entry, const struct yk_config_limits *limits)
{
    if (limits->count == 0)
        return;
    struct entry list = begin_nested(entry, "limits");
    for (uint32_t i = 0; i < limits->count; i++) {
        const struct yk_config_limit *limit = &limits->items[i];
        struct entry item = list_item(&list);
        put_text(&item, "limit", limit->text);
        put_names_unless_empty(&item, "users", &limit->users);
        put_names_unless_empty(&item, "groups", &limit->groups);
        put_pairs_unless_empty(&item, "maxresources", &limit->max_resources.text);
        put_number_unless_zero(&item, "maxapplications", limit->max_applications);
    }
}

static void put_template(struct entry *entry, const struct yk_config_template *t)
{
    if (t->max_applications == 0 && t->properties.count == 0 && resources_empty(&t->guaranteed, &t->max))
        return;
    struct entry nested = begin_nested(entry, "childtemplate");
    put_number_unless_zero(&nested, "maxapplications", t->max_applications);
    put_pairs_unless_empty(&nested, "properties", &t->properties);
    put_resources(&nested, &t->guaranteed, &t->max);
}

static void put_queue(const struct entry *list, const struct yk_config_queue *queue)
{
    struct entry item = list_item(list);
    put_text(&item, "name", queue->name);
    if (queue->parent)
        put_bool(&item, "parent", true);
    put_resources(&item, &queue->guaranteed, &queue->max);
    put_number_unless_zero(&item, "maxapplications", queue->max_applications);
    put_pairs_unless_empty(&item, "properties", &queue->properties);
    put_text_unless_empty(&item, "adminacl", queue->admin_acl);
    put_text_unless_empty(&item, "submitacl", queue->submit_acl);
    put_template(&item, &queue->child_template);
    if (queue->queue_count > 0) {
        struct entry children = begin_nested(&item, "queues");
        for (uint32_t i = 0; i < queue->queue_count; i++)
            put_queue(&children, &queue->queues[i]);
    }
    put_limits(&item, &queue->limits);
}

static void put_rule(struct entry *entry, const struct yk_config_rule *rule)
{
    const struct yk_config_filter *filter = &rule->filter;
    put_text(entry, "name", rule->name);
    if (rule->create)
        put_bool(entry, "create", true);
    if (filter->type.len > 0 || filter->users.count > 0 || filter->groups.count > 0) {
        struct entry nested = begin_nested(entry, "filter");
        put_text(&nested, "type", filter->type);
        put_names_unless_empty(&nested, "users", &filter->users);
        put_names_unless_empty(&nested, "groups", &filter->groups);
    }
    if (rule->parent != NULL) {
        struct entry nested = begin_nested(entry, "parent");
        put_rule(&nested, rule->parent);
    }
    put_text_unless_empty(entry, "value", rule->value);
}

static void put_rules(struct entry *entry, const struct yk_config_partition *partition)
{
    if (partition->rule_count == 0)
        return;
    struct entry list = begin_nested(entry, "placementrules");
    for (uint32_t i = 0; i < partition->rule_count; i++) {
        struct entry item = list_item(&list);
        put_rule(&item, &partition->rules[i]);
    }
}

static void put_preemption(struct entry *entry, const struct yk_config_partition *partition)
{
    if (!partition->preemption_set && !partition->quota_preemption_set)
        return;
    struct entry nested = begin_nested(entry, "preemption");
    if (partition->preemption_set)
        put_bool(&nested, "enabled", partition->preemption_enabled);
    if (partition->quota_preemption_set)
        put_bool(&nested, "quotapreemptionenabled", partition->quota_preemption_enabled);
}

static void put_node_sort(struct entry *entry, const struct yk_config_partition *partition)
{
    if (partition->node_sort_type.len == 0 && partition->node_sort_weight_count == 0)
        return;
    struct entry nested = begin_nested(entry, "nodesortpolicy");
    put_text(&nested, "type", partition->node_sort_type);
    if (partition->node_sort_weight_count == 0)
        return;
    struct entry weights = begin_nested(&nested, "resourceweights");
    for (uint32_t i = 0; i < partition->node_sort_weight_count; i++) {
        put_indent(weights.out, weights.at);
        put_scalar(weights.out, partition->node_sort_weights[i].type);
        yk_buf_text(weights.out, ": ");
        yk_json_put_double(weights.out, partition->node_sort_weights[i].weight);
        yk_buf_char(weights.out, '\n');
    }
}

static void put_partition(const struct entry *list, const struct yk_config_partition *partition)
{
    struct entry item = list_item(list);
    put_text(&item, "name", partition->name);
    struct entry queues = begin_nested(&item, "queues");
    put_queue(&queues, &partition->root);
    put_rules(&item, partition);
    put_limits(&item, &partition->limits);
    put_preemption(&item, partition);
    put_node_sort(&item, partition);
    if (partition->resolver.len > 0) {
        struct entry resolver = begin_nested(&item, "usergroupresolver");
        put_text(&resolver, "type", partition->resolver);
    }
}

void yk_config_render_yaml_with(const struct yk_config *config, const struct yk_pairs *extra,
                                struct yk_buf *out)
{
    struct entry top = {.out = out};
    if (config->partition_count == 0) {
        yk_buf_text(out, "partitions: []\n");
    } else {
        struct entry list = begin_nested(&top, "partitions");
        for (uint32_t i = 0; i < config->partition_count; i++)
            put_partition(&list, &config->partitions[i]);
    }
    put_text(&top, "checksum", yk_str_from(config->checksum));
    if (extra != NULL)
        put_pairs_unless_empty(&top, "extra", extra);
    put_bool(&top, "deadlockdetectionenabled", false);
    yk_buf_text(out, "deadlocktimeoutseconds: 60\n");
}

void yk_config_render_yaml(const struct yk_config *config, struct yk_buf *out)
{
    yk_config_render_yaml_with(config, NULL, out);
}
