/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/yaml_fields.h"

#include "base/clock.h"
#include "simulate/objects.h"

enum { KEYS_MAX = 1000 };

static enum yk_status fail_parser(struct yk_yaml *yaml, const yaml_parser_t *parser)
{
    return yk_fail(yaml->err, YK_ERR_INVALID, "line %zu: %s", parser->problem_mark.line + 1,
                   parser->problem != NULL ? parser->problem : "not YAML");
}

/* Nothing reads what stands behind the first document, so only empty documents may follow. */
static enum yk_status check_rest(struct yk_yaml *yaml, yaml_parser_t *parser)
{
    for (;;) {
        yaml_document_t more;
        if (!yaml_parser_load(parser, &more))
            return fail_parser(yaml, parser);
        const yaml_node_t *root = yaml_document_get_root_node(&more);
        bool ended = root == NULL;
        bool empty = ended || (root->type == YAML_SCALAR_NODE && root->data.scalar.length == 0);
        size_t line = ended ? 0 : root->start_mark.line + 1;
        yaml_document_delete(&more);
        if (!empty)
            return yk_fail(yaml->err, YK_ERR_INVALID,
                           "line %zu: a second document: a '---' line before it ends the first one", line);
        if (ended)
            return YK_OK;
    }
}

enum yk_status yk_yaml_load(struct yk_yaml *yaml, struct yk_str text, struct yk_arena *arena,
                            struct yk_err *err)
{
    *yaml = (struct yk_yaml){.arena = arena, .err = err};
    if (text.len > YK_YAML_BYTES_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "%zu bytes are more than %d", text.len, YK_YAML_BYTES_MAX);
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        abort(); /* out of memory */
    yaml_parser_set_input_string(&parser, (const unsigned char *)(text.p != NULL ? text.p : ""), text.len);
    yaml->loaded = yaml_parser_load(&parser, &yaml->document) != 0;
    enum yk_status status = yaml->loaded ? check_rest(yaml, &parser) : fail_parser(yaml, &parser);
    yaml_parser_delete(&parser);
    return status;
}

void yk_yaml_done(struct yk_yaml *yaml)
{
    if (yaml->loaded)
        yaml_document_delete(&yaml->document);
    yaml->loaded = false;
}

const yaml_node_t *yk_yaml_root(struct yk_yaml *yaml)
{
    return yaml_document_get_root_node(&yaml->document);
}

enum yk_status yk_yaml_fail(struct yk_yaml *yaml, const yaml_node_t *node, const char *format, ...)
{
    char text[YK_ERR_TEXT_MAX / 2];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args); /* cut */
    va_end(args);
    return yk_fail(yaml->err, YK_ERR_INVALID, "line %zu: %s", node->start_mark.line + 1, text);
}

static struct yk_str text_of(const yaml_node_t *node)
{
    return (struct yk_str){(const char *)node->data.scalar.value, node->data.scalar.length};
}

static enum yk_status expect(struct yk_yaml *yaml, const yaml_node_t *node, yaml_node_type_t type,
                             const char *what)
{
    if (++yaml->reads > YK_YAML_READS_MAX)
        return yk_fail(yaml->err, YK_ERR_LIMIT, "more than %d values", YK_YAML_READS_MAX);
    if (node->type != type)
        return yk_yaml_fail(yaml, node, "%s is expected here", what);
    return YK_OK;
}

static const yaml_node_t *node_at(struct yk_yaml *yaml, int index)
{
    return yaml_document_get_node(&yaml->document, index);
}

/* ---- mappings ---- */

static const struct yk_yaml_field *field_for(const struct yk_yaml_field *fields, size_t count,
                                             struct yk_str key)
{
    for (size_t i = 0; i < count; i++) {
        if (yk_str_is(key, fields[i].key))
            return &fields[i];
    }
    return NULL;
}

static enum yk_status refuse_key(struct yk_yaml *yaml, const yaml_node_t *key,
                                 const struct yk_yaml_field *fields, size_t count)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf known = {0};
    for (size_t i = 0; i < count; i++)
        yk_buf_printf(&known, "%s%s", i > 0 ? ", " : "", fields[i].key);
    return yk_yaml_fail(yaml, key, "unknown key '" YK_STR_FMT "'; known here: %s", YK_STR_ARG(text_of(key)),
                        yk_buf_cstr(&known));
}

static enum yk_status check_required(struct yk_yaml *yaml, const yaml_node_t *node,
                                     const struct yk_yaml_field *fields, size_t count, uint64_t seen)
{
    for (size_t i = 0; i < count; i++) {
        if (fields[i].required && (seen >> i & 1) == 0)
            return yk_yaml_fail(yaml, node, "'%s' is missing", fields[i].key);
    }
    return YK_OK;
}

enum yk_status yk_yaml_map(struct yk_yaml *yaml, const yaml_node_t *node, const struct yk_yaml_field *fields,
                           size_t count, void *target)
{
    enum yk_status status = expect(yaml, node, YAML_MAPPING_NODE, "a mapping");
    uint64_t seen = 0; /* no table has more than 64 rows */
    if (status != YK_OK)
        return status;
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top;
         pair++) {
        const yaml_node_t *key = node_at(yaml, pair->key);
        status = expect(yaml, key, YAML_SCALAR_NODE, "a key");
        if (status != YK_OK)
            return status;
        const struct yk_yaml_field *field = field_for(fields, count, text_of(key));
        if (field == NULL)
            return refuse_key(yaml, key, fields, count);
        uint64_t bit = UINT64_C(1) << (field - fields);
        if ((seen & bit) != 0)
            return yk_yaml_fail(yaml, key, "'%s' is there twice", field->key);
        seen |= bit;
        status = field->read(yaml, node_at(yaml, pair->value), (char *)target + field->offset);
        if (status != YK_OK)
            return status;
    }
    return check_required(yaml, node, fields, count, seen);
}

enum yk_status yk_yaml_list(struct yk_yaml *yaml, const yaml_node_t *node, uint32_t max, size_t item_bytes,
                            enum yk_status (*read)(struct yk_yaml *, const yaml_node_t *, void *),
                            void **ret_items, uint32_t *ret_count)
{
    enum yk_status status = expect(yaml, node, YAML_SEQUENCE_NODE, "a list");
    if (status != YK_OK)
        return status;
    size_t count = (size_t)(node->data.sequence.items.top - node->data.sequence.items.start);
    if (count > max)
        return yk_yaml_fail(yaml, node, "%zu entries are more than %u", count, max);
    char *items = yk_arena_alloc0(yaml->arena, yk_size_mul(count, item_bytes));
    for (size_t i = 0; i < count; i++) {
        status = read(yaml, node_at(yaml, node->data.sequence.items.start[i]), items + i * item_bytes);
        if (status != YK_OK)
            return status;
    }
    *ret_items = items;
    *ret_count = (uint32_t)count;
    return YK_OK;
}

/* ---- values ---- */

enum yk_status yk_yaml_text(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    enum yk_status status = expect(yaml, node, YAML_SCALAR_NODE, "a text");
    if (status != YK_OK)
        return status;
    struct yk_str text = text_of(node);
    if (memchr(text.p, '\0', text.len) != NULL)
        return yk_yaml_fail(yaml, node, "the text holds a zero byte");
    *(struct yk_str *)target = yk_arena_str(yaml->arena, text);
    return YK_OK;
}

enum yk_status yk_yaml_name(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    struct yk_str name = {0};
    enum yk_status status = yk_yaml_text(yaml, node, &name);
    if (status == YK_OK && yk_str_empty(name))
        return yk_yaml_fail(yaml, node, "the name is empty");
    if (status == YK_OK)
        *(struct yk_str *)target = name;
    return status;
}

/* `parse` writes to `target` only what it takes. */
static enum yk_status read_scalar(struct yk_yaml *yaml, const yaml_node_t *node, const char *what,
                                  bool (*parse)(struct yk_str text, void *target), const char *refusal,
                                  void *target)
{
    enum yk_status status = expect(yaml, node, YAML_SCALAR_NODE, what);
    if (status == YK_OK && !parse(text_of(node), target))
        return yk_yaml_fail(yaml, node, "'" YK_STR_FMT "' is %s", YK_STR_ARG(text_of(node)), refusal);
    return status;
}

static bool parse_duration(struct yk_str text, void *target)
{
    int64_t ns;
    if (yk_duration_parse(text, &ns) != YK_OK || ns < 0)
        return false;
    *(int64_t *)target = ns;
    return true;
}

enum yk_status yk_yaml_duration(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    return read_scalar(yaml, node, "a duration", parse_duration, "not a duration like 1m30s", target);
}

static bool parse_u64(struct yk_str text, void *target)
{
    return yk_str_to_u64(text, target) == YK_OK;
}

enum yk_status yk_yaml_u64(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    return read_scalar(yaml, node, "a number", parse_u64, "not a number", target);
}

static bool parse_i32(struct yk_str text, void *target)
{
    int64_t number;
    if (yk_str_to_i64(text, &number) != YK_OK || number < INT32_MIN || number > INT32_MAX)
        return false;
    *(int32_t *)target = (int32_t)number;
    return true;
}

enum yk_status yk_yaml_i32(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    return read_scalar(yaml, node, "a number", parse_i32, "not a number of 32 bits", target);
}

static bool parse_unit(struct yk_str text, void *target)
{
    char *end = NULL;
    double number = strtod(text.p, &end); /* libyaml terminates its texts */
    if (end == text.p || *end != '\0' || !(number >= 0 && number <= 1))
        return false;
    *(double *)target = number;
    return true;
}

enum yk_status yk_yaml_unit(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    return read_scalar(yaml, node, "a number", parse_unit, "not a number between 0 and 1", target);
}

static bool parse_bool(struct yk_str text, void *target)
{
    return yk_str_to_bool(text, target) == YK_OK;
}

enum yk_status yk_yaml_bool(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    return read_scalar(yaml, node, "true or false", parse_bool, "neither true nor false", target);
}

static enum yk_status count_pairs(struct yk_yaml *yaml, const yaml_node_t *node, size_t *ret_count)
{
    enum yk_status status = expect(yaml, node, YAML_MAPPING_NODE, "a mapping");
    if (status != YK_OK)
        return status;
    *ret_count = (size_t)(node->data.mapping.pairs.top - node->data.mapping.pairs.start);
    if (*ret_count > KEYS_MAX)
        return yk_yaml_fail(yaml, node, "%zu entries are more than %d", *ret_count, KEYS_MAX);
    return YK_OK;
}

enum yk_status yk_yaml_pairs(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    struct yk_pairs *pairs = target;
    size_t count = 0;
    enum yk_status status = count_pairs(yaml, node, &count);
    if (status != YK_OK)
        return status;
    struct yk_pair *items = yk_arena_alloc0(yaml->arena, count * sizeof(*items));
    for (size_t i = 0; i < count && status == YK_OK; i++) {
        const yaml_node_pair_t *pair = &node->data.mapping.pairs.start[i];
        status = yk_yaml_text(yaml, node_at(yaml, pair->key), &items[i].key);
        if (status == YK_OK)
            status = yk_yaml_text(yaml, node_at(yaml, pair->value), &items[i].value);
    }
    if (status == YK_OK)
        *pairs = (struct yk_pairs){items, (uint32_t)count};
    return status;
}

enum yk_status yk_yaml_amounts(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    struct yk_pairs texts = {0};
    enum yk_status status = yk_yaml_pairs(yaml, node, &texts);
    if (status != YK_OK)
        return status;
    struct yk_amount *items = yk_arena_alloc0(yaml->arena, texts.count * sizeof(*items));
    for (uint32_t i = 0; i < texts.count; i++) {
        status = yk_sim_amount(texts.items[i].key, texts.items[i].value, &items[i], yaml->err);
        if (status != YK_OK)
            return yk_fail_in(yaml->err, status, "line %zu", node->start_mark.line + 1);
    }
    *(struct yk_amounts *)target = (struct yk_amounts){items, texts.count};
    return YK_OK;
}
