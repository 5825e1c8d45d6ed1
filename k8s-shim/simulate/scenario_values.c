/* SPDX-License-Identifier: Apache-2.0 */
/* The readers of the values of a scenario. Each reads one YAML node. */
#include "simulate/scenario_priv.h"

#include "base/clock.h"
#include "base/yaml_scalar.h"
#include "simulate/objects.h"

enum { NAME_BYTES_MAX = 200 }; /* numbers are appended, and names of Kubernetes have at most 253 bytes */

static void *target_of(const struct yk_yaml_field *field, void *object)
{
    return (char *)object + field->offset;
}

/* ---- texts ---- */

static enum yk_status read_name(struct yk_yaml_decoder *d, const struct yk_yaml_field *field,
                                const struct yk_yaml_node *node, void *item)
{
    const struct yk_yaml_node *value = yk_yaml_behind(node);
    if (value->kind != YK_YAML_SCALAR)
        return yk_yaml_fail_shape(d, value, field->key, "a text");
    if (value->u.text.len == 0)
        return yk_yaml_fail(d, node, "the name is empty");
    return yk_yaml_text(d, value, item);
}

YK__READER(yk__sim_name)
{
    return read_name(decoder, field, value, target_of(field, object));
}

YK__READER(yk__sim_short_name)
{
    if (value->kind == YK_YAML_SCALAR && value->u.text.len > NAME_BYTES_MAX)
        return yk_yaml_fail(decoder, value, "the name is longer than %d bytes", NAME_BYTES_MAX);
    return yk__sim_name(decoder, field, value, object);
}

YK__READER(yk__sim_names)
{
    uint32_t *count = (void *)((char *)object + field->aside);
    return yk_yaml_list(decoder, field, value, sizeof(struct yk_str), read_name, target_of(field, object),
                        count);
}

YK__READER(yk__sim_word)
{
    const struct yk__words *words = field->detail;
    YK_CLEANUP(yk_buf_done) struct yk_buf known = {0};
    if (value->kind != YK_YAML_SCALAR)
        return yk_yaml_fail_shape(decoder, value, field->key, "a text");
    for (size_t i = 0; i < words->count; i++) {
        if (words->items[i] != NULL && yk_str_is(value->u.text, words->items[i])) {
            *(int *)target_of(field, object) = (int)i;
            return YK_OK;
        }
        yk_buf_printf(&known, "%s%s", i > 0 ? ", " : "", words->items[i]);
    }
    return yk_yaml_fail(decoder, value, "'" YK_STR_FMT "' is none of %s", YK_STR_ARG(value->u.text),
                        yk_buf_cstr(&known));
}

/* ---- numbers ---- */

/* Reads a scalar with `parse`. If the text is not a value, `parse` returns false and leaves `target` as it
 * is. `refusal` is then the end of the message, such as "not a number". */
static enum yk_status read_scalar(struct yk_yaml_decoder *d, const struct yk_yaml_field *field,
                                  const struct yk_yaml_node *value, const char *what,
                                  bool (*parse)(struct yk_str text, void *target), const char *refusal,
                                  void *object)
{
    if (value->kind != YK_YAML_SCALAR)
        return yk_yaml_fail_shape(d, value, field->key, what);
    if (!parse(value->u.text, target_of(field, object)))
        return yk_yaml_fail(d, value, "'" YK_STR_FMT "' is %s", YK_STR_ARG(value->u.text), refusal);
    return YK_OK;
}

static bool parse_duration(struct yk_str text, void *target)
{
    int64_t ns;
    if (yk_duration_parse(text, &ns) != YK_OK || ns < 0)
        return false;
    *(int64_t *)target = ns;
    return true;
}

YK__READER(yk__sim_duration)
{
    return read_scalar(decoder, field, value, "a duration", parse_duration, "not a duration like 1m30s",
                       object);
}

static bool parse_u64(struct yk_str text, void *target)
{
    return yk_str_to_u64(text, target) == YK_OK;
}

YK__READER(yk__sim_u64)
{
    return read_scalar(decoder, field, value, "a number", parse_u64, "not a number", object);
}

YK__READER(yk__sim_count)
{
    uint64_t *count = target_of(field, object);
    enum yk_status status = yk__sim_u64(decoder, field, value, object);
    if (status == YK_OK && (*count == 0 || *count > YK_SCENARIO_PODS_MAX))
        return yk_yaml_fail(decoder, value, "%llu is not between 1 and %d", (unsigned long long)*count,
                            YK_SCENARIO_PODS_MAX);
    return status;
}

static bool parse_i64(struct yk_str text, void *target)
{
    int64_t number;
    if (yk_str_to_i64(text, &number) != YK_OK || number < 0)
        return false;
    *(int64_t *)target = number;
    return true;
}

YK__READER(yk__sim_i64)
{
    return read_scalar(decoder, field, value, "a number", parse_i64, "not a number", object);
}

static bool parse_i32(struct yk_str text, void *target)
{
    int64_t number;
    if (yk_str_to_i64(text, &number) != YK_OK || number < INT32_MIN || number > INT32_MAX)
        return false;
    *(int32_t *)target = (int32_t)number;
    return true;
}

YK__READER(yk__sim_i32)
{
    return read_scalar(decoder, field, value, "a number", parse_i32, "not a number of 32 bits", object);
}

static bool parse_unit(struct yk_str text, void *target)
{
    char *end = NULL;
    double number = strtod(text.p, &end); /* texts of nodes are terminated */
    if (end == text.p || *end != '\0' || !(number >= 0 && number <= 1))
        return false;
    *(double *)target = number;
    return true;
}

YK__READER(yk__sim_unit)
{
    return read_scalar(decoder, field, value, "a number", parse_unit, "not a number between 0 and 1", object);
}

static bool parse_bool(struct yk_str text, void *target)
{
    return yk_str_to_bool(text, target) == YK_OK;
}

YK__READER(yk__sim_bool)
{
    return read_scalar(decoder, field, value, "true or false", parse_bool, "neither true nor false", object);
}

/* ---- mappings with any keys ---- */

static enum yk_status read_pair(struct yk_yaml_decoder *d, const struct yk_yaml_field *field,
                                const struct yk_yaml_node *node, void *item)
{
    const struct yk_yaml_node *value = yk_yaml_behind(node);
    if (value->kind != YK_YAML_SCALAR)
        return yk_yaml_fail_shape(d, node, field->key, "a text");
    return yk_yaml_text(d, value, &((struct yk_pair *)item)->value);
}

YK__READER(yk__sim_pairs)
{
    struct yk_pairs *pairs = target_of(field, object);
    return yk_yaml_map(decoder, field, value, sizeof(*pairs->items), false, read_pair,
                       (void **)(void *)&pairs->items, &pairs->count);
}

static enum yk_status read_amount(struct yk_yaml_decoder *d, const struct yk_yaml_field *field,
                                  const struct yk_yaml_node *node, void *item)
{
    struct yk_amount *amount = item;
    const struct yk_yaml_node *value = yk_yaml_behind(node);
    if (value->kind != YK_YAML_SCALAR)
        return yk_yaml_fail_shape(d, node, field->key, "a text");
    enum yk_status status = yk_sim_amount(amount->name, value->u.text, amount, d->err);
    return status == YK_OK ? YK_OK : yk_fail_is_at(d->err, status, node->line, node->column);
}

YK__READER(yk__sim_amounts)
{
    struct yk_amounts *amounts = target_of(field, object);
    return yk_yaml_map(decoder, field, value, sizeof(*amounts->items), false, read_amount,
                       (void **)(void *)&amounts->items, &amounts->count);
}
