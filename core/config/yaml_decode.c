/* SPDX-License-Identifier: Apache-2.0 */
#include "config/yaml_decode_priv.h"

#include "base/map.h"
#include "config/config.h"
#include "config/yaml_scalar_priv.h"

enum { STRUCT_DEPTH_MAX = YK_CONFIG_DEPTH_MAX + 16 };

/* ---- errors ---- */

#define FAIL(d, status, node, format, ...)                                                                   \
    yk_fail_at((d)->err, status, (node)->line, (node)->column, format, __VA_ARGS__)

static enum yk_status fail_shape(struct yk__decoder *d, const struct yk__yaml_node *node, const char *key,
                                 const char *wanted)
{
    return FAIL(d, YK_ERR_INVALID, node, "field '%s' must be %s, not %s", key, wanted,
                yk__yaml_kind_word(node));
}

static enum yk_status fail_scalar(struct yk__decoder *d, const struct yk__yaml_node *node, const char *key,
                                  const char *wanted)
{
    return FAIL(d, YK_ERR_INVALID, node, "field '%s': '" YK_STR_FMT "' is not %s", key,
                YK_STR_ARG(node->u.text), wanted);
}

/* ---- following aliases ---- */

/*
 * The value behind `node`; to be left with leave(). Each value that is decoded because of an alias counts, so
 * that a few lines of aliases of aliases cannot keep us busy for ever (C15).
 */
static enum yk_status enter(struct yk__decoder *d, const struct yk__yaml_node *node,
                            const struct yk__yaml_node **ret_value)
{
    bool is_alias = node->kind == YK__YAML_ALIAS;
    *ret_value = is_alias ? node->u.target : node;
    d->via_alias += is_alias;
    if (d->via_alias > 0 && ++d->repeated > YK_CONFIG_NODES_MAX)
        return FAIL(d, YK_ERR_LIMIT, node, "aliases repeat more than %d values", YK_CONFIG_NODES_MAX);
    return YK_OK;
}

static void leave(struct yk__decoder *d, const struct yk__yaml_node *node)
{
    d->via_alias -= node->kind == YK__YAML_ALIAS;
}

static bool is_null(const struct yk__yaml_node *value)
{
    return value->kind == YK__YAML_SCALAR && yk__scalar_is_null(value);
}

static const struct yk__yaml_node *behind(const struct yk__yaml_node *node)
{
    return node->kind == YK__YAML_ALIAS ? node->u.target : node;
}

static enum yk_status array_new(struct yk__decoder *d, const struct yk__yaml_node *node, size_t count,
                                size_t item_bytes, void **ret_items)
{
    size_t bytes = yk_size_mul(YK_MAX(count, (size_t)1), item_bytes);
    if (bytes > d->memory_max || d->arena->used > d->memory_max - bytes)
        return FAIL(d, YK_ERR_LIMIT, node, "the configuration needs more than %zu bytes", d->memory_max);
    *ret_items = yk_arena_alloc0(d->arena, bytes);
    return YK_OK;
}

/* Empty texts share their bytes. */
static void note_text(struct yk__decoder *d, struct yk_str text, const struct yk__yaml_node *node)
{
    if (text.len > 0)
        d->placed(d->context, text.p, node);
}

static enum yk_status copy_text(struct yk__decoder *d, const struct yk__yaml_node *node,
                                struct yk_str *ret_text)
{
    if (d->arena->used > d->memory_max)
        return FAIL(d, YK_ERR_LIMIT, node, "the configuration needs more than %zu bytes", d->memory_max);
    *ret_text = yk_arena_str(d->arena, node->u.text);
    note_text(d, *ret_text, node);
    return YK_OK;
}

/* ---- merge keys ---- */

static bool is_merge_key(const struct yk__yaml_node *key)
{
    return key->kind == YK__YAML_SCALAR && key->plain && yk_str_is(key->u.text, "<<");
}

/*
 * Calls `take` for the mapping that a merge key names, or for each of a list of them; what comes earlier
 * wins, and `take` skips keys that are set already.
 */
static enum yk_status merge(struct yk__decoder *d, const struct yk__yaml_node *from,
                            enum yk_status (*take)(struct yk__decoder *d, const struct yk__yaml_node *mapping,
                                                   void *context),
                            void *context)
{
    const struct yk__yaml_node *value;
    enum yk_status st = enter(d, from, &value);
    if (st != YK_OK)
        return st;
    if (value->kind == YK__YAML_MAPPING) {
        st = take(d, value, context);
    } else if (value->kind == YK__YAML_SEQUENCE) {
        for (const struct yk__yaml_node *item = value->u.children.first; item != NULL && st == YK_OK;
             item = item->next) {
            const struct yk__yaml_node *mapping;
            st = enter(d, item, &mapping);
            if (st == YK_OK && mapping->kind != YK__YAML_MAPPING)
                st = fail_shape(d, item, "<<", "a mapping or a list of mappings");
            if (st == YK_OK)
                st = take(d, mapping, context);
            leave(d, item);
        }
    } else {
        st = fail_shape(d, value, "<<", "a mapping or a list of mappings");
    }
    leave(d, from);
    return st;
}

/* ---- free maps ---- */

struct entry {
    struct yk_str key; /* in the node */
    const struct yk__yaml_node *value;
    uint32_t visit; /* which mapping it stood in */
};

struct entries {
    struct entry *items; /* owned */
    size_t count, capacity;
    struct yk_strmap index; /* key -> its place + 1 */
    uint32_t visits;
};

static void entries_done(struct entries *entries)
{
    free(entries->items);
    yk_strmap_done(&entries->index);
}

static enum yk_status add_entry(struct yk__decoder *d, struct entries *entries,
                                const struct yk__yaml_node *key_node, const struct yk__yaml_node *value,
                                uint32_t visit)
{
    const struct yk__yaml_node *key = behind(key_node);
    if (key->kind != YK__YAML_SCALAR)
        return FAIL(d, YK_ERR_INVALID, key_node, "a key must be a single value, not %s",
                    yk__yaml_kind_word(key));
    uintptr_t place = (uintptr_t)yk_strmap_get(&entries->index, key->u.text);
    if (place != 0 && entries->items[place - 1].visit == visit)
        return FAIL(d, YK_ERR_INVALID, key_node, "key '" YK_STR_FMT "' is there twice",
                    YK_STR_ARG(key->u.text));
    if (place != 0) /* set by a mapping that has precedence */
        return YK_OK;
    if (entries->count == entries->capacity) {
        entries->capacity = YK_MAX(entries->capacity * 2, (size_t)8);
        entries->items = yk_realloc_array(entries->items, entries->capacity, sizeof(*entries->items));
    }
    entries->items[entries->count++] = (struct entry){key->u.text, value, visit};
    yk_strmap_put(&entries->index, key->u.text, (void *)(uintptr_t)entries->count);
    return YK_OK;
}

static enum yk_status collect_entries(struct yk__decoder *d, const struct yk__yaml_node *mapping,
                                      void *context)
{
    struct entries *entries = context;
    const struct yk__yaml_node *merged = NULL;
    uint32_t visit = ++entries->visits;
    enum yk_status st = YK_OK;

    if (++d->depth > STRUCT_DEPTH_MAX)
        st = FAIL(d, YK_ERR_LIMIT, mapping, "nested deeper than %d levels", YK_CONFIG_DEPTH_MAX);
    for (const struct yk__yaml_node *key = mapping->u.children.first; key != NULL && st == YK_OK;
         key = key->next->next) {
        const struct yk__yaml_node *seen;
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

/* All entries of the mapping, merged, sorted by key: keys are unique, so the order is total. */
static enum yk_status sorted_entries(struct yk__decoder *d, const struct yk__yaml_node *mapping,
                                     struct entries *entries)
{
    enum yk_status st = collect_entries(d, mapping, entries);
    if (st == YK_OK && entries->count > 1)
        qsort(entries->items, entries->count, sizeof(*entries->items), by_key);
    return st;
}

static enum yk_status decode_pair(struct yk__decoder *d, const char *key, const struct entry *entry,
                                  struct yk_config_pair *pair)
{
    const struct yk__yaml_node *value = behind(entry->value);
    if (value->kind != YK__YAML_SCALAR)
        return FAIL(d, YK_ERR_INVALID, entry->value,
                    "entry '" YK_STR_FMT "' of '%s' must be a single value, not %s", YK_STR_ARG(entry->key),
                    key, yk__yaml_kind_word(value));
    pair->key = yk_arena_str(d->arena, entry->key);
    note_text(d, pair->key, entry->value);
    if (yk__scalar_is_null(value)) {
        pair->value = YK_STR("");
        return YK_OK;
    }
    return copy_text(d, value, &pair->value);
}

static enum yk_status decode_pairs(struct yk__decoder *d, const struct yk__field *field,
                                   const struct yk__yaml_node *value, char *object)
{
    YK_CLEANUP(entries_done) struct entries entries = {0};
    struct yk_config_pairs pairs = {0};
    void *items = NULL;

    if (value->kind != YK__YAML_MAPPING)
        return fail_shape(d, value, field->key, "a mapping");
    enum yk_status st = sorted_entries(d, value, &entries);
    if (st == YK_OK)
        st = array_new(d, value, entries.count, sizeof(*pairs.items), &items);
    pairs.items = items;
    for (size_t i = 0; i < entries.count && st == YK_OK; i++)
        st = decode_pair(d, field->key, &entries.items[i], &pairs.items[i]);
    if (st != YK_OK)
        return st;
    pairs.count = (uint32_t)entries.count;
    *(struct yk_config_pairs *)(void *)(object + field->offset) = pairs;
    if (field->aside != 0)
        *(bool *)(object + field->aside) = true;
    return YK_OK;
}

typedef __typeof__(*((struct yk_config_partition *)0)->node_sort_weights) weight_entry;

static enum yk_status decode_weight(struct yk__decoder *d, const struct entry *entry, weight_entry *weight)
{
    const struct yk__yaml_node *value = behind(entry->value);
    bool is_scalar = value->kind == YK__YAML_SCALAR;
    weight->type = yk_arena_str(d->arena, entry->key);
    note_text(d, weight->type, entry->value);
    if (is_scalar && yk__scalar_is_null(value))
        return YK_OK;
    if (is_scalar && yk__scalar_double(value, &weight->weight) == YK_OK)
        return YK_OK;
    return FAIL(d, YK_ERR_INVALID, entry->value, "weight of '" YK_STR_FMT "' must be a finite number%s",
                YK_STR_ARG(entry->key), is_scalar && !value->plain ? ", without quotes" : "");
}

static enum yk_status decode_weights(struct yk__decoder *d, const struct yk__field *field,
                                     const struct yk__yaml_node *value, char *object)
{
    YK_CLEANUP(entries_done) struct entries entries = {0};
    void *items = NULL;

    if (value->kind != YK__YAML_MAPPING)
        return fail_shape(d, value, field->key, "a mapping");
    enum yk_status st = sorted_entries(d, value, &entries);
    if (st == YK_OK)
        st = array_new(d, value, entries.count, sizeof(weight_entry), &items);
    weight_entry *weights = items;
    for (size_t i = 0; i < entries.count && st == YK_OK; i++)
        st = decode_weight(d, &entries.items[i], &weights[i]);
    if (st != YK_OK)
        return st;
    *(weight_entry **)(void *)(object + field->offset) = weights;
    *(uint32_t *)(void *)(object + field->aside) = (uint32_t)entries.count;
    return YK_OK;
}

/* ---- lists ---- */

static enum yk_status decode_names(struct yk__decoder *d, const struct yk__field *field,
                                   const struct yk__yaml_node *value, char *object)
{
    struct yk_config_names names = {0};
    void *items = NULL;
    if (value->kind != YK__YAML_SEQUENCE)
        return fail_shape(d, value, field->key, "a list");
    enum yk_status st = array_new(d, value, value->count, sizeof(*names.items), &items);
    names.items = items;
    for (const struct yk__yaml_node *item = value->u.children.first; item != NULL && st == YK_OK;
         item = item->next) {
        const struct yk__yaml_node *text;
        st = enter(d, item, &text);
        if (st == YK_OK && text->kind != YK__YAML_SCALAR)
            st = FAIL(d, YK_ERR_INVALID, item, "an entry of '%s' must be a single value, not %s", field->key,
                      yk__yaml_kind_word(text));
        if (st == YK_OK && !yk__scalar_is_null(text)) /* C14: a null element is dropped */
            st = copy_text(d, text, &names.items[names.count++]);
        leave(d, item);
    }
    if (st == YK_OK)
        *(struct yk_config_names *)(void *)(object + field->offset) = names;
    return st;
}

static enum yk_status decode_list(struct yk__decoder *d, const struct yk__field *field,
                                  const struct yk__yaml_node *value, char *object)
{
    void *items = NULL;
    uint32_t count = 0;
    if (value->kind != YK__YAML_SEQUENCE)
        return fail_shape(d, value, field->key, "a list");
    enum yk_status st = array_new(d, value, value->count, field->schema->size, &items);
    for (const struct yk__yaml_node *item = value->u.children.first; item != NULL && st == YK_OK;
         item = item->next) {
        const struct yk__yaml_node *seen;
        st = enter(d, item, &seen);
        if (st == YK_OK && !is_null(seen)) /* C14: a null element is dropped */
            st = yk__decode(d, field->schema, item, (char *)items + (size_t)count++ * field->schema->size);
        leave(d, item);
        if (st != YK_OK)
            st = d->failed(d->context, st, true);
    }
    if (st != YK_OK)
        return st;
    *(void **)(void *)(object + field->offset) = items;
    *(uint32_t *)(void *)(object + field->aside) = count;
    return YK_OK;
}

/* ---- structs ---- */

static void use_leniency(struct yk__decoder *d, const struct yk__yaml_node *value, const char *key,
                         const char *how)
{
    char sentence[200];
    (void)snprintf(sentence, sizeof(sentence), "'%s' given as %s", key, how);
    d->notice(d->context, value->line, value->column, sentence);
}

static enum yk_status decode_struct(struct yk__decoder *d, const struct yk__field *field,
                                    const struct yk__yaml_node *value, char *object)
{
    if (field->lenient == YK__SCALAR_IS_FIRST && value->kind == YK__YAML_SCALAR) {
        const struct yk__field *first = &field->schema->fields[0];
        use_leniency(d, value, field->key, "a single value");
        return copy_text(d, value, (struct yk_str *)(void *)(object + field->offset + first->offset));
    }
    if (value->kind != YK__YAML_MAPPING)
        return fail_shape(d, value, field->key, "a mapping");
    return yk__decode(d, field->schema, value, object + field->offset);
}

static enum yk_status decode_pointer(struct yk__decoder *d, const struct yk__field *field,
                                     const struct yk__yaml_node *value, char *object)
{
    void *item = NULL;
    if (field->lenient == YK__LIST_OF_ONE && value->kind == YK__YAML_SEQUENCE && value->count == 1 &&
        behind(value->u.children.first)->kind == YK__YAML_MAPPING) {
        use_leniency(d, value, field->key, "a list of one");
        value = behind(value->u.children.first);
    }
    if (value->kind != YK__YAML_MAPPING)
        return fail_shape(d, value, field->key, "a mapping");
    enum yk_status st = array_new(d, value, 1, field->schema->size, &item);
    if (st == YK_OK)
        st = yk__decode(d, field->schema, value, item);
    if (st == YK_OK)
        *(void **)(void *)(object + field->offset) = item;
    return st;
}

static enum yk_status decode_bool(struct yk__decoder *d, const struct yk__field *field,
                                  const struct yk__yaml_node *value, char *object)
{
    if (value->kind != YK__YAML_SCALAR)
        return fail_shape(d, value, field->key, "a boolean");
    if (yk__scalar_bool(value, (bool *)(object + field->offset)) != YK_OK)
        return fail_scalar(d, value, field->key, "a boolean");
    if (field->aside != 0)
        *(bool *)(object + field->aside) = true;
    return YK_OK;
}

/* `value` is not null. */
static enum yk_status decode_value(struct yk__decoder *d, const struct yk__field *field,
                                   const struct yk__yaml_node *value, char *object)
{
    switch (field->kind) {
    case YK__FIELD_STRING:
        if (value->kind != YK__YAML_SCALAR)
            return fail_shape(d, value, field->key, "a text");
        return copy_text(d, value, (struct yk_str *)(void *)(object + field->offset));
    case YK__FIELD_BOOL:
        return decode_bool(d, field, value, object);
    case YK__FIELD_UINT:
        if (value->kind != YK__YAML_SCALAR)
            return fail_shape(d, value, field->key, "a number");
        if (yk__scalar_u64(value, (uint64_t *)(void *)(object + field->offset)) != YK_OK)
            return fail_scalar(d, value, field->key, "a whole number that is not negative");
        d->placed(d->context, object + field->offset, value);
        return YK_OK;
    case YK__FIELD_PAIRS:
        return decode_pairs(d, field, value, object);
    case YK__FIELD_NAMES:
        return decode_names(d, field, value, object);
    case YK__FIELD_WEIGHTS:
        return decode_weights(d, field, value, object);
    case YK__FIELD_STRUCT:
        return decode_struct(d, field, value, object);
    case YK__FIELD_POINTER:
        return decode_pointer(d, field, value, object);
    case YK__FIELD_LIST:
        return decode_list(d, field, value, object);
    }
    return YK_OK;
}

static enum yk_status decode_field(struct yk__decoder *d, const struct yk__field *field,
                                   const struct yk__yaml_node *node, char *object)
{
    const struct yk__yaml_node *value;
    enum yk_status st = enter(d, node, &value);
    if (st == YK_OK && !is_null(value)) /* C14: null is the default */
        st = decode_value(d, field, value, object);
    leave(d, node);
    return st;
}

struct target {
    const struct yk__schema *schema;
    char *object;
    uint64_t set; /* bit per field: has its value, of a mapping with precedence */
};

static const struct yk__field *find_field(const struct yk__schema *schema, struct yk_str key)
{
    for (size_t i = 0; i < schema->field_count; i++) {
        if (yk_str_is(key, schema->fields[i].key))
            return &schema->fields[i];
    }
    return NULL;
}

static enum yk_status decode_entry(struct yk__decoder *d, const struct yk__yaml_node *key_node,
                                   struct target *target, uint64_t *seen)
{
    const struct yk__schema *schema = target->schema;
    const struct yk__yaml_node *key = behind(key_node);
    if (key->kind != YK__YAML_SCALAR)
        return FAIL(d, YK_ERR_INVALID, key_node, "a key of %s must be a single value, not %s", schema->what,
                    yk__yaml_kind_word(key));
    const struct yk__field *field = find_field(schema, key->u.text);
    if (field == NULL)
        return FAIL(d, YK_ERR_INVALID, key_node, "field '" YK_STR_FMT "' is not known in %s",
                    YK_STR_ARG(key->u.text), schema->what);
    uint64_t bit = UINT64_C(1) << (field - schema->fields);
    if ((*seen & bit) != 0)
        return FAIL(d, YK_ERR_INVALID, key_node, "field '%s' is there twice in %s", field->key, schema->what);
    *seen |= bit;
    if ((target->set & bit) != 0)
        return YK_OK;
    return decode_field(d, field, key_node->next, target->object);
}

static bool is_structure(const struct target *target, const struct yk__yaml_node *key_node)
{
    const struct yk__yaml_node *key = behind(key_node);
    const struct yk__field *field =
        key->kind == YK__YAML_SCALAR ? find_field(target->schema, key->u.text) : NULL;
    return field != NULL && (field->kind == YK__FIELD_STRUCT || field->kind == YK__FIELD_POINTER ||
                             field->kind == YK__FIELD_LIST);
}

/* Entries are independent: an error in one hides none in another. */
static enum yk_status try_entry(struct yk__decoder *d, const struct yk__yaml_node *key, struct target *target,
                                uint64_t *seen)
{
    uint32_t via_alias = d->via_alias, depth = d->depth;
    enum yk_status st = decode_entry(d, key, target, seen);
    if (st == YK_OK)
        return YK_OK;
    d->via_alias = via_alias;
    d->depth = depth;
    return d->failed(d->context, st, is_structure(target, key));
}

static enum yk_status decode_mapping(struct yk__decoder *d, const struct yk__yaml_node *mapping,
                                     void *context)
{
    struct target *target = context;
    const struct yk__yaml_node *merged = NULL;
    uint64_t seen = 0;
    enum yk_status st = YK_OK;

    if (++d->depth > STRUCT_DEPTH_MAX)
        st = FAIL(d, YK_ERR_LIMIT, mapping, "nested deeper than %d levels", YK_CONFIG_DEPTH_MAX);
    for (const struct yk__yaml_node *key = mapping->u.children.first; key != NULL && st == YK_OK;
         key = key->next->next) {
        if (!is_merge_key(key))
            st = try_entry(d, key, target, &seen);
        else if (merged != NULL)
            st = FAIL(d, YK_ERR_INVALID, key, "field '<<' is there twice in %s", target->schema->what);
        else
            merged = key->next;
    }
    target->set |= seen;
    if (st == YK_OK && merged != NULL)
        st = merge(d, merged, decode_mapping, target);
    d->depth--;
    return st;
}

static void note_place(const struct yk__schema *schema, const struct yk__yaml_node *node, char *object)
{
    if (schema->place_offset != 0)
        *(struct yk_config_place *)(void *)(object + schema->place_offset) =
            (struct yk_config_place){node->line, node->column};
}

enum yk_status yk__decode(struct yk__decoder *d, const struct yk__schema *schema,
                          const struct yk__yaml_node *node, void *object)
{
    struct target target = {.schema = schema, .object = object};
    const struct yk__yaml_node *value;
    enum yk_status st = enter(d, node, &value);
    if (st == YK_OK && value->kind == YK__YAML_MAPPING) {
        note_place(schema, node, object);
        st = decode_mapping(d, value, &target);
    } else if (st == YK_OK && !is_null(value)) {
        st = FAIL(d, YK_ERR_INVALID, node, "%s must be a mapping, not %s", schema->what,
                  yk__yaml_kind_word(value));
    }
    leave(d, node);
    return st;
}
