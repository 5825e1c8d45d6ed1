/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the queue that is written at a place of the text. */
#include "config/load_priv.h"

/* The part of the text that describes a partition or a queue. */
struct span {
    const struct yk_yaml_node *node; /* the mapping, with its begin and end */
    const struct span *around;       /* of the parent; NULL: this is a partition */
};

/* Spans are sorted by their begin: two of them are disjoint, or one contains the other and comes first. */
struct yk_queue_places {
    struct yk_arena arena;
    struct yk_vec spans; /* struct span, in the arena */
};

struct place {
    uint32_t line, column;
};

static bool is_before(struct place a, struct place b)
{
    return a.line != b.line ? a.line < b.line : a.column < b.column;
}

static struct place begin_of(const struct yk_yaml_node *node)
{
    return (struct place){node->line, node->column};
}

static struct place end_of(const struct yk_yaml_node *node)
{
    return (struct place){node->end_line, node->end_column};
}

/* Whether `inner` is written inside of `outer`. The target of an alias need not be. */
static bool is_inside(const struct yk_yaml_node *inner, const struct yk_yaml_node *outer)
{
    return is_before(begin_of(outer), begin_of(inner)) && !is_before(end_of(outer), end_of(inner));
}

/* The value of `key` in the mapping without its merge keys; NULL: there is none, or `mapping` is no
 * mapping. */
static const struct yk_yaml_node *after_key(const struct yk_yaml_node *mapping, const char *key)
{
    const struct yk_yaml_node *at = mapping->kind == YK_YAML_MAPPING ? mapping->u.children.first : NULL;
    while (at != NULL &&
           !(yk_yaml_behind(at)->kind == YK_YAML_SCALAR && yk_str_is(yk_yaml_behind(at)->u.text, key)))
        at = at->next->next;
    return at != NULL ? at->next : NULL;
}

enum { MERGES_MAX = 16 }; /* merged mappings that are searched; a name behind more of them is shown as "?" */

/* The value of `key`, also if a merge key adds it; NULL: it is not there. `*merges`: number of merged mappings
 * that may still be searched. */
static const struct yk_yaml_node *search(const struct yk_yaml_node *mapping, const char *key, int *merges)
{
    const struct yk_yaml_node *value = after_key(mapping, key), *merged = after_key(mapping, "<<");
    if (value != NULL || merged == NULL)
        return value;
    merged = yk_yaml_behind(merged);
    if (merged->kind == YK_YAML_MAPPING)
        return --*merges > 0 ? search(merged, key, merges) : NULL;
    const struct yk_yaml_node *entry = merged->kind == YK_YAML_SEQUENCE ? merged->u.children.first : NULL;
    for (; entry != NULL && value == NULL && --*merges > 0; entry = entry->next)
        value = search(yk_yaml_behind(entry), key, merges);
    return value;
}

/* The value of `key`, also if a merge key adds it; NULL: it is not there, or not of that kind. */
static const struct yk_yaml_node *value_of(const struct yk_yaml_node *mapping, const char *key,
                                           enum yk_yaml_kind kind)
{
    int merges = MERGES_MAX;
    const struct yk_yaml_node *value = search(mapping, key, &merges);
    return value != NULL && yk_yaml_behind(value)->kind == kind ? yk_yaml_behind(value) : NULL;
}

static void add_spans(struct yk_queue_places *places, const struct yk_yaml_node *list,
                      const struct span *around)
{
    for (const struct yk_yaml_node *entry = list->u.children.first; entry != NULL; entry = entry->next) {
        if (entry->kind != YK_YAML_MAPPING)
            continue;
        struct span *span = yk_arena_alloc0(&places->arena, sizeof(*span));
        *span = (struct span){entry, around};
        yk_vec_append(&places->spans, span);
        const struct yk_yaml_node *below = value_of(entry, "queues", YK_YAML_SEQUENCE);
        if (below != NULL && is_inside(below, entry))
            add_spans(places, below, span); /* the parser limits the depth of the recursion */
    }
}

struct yk_queue_places *yk_queue_places_new(struct yk_str text)
{
    struct yk_queue_places *places = yk_new0(struct yk_queue_places);
    struct yk_yaml_node *root = NULL;
    if (text.len > YK_CONFIG_BYTES_MAX ||
        yk_yaml_parse(text, &yk__config_limits, &places->arena, &root, NULL) != YK_OK)
        return places;
    const struct yk_yaml_node *partitions =
        root != NULL ? value_of(root, "partitions", YK_YAML_SEQUENCE) : NULL;
    if (partitions != NULL)
        add_spans(places, partitions, NULL);
    return places;
}

void yk_queue_places_free(struct yk_queue_places *places)
{
    if (places == NULL)
        return;
    yk_vec_done(&places->spans);
    yk_arena_done(&places->arena);
    free(places);
}

/* The innermost span around the place, or NULL. */
static const struct span *innermost(const struct yk_queue_places *places, struct place place)
{
    size_t low = 0, high = places->spans.count; /* spans before `low` begin at the place or before it */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct span *span = places->spans.items[middle];
        if (is_before(place, begin_of(span->node)))
            high = middle;
        else
            low = middle + 1;
    }
    const struct span *span = low > 0 ? places->spans.items[low - 1] : NULL;
    while (span != NULL && !is_before(place, end_of(span->node)))
        span = span->around;
    return span;
}

static void put_name(const struct span *queue, struct yk_buf *path)
{
    const struct yk_yaml_node *name = value_of(queue->node, "name", YK_YAML_SCALAR);
    const struct yk_yaml_node *list = value_of(queue->around->node, "queues", YK_YAML_SEQUENCE);
    bool is_top = path->len == 0, is_only = list != NULL && list->count == 1;
    bool is_root = name != NULL && strcasecmp(name->u.text.p, "root") == 0;
    if (is_top)
        yk_buf_text(path, "root");
    if (is_top && is_only && is_root)
        return; /* V1: any other top queue is below a root queue that is not written */
    yk_buf_char(path, '.');
    yk_buf_str(path, name != NULL ? name->u.text : YK_STR("?"));
}

static void put_path(const struct span *queue, struct yk_buf *path)
{
    if (queue->around == NULL)
        return;
    put_path(queue->around, path);
    put_name(queue, path);
}

bool yk_queue_places_find(const struct yk_queue_places *places, uint32_t line, uint32_t column,
                          struct yk_buf *ret_path)
{
    const struct span *span = line != 0 ? innermost(places, (struct place){line, column}) : NULL;
    bool found = span != NULL && span->around != NULL;
    if (found)
        put_path(span, ret_path);
    return found;
}
