/* SPDX-License-Identifier: Apache-2.0 */
/* The keys of queues.yaml and the fields that their values are stored in: docs/reference/queues.md 1.3. */
#include "config/load_priv.h"
#include "config/yaml_values_priv.h"

/* The partitions and the checksum as they are in the text, before take_partitions() makes the tree from
 * them. */
struct raw_partition {
    struct yk_config_partition out;
    struct yk_config_queue *queues;
    uint32_t queue_count;
};

struct raw_config {
    struct raw_partition *partitions;
    uint32_t partition_count;
    struct yk_str checksum;
};

/* base/yaml_decode.h writes a place as two numbers. */
_Static_assert(offsetof(struct yk_config_place, column) == sizeof(uint32_t), "line and column are adjacent");

#define AT(type, member) offsetof(struct type, member)
#define FIELDS(array)    .fields = (array), .field_count = YK_COUNT(array)

static const struct yk_yaml_schema queue_schema;
static const struct yk_yaml_schema rule_schema;

static const struct yk_yaml_field limit_fields[] = {
    {.key = "limit", .kind = YK_YAML_FIELD_TEXT, .offset = AT(yk_config_limit, text)},
    {.key = "users", .read = yk__read_names, .offset = AT(yk_config_limit, users)},
    {.key = "groups", .read = yk__read_names, .offset = AT(yk_config_limit, groups)},
    {.key = "maxresources",
     .read = yk__read_pairs,
     .offset = AT(yk_config_limit, max_resources.text),
     .aside = AT(yk_config_limit, max_resources.is_set)},
    {.key = "maxapplications", .kind = YK_YAML_FIELD_UINT, .offset = AT(yk_config_limit, max_applications)},
};
static const struct yk_yaml_schema limit_schema = {.what = "a limit",
                                                   .size = sizeof(struct yk_config_limit),
                                                   FIELDS(limit_fields),
                                                   .place_offset = AT(yk_config_limit, place)};

static const struct yk_yaml_field filter_fields[] = {
    {.key = "type", .kind = YK_YAML_FIELD_TEXT, .offset = AT(yk_config_filter, type)},
    {.key = "users", .read = yk__read_names, .offset = AT(yk_config_filter, users)},
    {.key = "groups", .read = yk__read_names, .offset = AT(yk_config_filter, groups)},
};
static const struct yk_yaml_schema filter_schema = {
    .what = "a filter", .size = sizeof(struct yk_config_filter), FIELDS(filter_fields)};

static const struct yk_yaml_field rule_fields[] = {
    {.key = "name", .kind = YK_YAML_FIELD_TEXT, .offset = AT(yk_config_rule, name)},
    {.key = "create", .kind = YK_YAML_FIELD_BOOL, .offset = AT(yk_config_rule, create)},
    {.key = "filter",
     .kind = YK_YAML_FIELD_STRUCT,
     .offset = AT(yk_config_rule, filter),
     .schema = &filter_schema},
    {.key = "parent",
     .kind = YK_YAML_FIELD_POINTER,
     .lenient = YK_YAML_LIST_OF_ONE,
     .offset = AT(yk_config_rule, parent),
     .schema = &rule_schema},
    {.key = "value", .kind = YK_YAML_FIELD_TEXT, .offset = AT(yk_config_rule, value)},
};
static const struct yk_yaml_schema rule_schema = {.what = "a placement rule",
                                                  .size = sizeof(struct yk_config_rule),
                                                  FIELDS(rule_fields),
                                                  .place_offset = AT(yk_config_rule, place)};

static const struct yk_yaml_field queue_resource_fields[] = {
    {.key = "guaranteed",
     .read = yk__read_pairs,
     .offset = AT(yk_config_queue, guaranteed.text),
     .aside = AT(yk_config_queue, guaranteed.is_set)},
    {.key = "max",
     .read = yk__read_pairs,
     .offset = AT(yk_config_queue, max.text),
     .aside = AT(yk_config_queue, max.is_set)},
};
/* A mapping in the text, but no struct of its own: offsets are those in struct yk_config_queue. */
static const struct yk_yaml_schema queue_resource_schema = {.what = "resources",
                                                            FIELDS(queue_resource_fields)};

static const struct yk_yaml_field template_resource_fields[] = {
    {.key = "guaranteed",
     .read = yk__read_pairs,
     .offset = AT(yk_config_template, guaranteed.text),
     .aside = AT(yk_config_template, guaranteed.is_set)},
    {.key = "max",
     .read = yk__read_pairs,
     .offset = AT(yk_config_template, max.text),
     .aside = AT(yk_config_template, max.is_set)},
};
static const struct yk_yaml_schema template_resource_schema = {.what = "resources",
                                                               FIELDS(template_resource_fields)};

static const struct yk_yaml_field template_fields[] = {
    {.key = "maxapplications",
     .kind = YK_YAML_FIELD_UINT,
     .offset = AT(yk_config_template, max_applications)},
    {.key = "properties", .read = yk__read_pairs, .offset = AT(yk_config_template, properties)},
    {.key = "resources", .kind = YK_YAML_FIELD_STRUCT, .schema = &template_resource_schema},
};
static const struct yk_yaml_schema template_schema = {
    .what = "a child template", .size = sizeof(struct yk_config_template), FIELDS(template_fields)};

static const struct yk_yaml_field queue_fields[] = {
    {.key = "name", .kind = YK_YAML_FIELD_TEXT, .offset = AT(yk_config_queue, name)},
    {.key = "parent", .kind = YK_YAML_FIELD_BOOL, .offset = AT(yk_config_queue, parent)},
    {.key = "resources", .kind = YK_YAML_FIELD_STRUCT, .schema = &queue_resource_schema},
    {.key = "maxapplications", .kind = YK_YAML_FIELD_UINT, .offset = AT(yk_config_queue, max_applications)},
    {.key = "properties", .read = yk__read_pairs, .offset = AT(yk_config_queue, properties)},
    {.key = "adminacl", .kind = YK_YAML_FIELD_TEXT, .offset = AT(yk_config_queue, admin_acl)},
    {.key = "submitacl", .kind = YK_YAML_FIELD_TEXT, .offset = AT(yk_config_queue, submit_acl)},
    {.key = "childtemplate",
     .kind = YK_YAML_FIELD_STRUCT,
     .offset = AT(yk_config_queue, child_template),
     .schema = &template_schema},
    {.key = "queues",
     .kind = YK_YAML_FIELD_LIST,
     .offset = AT(yk_config_queue, queues),
     .aside = AT(yk_config_queue, queue_count),
     .schema = &queue_schema},
    {.key = "limits",
     .kind = YK_YAML_FIELD_LIST,
     .offset = AT(yk_config_queue, limits.items),
     .aside = AT(yk_config_queue, limits.count),
     .schema = &limit_schema},
};
static const struct yk_yaml_schema queue_schema = {.what = "a queue",
                                                   .size = sizeof(struct yk_config_queue),
                                                   FIELDS(queue_fields),
                                                   .place_offset = AT(yk_config_queue, place)};

static const struct yk_yaml_field preemption_fields[] = {
    {.key = "enabled",
     .kind = YK_YAML_FIELD_BOOL,
     .offset = AT(raw_partition, out.preemption_enabled),
     .aside = AT(raw_partition, out.preemption_set)},
    {.key = "quotapreemptionenabled",
     .kind = YK_YAML_FIELD_BOOL,
     .offset = AT(raw_partition, out.quota_preemption_enabled),
     .aside = AT(raw_partition, out.quota_preemption_set)},
};
static const struct yk_yaml_schema preemption_schema = {.what = "preemption", FIELDS(preemption_fields)};

static const struct yk_yaml_field node_sort_fields[] = {
    {.key = "type", .kind = YK_YAML_FIELD_TEXT, .offset = AT(raw_partition, out.node_sort_type)},
    {.key = "resourceweights",
     .read = yk__read_weights,
     .offset = AT(raw_partition, out.node_sort_weights),
     .aside = AT(raw_partition, out.node_sort_weight_count)},
};
static const struct yk_yaml_schema node_sort_schema = {.what = "a node sort policy",
                                                       FIELDS(node_sort_fields)};

static const struct yk_yaml_field resolver_fields[] = {
    {.key = "type", .kind = YK_YAML_FIELD_TEXT, .offset = AT(raw_partition, out.resolver)},
};
static const struct yk_yaml_schema resolver_schema = {.what = "a user group resolver",
                                                      FIELDS(resolver_fields)};

static const struct yk_yaml_field partition_fields[] = {
    {.key = "name", .kind = YK_YAML_FIELD_TEXT, .offset = AT(raw_partition, out.name)},
    {.key = "queues",
     .kind = YK_YAML_FIELD_LIST,
     .offset = AT(raw_partition, queues),
     .aside = AT(raw_partition, queue_count),
     .schema = &queue_schema},
    {.key = "placementrules",
     .kind = YK_YAML_FIELD_LIST,
     .offset = AT(raw_partition, out.rules),
     .aside = AT(raw_partition, out.rule_count),
     .schema = &rule_schema},
    {.key = "limits",
     .kind = YK_YAML_FIELD_LIST,
     .offset = AT(raw_partition, out.limits.items),
     .aside = AT(raw_partition, out.limits.count),
     .schema = &limit_schema},
    {.key = "preemption", .kind = YK_YAML_FIELD_STRUCT, .schema = &preemption_schema},
    {.key = "nodesortpolicy",
     .kind = YK_YAML_FIELD_STRUCT,
     .lenient = YK_YAML_SCALAR_IS_FIRST,
     .schema = &node_sort_schema},
    {.key = "usergroupresolver", .kind = YK_YAML_FIELD_STRUCT, .schema = &resolver_schema},
};
static const struct yk_yaml_schema partition_schema = {.what = "a partition",
                                                       .size = sizeof(struct raw_partition),
                                                       FIELDS(partition_fields),
                                                       .place_offset = AT(raw_partition, out.place)};

/* GET config shows these keys beside the queues. Its text is accepted as a configuration. */
static enum yk_status skip_shown(struct yk_yaml_decoder *decoder, const struct yk_yaml_field *field,
                                 const struct yk_yaml_node *value, void *object)
{
    char sentence[128];
    (void)object;
    (void)snprintf(sentence, sizeof(sentence),
                   "'%s' is no part of the queues: it has no effect, and YuniKorn 1.9 refuses it",
                   field->key); /* fits */
    decoder->notice(decoder->context, value->line, value->column, sentence);
    return YK_OK;
}

static const struct yk_yaml_field config_fields[] = {
    {.key = "partitions",
     .kind = YK_YAML_FIELD_LIST,
     .offset = AT(raw_config, partitions),
     .aside = AT(raw_config, partition_count),
     .schema = &partition_schema},
    {.key = "checksum", .kind = YK_YAML_FIELD_TEXT, .offset = AT(raw_config, checksum)},
    {.key = "extra", .read = skip_shown},
    {.key = "deadlockdetectionenabled", .read = skip_shown},
    {.key = "deadlocktimeoutseconds", .read = skip_shown},
};
static const struct yk_yaml_schema config_schema = {
    .what = "the configuration", .size = sizeof(struct raw_config), FIELDS(config_fields)};

/* A schema that contains itself, such as that of queues, is visited once. */
static void each_key(const struct yk_yaml_schema *schema, void (*see)(void *context, const char *key),
                     void *context)
{
    for (size_t i = 0; i < schema->field_count; i++) {
        const struct yk_yaml_field *field = &schema->fields[i];
        see(context, field->key);
        if (field->schema != NULL && field->schema != schema)
            each_key(field->schema, see, context);
    }
}

void yk_config_keys_each(void (*see)(void *context, const char *key), void *context)
{
    each_key(&config_schema, see, context);
}

/* ---- from the form of the text to that of the tree ---- */

/* V1: if there is only one top queue and it is named root, it is the root. Otherwise the root is a new queue
 * above all top queues. */
static enum yk_status take_root(struct yk__load *load, struct raw_partition *raw)
{
    struct yk_config_partition *out = &raw->out;
    if (raw->queues == NULL)
        return yk_fail_at(load->err, YK_ERR_INVALID, out->place.line, out->place.column,
                          "partition '" YK_STR_FMT "' has no list of queues", YK_STR_ARG(out->name));
    if (raw->queue_count == 1 && yk_str_is(yk__lower(load, raw->queues[0].name), "root")) {
        memcpy(&out->root, &raw->queues[0], sizeof(out->root)); /* no amounts were parsed yet */
    } else {
        out->root.queues = raw->queues;
        out->root.queue_count = raw->queue_count;
        out->root.place = out->place;
    }
    out->root.name = YK_STR("root");
    out->root.parent = true;
    if (out->root.guaranteed.is_set || out->root.max.is_set)
        return yk_fail_at(load->err, YK_ERR_INVALID, out->root.place.line, out->root.place.column,
                          "the root queue must not have resources, they are those of the nodes");
    return YK_OK;
}

static enum yk_status take_partition(struct yk__load *load, struct raw_partition *raw,
                                     struct yk_strmap *names)
{
    struct yk_config_partition *out = &raw->out;
    struct yk_str lower = yk__lower(load, out->name);
    if (lower.len == 0 || yk_str_is(lower, "default"))
        out->name = lower = YK_STR("default");
    if (yk_strmap_get(names, lower) != NULL)
        return yk_fail_at(load->err, YK_ERR_INVALID, out->place.line, out->place.column,
                          "partition '" YK_STR_FMT "' is there twice", YK_STR_ARG(out->name));
    yk_strmap_put(names, lower, raw);
    if (!out->preemption_set)
        out->preemption_enabled = true;
    out->resolver_place = yk_config_place_of(load->config, out->resolver);
    return take_root(load, raw);
}

static void notice(void *context, uint32_t line, uint32_t column, const char *sentence)
{
    yk__warn_at(context, (struct yk_config_place){line, column}, "%s", sentence);
}

static void placed(void *context, const void *decoded, const struct yk_yaml_node *node)
{
    yk__note_place(context, decoded, (struct yk_config_place){node->line, node->column});
}

static enum yk_status failed(void *context, enum yk_status st, bool of_structure)
{
    struct yk__load *load = context;
    load->incomplete = load->incomplete || of_structure;
    return yk__go_on(load, st);
}

static enum yk_status take_partitions(struct yk__load *load, struct raw_config *raw)
{
    struct yk_config *config = load->config;
    struct yk_strmap names = {0};
    enum yk_status st = YK_OK;
    config->partitions =
        yk_arena_alloc0(&config->arena, yk_size_mul(raw->partition_count, sizeof(*config->partitions)));
    for (uint32_t i = 0; i < raw->partition_count && st == YK_OK; i++) {
        st = take_partition(load, &raw->partitions[i], &names);
        if (st == YK_OK)
            memcpy(&config->partitions[config->partition_count++], &raw->partitions[i].out,
                   sizeof(raw->partitions[i].out));
        else if (load->incomplete)
            st = YK_OK; /* an error that was reported before is the cause */
        else
            st = yk__go_on(load, st);
    }
    yk_strmap_done(&names);
    return st;
}

enum yk_status yk__config_decode(struct yk__load *load, const struct yk_yaml_node *root)
{
    struct raw_config raw = {0};
    struct yk_yaml_decoder decoder = {
        .arena = &load->config->arena,
        .limits = &yk__config_limits,
        .notice = notice,
        .placed = placed,
        .failed = failed,
        .context = load,
        .err = load->err,
    };
    enum yk_status st = yk_yaml_decode(&decoder, &config_schema, root, &raw);
    if (st == YK_OK)
        st = take_partitions(load, &raw);
    if (st != YK_OK)
        return st;
    if (raw.checksum.len <= YK_CONFIG_CHECKSUM_LEN && raw.checksum.len > 0)
        memcpy(load->config->submitted_checksum, raw.checksum.p, raw.checksum.len);
    return YK_OK;
}
