/* SPDX-License-Identifier: Apache-2.0 */
#include "base/yaml_decode.h"

#include "base/map.h"
#include "base/yaml_scalar.h"

enum { DEPTH_SLACK = 16 }; /* levels that schemas need beside the structs that limits->depth counts */

/* ---- errors ---- */

#define FAIL(d, status, node, format, ...)                                                                   \
    yk_fail_at((d)->err, status, (node)->line, (node)->column, format, __VA_ARGS__)

enum yk_status yk_yaml_fail(struct yk_yaml_decoder *d, const struct yk_yaml_node *node, const char *format,
                            ...)
{
    char sentence[YK_ERR_TEXT_MAX];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(sentence, sizeof(sentence), format, args); /* a longer text is cut */
    va_end(args);
    return FAIL(d, YK_ERR_INVALID, node, "%s", sentence);
}

enum yk_status yk_yaml_fail_shape(struct yk_yaml_decoder *d, const struct yk_yaml_node *value,
                                  const char *key, const char *wanted)
{
    if (d->names_keys)
        return FAIL(d, YK_ERR_INVALID, value, "%s is expected here", wanted);
    return FAIL(d, YK_ERR_INVALID, value, "field '%s' must be %s, not %s", key, wanted,
                yk_yaml_kind_word(value));
}

static enum yk_status fail_scalar(struct yk_yaml_decoder *d, const struct yk_yaml_node *node, const char *key,
                                  const char *wanted)
{
    return FAIL(d, YK_ERR_INVALID, node, "field '%s': '" YK_STR_FMT "' is not %s", key,
                YK_STR_ARG(node->u.text), wanted);
}

static enum yk_status go_on(struct yk_yaml_decoder *d, enum yk_status st, bool of_structure)
{
    return st != YK_OK && d->failed != NULL ? d->failed(d->context, st, of_structure) : st;
}

/* ---- following aliases ---- */

/*
 * Sets `*ret_value` to `node` or the target of its alias; call leave() after the value was decoded, also
 * after an error. Each value that is decoded because of an alias is counted, so that a few lines of aliases
 * of aliases take bounded time.
 */
static enum yk_status enter(struct yk_yaml_decoder *d, const struct yk_yaml_node *node,
                            const struct yk_yaml_node **ret_value)
{
    *ret_value = yk_yaml_behind(node);
    d->via_alias += node->kind == YK_YAML_ALIAS;
    if (d->via_alias > 0 && ++d->repeated > d->limits->nodes)
        return FAIL(d, YK_ERR_LIMIT, node, "aliases repeat more than %zu values", d->limits->nodes);
    return YK_OK;
}

static void leave(struct yk_yaml_decoder *d, const struct yk_yaml_node *node)
{
    d->via_alias -= node->kind == YK_YAML_ALIAS;
}

static enum yk_status deepen(struct yk_yaml_decoder *d, const struct yk_yaml_node *mapping)
{
    if (++d->depth > d->limits->depth + DEPTH_SLACK)
        return FAIL(d, YK_ERR_LIMIT, mapping, "nested deeper than %u levels", d->limits->depth);
    return YK_OK;
}

static bool is_null(const struct yk_yaml_node *value)
{
    return value->kind == YK_YAML_SCALAR && yk_yaml_scalar_is_null(value);
}

/* ---- memory ---- */

static enum yk_status reserve(struct yk_yaml_decoder *d, const struct yk_yaml_node *node, size_t bytes)
{
    size_t max = d->limits->memory_bytes;
    if (bytes > max || d->arena->used > max - bytes)
        return FAIL(d, YK_ERR_LIMIT, node, "the values need more than %zu bytes", max);
    return YK_OK;
}

static enum yk_status array_new(struct yk_yaml_decoder *d, const struct yk_yaml_field *field,
                                const struct yk_yaml_node *node, size_t count, size_t item_bytes,
                                void **ret_items)
{
    size_t bytes = yk_size_mul(YK_MAX(count, (size_t)1), item_bytes);
    if (field->max != 0 && count > field->max)
        return FAIL(d, YK_ERR_LIMIT, node, "%zu %s are more than %u", count, field->key, field->max);
    enum yk_status st = reserve(d, node, bytes);
    if (st == YK_OK)
        *ret_items = yk_arena_alloc0(d->arena, bytes);
    return st;
}

static enum yk_status copy_text(struct yk_yaml_decoder *d, const struct yk_yaml_node *node,
                                struct yk_str text, struct yk_str *ret_text)
{
    enum yk_status st = reserve(d, node, text.len);
    if (st != YK_OK)
        return st;
    if (d->refuses_nul && text.len > 0 && memchr(text.p, '\0', text.len) != NULL)
        return yk_yaml_fail(d, node, "the text holds a zero byte");
    *ret_text = yk_arena_str(d->arena, text);
    if (text.len > 0 && d->placed != NULL)
        d->placed(d->context, ret_text->p, node);
    return YK_OK;
}

enum yk_status yk_yaml_text(struct yk_yaml_decoder *d, const struct yk_yaml_node *node,
                            struct yk_str *ret_text)
{
    return copy_text(d, node, node->u.text, ret_text);
}

enum yk_status yk_yaml_read_text(struct yk_yaml_decoder *d, const struct yk_yaml_field *field,
                                 const struct yk_yaml_node *value, void *object)
{
    if (value->kind != YK_YAML_SCALAR)
        return yk_yaml_fail_shape(d, value, field->key, "a text");
    return yk_yaml_text(d, value, (struct yk_str *)(void *)((char *)object + field->offset));
}

/* ---- merge keys ---- */

static bool is_merge_key(const struct yk_yaml_node *key)
{
    return key->kind == YK_YAML_SCALAR && key->plain && yk_str_is(key->u.text, "<<");
}

/*
 * Calls `take` for the mapping `from`, the value of a merge key, or for each mapping of a list. Earlier
 * mappings have precedence: `take` skips keys that are set already.
 */
static enum yk_status merge(struct yk_yaml_decoder *d, const struct yk_yaml_node *from,
                            enum yk_status (*take)(struct yk_yaml_decoder *d,
                                                   const struct yk_yaml_node *mapping, void *context),
                            void *context)
{
    const struct yk_yaml_node *value;
    enum yk_status st = enter(d, from, &value);
    if (st != YK_OK)
        return st;
    if (value->kind == YK_YAML_MAPPING) {
        st = take(d, value, context);
    } else if (value->kind == YK_YAML_SEQUENCE) {
        for (const struct yk_yaml_node *item = value->u.children.first; item != NULL && st == YK_OK;
             item = item->next) {
            const struct yk_yaml_node *mapping;
            st = enter(d, item, &mapping);
            if (st == YK_OK && mapping->kind != YK_YAML_MAPPING)
                st = yk_yaml_fail_shape(d, item, "<<", "a mapping or a list of mappings");
            if (st == YK_OK)
                st = take(d, mapping, context);
            leave(d, item);
        }
    } else {
        st = yk_yaml_fail_shape(d, value, "<<", "a mapping or a list of mappings");
    }
    leave(d, from);
    return st;
}

/* ---- free maps ---- */

struct entry {
    struct yk_str key; /* borrowed from the node */
    const struct yk_yaml_node *value;
    uint32_t visit; /* number of the mapping that has the entry */
};

struct entries {
    struct entry *items; /* owned */
    size_t count, capacity;
    struct yk_strmap index; /* key -> index in `items`, plus 1 */
    uint32_t visits;
};

static void entries_done(struct entries *entries)
{
    free(entries->items);
    yk_strmap_done(&entries->index);
}

static enum yk_status add_entry(struct yk_yaml_decoder *d, struct entries *entries,
                                const struct yk_yaml_node *key_node, const struct yk_yaml_node *value,
                                uint32_t visit)
{
    const struct yk_yaml_node *key = yk_yaml_behind(key_node);
    if (key->kind != YK_YAML_SCALAR)
        return FAIL(d, YK_ERR_INVALID, key_node, "a key must be a single value, not %s",
                    yk_yaml_kind_word(key));
    uintptr_t place = (uintptr_t)yk_strmap_get(&entries->index, key->u.text);
    if (place != 0 && entries->items[place - 1].visit == visit)
        return FAIL(d, YK_ERR_INVALID, key_node, "key '" YK_STR_FMT "' is there twice",
                    YK_STR_ARG(key->u.text));
    if (place != 0) /* a mapping that has precedence has the key, too */
        return YK_OK;
    if (entries->count == entries->capacity) {
        entries->capacity = YK_MAX(entries->capacity * 2, (size_t)8);
        entries->items = yk_realloc_array(entries->items, entries->capacity, sizeof(*entries->items));
    }
    entries->items[entries->count++] = (struct entry){key->u.text, value, visit};
    yk_strmap_put(&entries->index, key->u.text, (void *)(uintptr_t)entries->count);
    return YK_OK;
}

static enum yk_status collect_entries(struct yk_yaml_decoder *d, const struct yk_yaml_node *mapping,
                                      void *context)
{
    struct entries *entries = context;
    const struct yk_yaml_node *merged = NULL;
    uint32_t visit = ++entries->visits;
    enum yk_status st = deepen(d, mapping);
    for (const struct yk_yaml_node *key = mapping->u.children.first; key != NULL && st == YK_OK;
         key = key->next->next) {
        const struct yk_yaml_node *seen;
        st = enter(d, key, &seen);
        leave(d, key);
        if (st != YK_OK)
            break;
        if (!is_merge_key(key))
            st = add_entry(d, entries, key, key->next, visit);
        else if (merged != NULL)
            st = FAIL(d, YK_ERR_INVALID, key, "key '%s' is there twice", "<<");
        else
            merged = key->next;
    }
    if (st == YK_OK && merged != NULL)
        st = merge(d, merged, collect_entries, entries);
    d->depth--;
    return st;
}

static int by_key(const void *a, const void *b)
{
    return yk_str_cmp(((const struct entry *)a)->key, ((const struct entry *)b)->key);
}

static enum yk_status read_entry(struct yk_yaml_decoder *d, const struct yk_yaml_field *field,
                                 const struct entry *entry, yk_yaml_item_reader read, void *item)
{
    enum yk_status st = copy_text(d, entry->value, entry->key, item); /* each item begins with its key */
    return st == YK_OK ? read(d, field, entry->value, item) : st;
}

enum yk_status yk_yaml_map(struct yk_yaml_decoder *d, const struct yk_yaml_field *field,
                           const struct yk_yaml_node *value, size_t item_bytes, bool is_sorted,
                           yk_yaml_item_reader read, void **ret_items, uint32_t *ret_count)
{
    YK_CLEANUP(entries_done) struct entries entries = {0};
    void *items = NULL;
    if (value->kind != YK_YAML_MAPPING)
        return yk_yaml_fail_shape(d, value, field->key, "a mapping");
    enum yk_status st = collect_entries(d, value, &entries);
    if (st == YK_OK && is_sorted && entries.count > 1) /* keys are unique, so the order is total */
        qsort(entries.items, entries.count, sizeof(*entries.items), by_key);
    if (st == YK_OK)
        st = array_new(d, field, value, entries.count, item_bytes, &items);
    for (size_t i = 0; i < entries.count && st == YK_OK; i++)
        st = read_entry(d, field, &entries.items[i], read, (char *)items + i * item_bytes);
    if (st != YK_OK)
        return st;
    *ret_items = items;
    *ret_count = (uint32_t)entries.count;
    return YK_OK;
}

/* ---- lists ---- */

/* Reads a list. `of_structure`: the items are structs; after an error in one of them, yk_yaml_decoder.failed
 * is called, so that the next ones may still be read. */
static enum yk_status read_items(struct yk_yaml_decoder *d, const struct yk_yaml_field *field,
                                 const struct yk_yaml_node *value, size_t item_bytes,
                                 yk_yaml_item_reader read, bool of_structure, void **ret_items,
                                 uint32_t *ret_count)
{
    void *items = NULL;
    uint32_t count = 0;
    if (value->kind != YK_YAML_SEQUENCE)
        return yk_yaml_fail_shape(d, value, field->key, "a list");
    enum yk_status st = array_new(d, field, value, value->count, item_bytes, &items);
    for (const struct yk_yaml_node *item = value->u.children.first; item != NULL && st == YK_OK;
         item = item->next) {
        const struct yk_yaml_node *seen;
        st = enter(d, item, &seen);
        if (st == YK_OK && !is_null(seen)) /* null items are left out */
            st = read(d, field, item, (char *)items + (size_t)count++ * item_bytes);
        leave(d, item);
        if (of_structure)
            st = go_on(d, st, true);
    }
    if (st != YK_OK)
        return st;
    *ret_items = items;
    *ret_count = count;
    return YK_OK;
}

enum yk_status yk_yaml_list(struct yk_yaml_decoder *d, const struct yk_yaml_field *field,
                            const struct yk_yaml_node *value, size_t item_bytes, yk_yaml_item_reader read,
                            void **ret_items, uint32_t *ret_count)
{
    return read_items(d, field, value, item_bytes, read, false, ret_items, ret_count);
}

static enum yk_status read_struct_item(struct yk_yaml_decoder *d, const struct yk_yaml_field *field,
                                       const struct yk_yaml_node *node, void *item)
{
    return yk_yaml_decode(d, field->schema, node, item);
}

static enum yk_status decode_list(struct yk_yaml_decoder *d, const struct yk_yaml_field *field,
                                  const struct yk_yaml_node *value, char *object)
{
    return read_items(d, field, value, field->schema->size, read_struct_item, true,
                      (void **)(void *)(object + field->offset), (uint32_t *)(void *)(object + field->aside));
}

/* ---- structs ---- */

static void use_leniency(struct yk_yaml_decoder *d, const struct yk_yaml_node *value, const char *key,
                         const char *how)
{
    char sentence[200];
    if (d->notice == NULL)
        return;
    (void)snprintf(sentence, sizeof(sentence), "'%s' given as %s", key, how);
    d->notice(d->context, value->line, value->column, sentence);
}

static enum yk_status decode_struct(struct yk_yaml_decoder *d, const struct yk_yaml_field *field,
                                    const struct yk_yaml_node *value, char *object)
{
    if (field->lenient == YK_YAML_SCALAR_IS_FIRST && value->kind == YK_YAML_SCALAR) {
        const struct yk_yaml_field *first = &field->schema->fields[0];
        use_leniency(d, value, field->key, "a single value");
        return yk_yaml_text(d, value, (struct yk_str *)(void *)(object + field->offset + first->offset));
    }
    if (value->kind != YK_YAML_MAPPING)
        return yk_yaml_fail_shape(d, value, field->key, "a mapping");
    return yk_yaml_decode(d, field->schema, value, object + field->offset);
}

static enum yk_status decode_pointer(struct yk_yaml_decoder *d, const struct yk_yaml_field *field,
                                     const struct yk_yaml_node *value, char *object)
{
    void *item = NULL;
    if (field->lenient == YK_YAML_LIST_OF_ONE && value->kind == YK_YAML_SEQUENCE && value->count == 1 &&
        yk_yaml_behind(value->u.children.first)->kind == YK_YAML_MAPPING) {
        use_leniency(d, value, field->key, "a list of one");
        value = yk_yaml_behind(value->u.children.first);
    }
    if (value->kind != YK_YAML_MAPPING)
        return yk_yaml_fail_shape(d, value, field->key, "a mapping");
    enum yk_status st = array_new(d, field, value, 1, field->schema->size, &item);
    if (st == YK_OK)
        st = yk_yaml_decode(d, field->schema, value, item);
    if (st == YK_OK)
        *(void **)(void *)(object + field->offset) = item;
    return st;
}

static enum yk_status decode_bool(struct yk_yaml_decoder *d, const struct yk_yaml_field *field,
                                  const struct yk_yaml_node *value, char *object)
{
    if (value->kind != YK_YAML_SCALAR)
        return yk_yaml_fail_shape(d, value, field->key, "a boolean");
    if (yk_yaml_scalar_bool(value, (bool *)(object + field->offset)) != YK_OK)
        return fail_scalar(d, value, field->key, "a boolean");
    if (field->aside != 0)
        *(bool *)(object + field->aside) = true;
    return YK_OK;
}

enum yk_status yk_yaml_value(struct yk_yaml_decoder *d, const struct yk_yaml_field *field,
                             const struct yk_yaml_node *value, void *object)
{
    switch (field->kind) {
    case YK_YAML_FIELD_READER:
        return field->read(d, field, value, object);
    case YK_YAML_FIELD_TEXT:
        return yk_yaml_read_text(d, field, value, object);
    case YK_YAML_FIELD_BOOL:
        return decode_bool(d, field, value, object);
    case YK_YAML_FIELD_UINT:
        if (value->kind != YK_YAML_SCALAR)
            return yk_yaml_fail_shape(d, value, field->key, "a number");
        if (yk_yaml_scalar_u64(value, (uint64_t *)(void *)((char *)object + field->offset)) != YK_OK)
            return fail_scalar(d, value, field->key, "a whole number that is not negative");
        if (d->placed != NULL)
            d->placed(d->context, (char *)object + field->offset, value);
        return YK_OK;
    case YK_YAML_FIELD_STRUCT:
        return decode_struct(d, field, value, object);
    case YK_YAML_FIELD_POINTER:
        return decode_pointer(d, field, value, object);
    case YK_YAML_FIELD_LIST:
        return decode_list(d, field, value, object);
    }
    return YK_OK;
}

static enum yk_status decode_field(struct yk_yaml_decoder *d, const struct yk_yaml_field *field,
                                   const struct yk_yaml_node *node, char *object)
{
    const struct yk_yaml_node *value;
    enum yk_status st = enter(d, node, &value);
    if (st == YK_OK && !is_null(value)) /* for a null, the default stays */
        st = yk_yaml_value(d, field, value, object);
    leave(d, node);
    return st;
}

struct target {
    const struct yk_yaml_schema *schema;
    char *object;
    uint64_t set;   /* bit per field: a mapping that was read before has the key */
    uint64_t given; /* bit per field: has a value that is no null */
};

static const struct yk_yaml_field *find_field(const struct yk_yaml_schema *schema, struct yk_str key)
{
    for (size_t i = 0; i < schema->field_count; i++) {
        if (yk_str_is(key, schema->fields[i].key))
            return &schema->fields[i];
    }
    return NULL;
}

static enum yk_status fail_unknown(struct yk_yaml_decoder *d, const struct yk_yaml_node *key_node,
                                   const struct yk_yaml_schema *schema)
{
    struct yk_str key = yk_yaml_behind(key_node)->u.text;
    if (!d->names_keys)
        return FAIL(d, YK_ERR_INVALID, key_node, "field '" YK_STR_FMT "' is not known in %s", YK_STR_ARG(key),
                    schema->what);
    YK_CLEANUP(yk_buf_done) struct yk_buf known = {0};
    for (size_t i = 0; i < schema->field_count; i++)
        yk_buf_printf(&known, "%s%s", i > 0 ? ", " : "", schema->fields[i].key);
    return FAIL(d, YK_ERR_INVALID, key_node, "unknown key '" YK_STR_FMT "'; known here: %s", YK_STR_ARG(key),
                yk_buf_cstr(&known));
}

static enum yk_status fail_twice(struct yk_yaml_decoder *d, const struct yk_yaml_node *key_node,
                                 const char *key, const struct yk_yaml_schema *schema)
{
    if (d->names_keys)
        return FAIL(d, YK_ERR_INVALID, key_node, "'%s' is there twice", key);
    return FAIL(d, YK_ERR_INVALID, key_node, "field '%s' is there twice in %s", key, schema->what);
}

static enum yk_status decode_entry(struct yk_yaml_decoder *d, const struct yk_yaml_node *key_node,
                                   struct target *target, uint64_t *seen)
{
    const struct yk_yaml_schema *schema = target->schema;
    const struct yk_yaml_node *key = yk_yaml_behind(key_node);
    const struct yk_yaml_field *field = key->kind == YK_YAML_SCALAR ? find_field(schema, key->u.text) : NULL;
    if (key->kind != YK_YAML_SCALAR)
        return FAIL(d, YK_ERR_INVALID, key_node, "a key of %s must be a single value, not %s", schema->what,
                    yk_yaml_kind_word(key));
    if (field == NULL)
        return fail_unknown(d, key_node, schema);
    uint64_t bit = UINT64_C(1) << (field - schema->fields);
    if ((*seen & bit) != 0)
        return fail_twice(d, key_node, field->key, schema);
    *seen |= bit;
    if ((target->set & bit) != 0)
        return YK_OK;
    target->given |= is_null(yk_yaml_behind(key_node->next)) ? 0 : bit;
    return decode_field(d, field, key_node->next, target->object);
}

static bool is_structure(const struct target *target, const struct yk_yaml_node *key_node)
{
    const struct yk_yaml_node *key = yk_yaml_behind(key_node);
    const struct yk_yaml_field *field =
        key->kind == YK_YAML_SCALAR ? find_field(target->schema, key->u.text) : NULL;
    return field != NULL && (field->kind == YK_YAML_FIELD_STRUCT || field->kind == YK_YAML_FIELD_POINTER ||
                             field->kind == YK_YAML_FIELD_LIST);
}

/* Decodes an entry. An error in it does not change `via_alias` and `depth` of the decoder, so that the next
 * ones can be read. */
static enum yk_status try_entry(struct yk_yaml_decoder *d, const struct yk_yaml_node *key,
                                struct target *target, uint64_t *seen)
{
    size_t via_alias = d->via_alias;
    uint32_t depth = d->depth;
    enum yk_status st = decode_entry(d, key, target, seen);
    if (st == YK_OK)
        return YK_OK;
    d->via_alias = via_alias;
    d->depth = depth;
    return go_on(d, st, is_structure(target, key));
}

static enum yk_status decode_mapping(struct yk_yaml_decoder *d, const struct yk_yaml_node *mapping,
                                     void *context)
{
    struct target *target = context;
    const struct yk_yaml_node *merged = NULL;
    uint64_t seen = 0;
    enum yk_status st = deepen(d, mapping);
    for (const struct yk_yaml_node *key = mapping->u.children.first; key != NULL && st == YK_OK;
         key = key->next->next) {
        if (!is_merge_key(key))
            st = try_entry(d, key, target, &seen);
        else if (merged != NULL)
            st = fail_twice(d, key, "<<", target->schema);
        else
            merged = key->next;
    }
    target->set |= seen;
    if (st == YK_OK && merged != NULL)
        st = merge(d, merged, decode_mapping, target);
    d->depth--;
    return st;
}

static enum yk_status check_required(struct yk_yaml_decoder *d, const struct yk_yaml_node *node,
                                     const struct target *target)
{
    const struct yk_yaml_schema *schema = target->schema;
    for (size_t i = 0; i < schema->field_count; i++) {
        if (schema->fields[i].required && (target->given >> i & 1) == 0)
            return yk_yaml_fail(d, node, "'%s' is missing", schema->fields[i].key);
    }
    return schema->check != NULL ? schema->check(d, node, target->object) : YK_OK;
}

static void begin_object(const struct yk_yaml_schema *schema, const struct yk_yaml_node *node, char *object)
{
    if (schema->defaults != NULL)
        memcpy(object, schema->defaults, schema->size);
    if (schema->place_offset == 0 || is_null(yk_yaml_behind(node)))
        return;
    uint32_t *place = (uint32_t *)(void *)(object + schema->place_offset);
    place[0] = node->line;
    place[1] = node->column;
}

static enum yk_status fail_struct(struct yk_yaml_decoder *d, const struct yk_yaml_node *node,
                                  const char *what)
{
    if (d->names_keys)
        return yk_yaml_fail_shape(d, node, what, "a mapping");
    return FAIL(d, YK_ERR_INVALID, node, "%s must be a mapping, not %s", what, yk_yaml_kind_word(node));
}

enum yk_status yk_yaml_decode(struct yk_yaml_decoder *d, const struct yk_yaml_schema *schema,
                              const struct yk_yaml_node *node, void *object)
{
    struct target target = {.schema = schema, .object = object};
    const struct yk_yaml_node *value;
    enum yk_status st = enter(d, node, &value);
    if (st == YK_OK)
        begin_object(schema, node, object);
    if (st == YK_OK && value->kind == YK_YAML_MAPPING)
        st = decode_mapping(d, value, &target);
    else if (st == YK_OK && !is_null(value))
        st = fail_struct(d, node, schema->what);
    if (st == YK_OK)
        st = check_required(d, value, &target);
    leave(d, node);
    return st;
}
