/* SPDX-License-Identifier: Apache-2.0 */
#include "config/load_priv.h"

#include "resources/quantity.h"

void yk__types_begin(struct yk__types *types)
{
    memset(types, 0, sizeof(*types));
    types->known = types->count = yk_restype_count();
}

/*
 * The type of `name`, with a reference; YK_RESTYPE_UNKNOWN: it is new. If more than half of the types are
 * below `known`, there may be too few provisional ones, so a new name is added to the table at once, where
 * it may get a type that was freed. If the text is refused, the type loses its references, and is freed.
 */
static int find_held(const struct yk__types *types, struct yk_str name)
{
    int type = YK_RESTYPE_UNKNOWN;
    if (types->known <= YK_RESTYPE_MAX / 2)
        return yk_restype_find_held(name);
    return yk_restype_add_held(name, &type, NULL) == YK_OK ? type : YK_RESTYPE_UNKNOWN;
}

/* Sets `*ret_type` to the type of `name`, or to its provisional type, with a reference. */
static enum yk_status number_of(struct yk__types *types, struct yk_str name, int *ret_type,
                                struct yk_err *err)
{
    if (name.len == 0 || name.len > YK_RESTYPE_NAME_MAX)
        return yk_fail(err, YK_ERR_INVALID, "resource name of %zu bytes (1 to %d allowed)", name.len,
                       YK_RESTYPE_NAME_MAX);
    int type = find_held(types, name);
    /* A type from `known` on was added after the load began. Here it is still a new type. */
    if (type != YK_RESTYPE_UNKNOWN && type < types->known) {
        *ret_type = type;
        return YK_OK;
    }
    yk_restype_release(type);
    for (type = types->known; type < types->count; type++) {
        if (yk_str_eq(types->names[type], name)) {
            yk_restype_hold(type);
            *ret_type = type;
            return YK_OK;
        }
    }
    if (types->count == YK_RESTYPE_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "resource '" YK_STR_FMT "': more than %d resource types",
                       YK_STR_ARG(name), YK_RESTYPE_MAX);
    types->names[types->count] = name;
    *ret_type = types->count++;
    yk_restype_hold(*ret_type);
    return YK_OK;
}

enum yk_status yk__amount(struct yk__load *load, const struct yk_pair *pair, struct yk_resvec *amounts)
{
    int64_t amount = 0;
    int type = 0;
    enum yk_status st = yk_quantity_parse_config(pair->key, pair->value, &amount, load->err);
    if (st == YK_OK)
        st = number_of(&load->types, pair->key, &type, load->err);
    if (st != YK_OK) {
        struct yk_config_place place = yk__place_of(load->config, pair->key.p, (struct yk_config_place){0});
        return yk_fail_is_at(load->err, st, place.line, place.column);
    }
    yk_resvec_put(amounts, type, amount);
    yk_restype_release(type);
    return YK_OK;
}

enum yk_status yk__amounts(struct yk__load *load, const struct yk_pairs *text, struct yk_resvec *ret_amounts)
{
    YK_RESVEC(amounts);
    for (uint32_t i = 0; i < text->count; i++) {
        enum yk_status st = yk__amount(load, &text->items[i], &amounts);
        if (st != YK_OK)
            return st;
    }
    yk_resvec_copy(ret_amounts, &amounts);
    return YK_OK;
}

enum yk_status yk_config_amounts(const struct yk_pairs *text, struct yk_resvec *ret_amounts,
                                 struct yk_err *err)
{
    YK_RESVEC(amounts);
    for (uint32_t i = 0; i < text->count; i++) {
        const struct yk_pair *pair = &text->items[i];
        int64_t amount = 0;
        int type = 0;
        enum yk_status st = yk_quantity_parse_config(pair->key, pair->value, &amount, err);
        if (st == YK_OK)
            st = yk_restype_add_held(pair->key, &type, err);
        if (st != YK_OK)
            return st;
        yk_resvec_put(&amounts, type, amount);
        yk_restype_release(type); /* the vector holds it */
    }
    yk_resvec_copy(ret_amounts, &amounts);
    return YK_OK;
}

/* ---- from provisional types to types ---- */

struct renumbering {
    int known, count;       /* provisional types: from `known` on, below `count` */
    int to[YK_RESTYPE_MAX]; /* by provisional type: the type */
    bool moves;             /* a type differs from the provisional one */
};

static void renumber(const struct renumbering *r, struct yk_resvec *amounts)
{
    YK_RESVEC(moved);
    yk_resvec_foreach(type, amounts)
        yk_resvec_put(&moved, type < r->known ? type : r->to[type], yk_resvec_get(amounts, type));
    yk_resvec_copy(amounts, &moved);
}

static void renumber_limits(const struct renumbering *r, struct yk_config_limits *limits)
{
    for (uint32_t i = 0; i < limits->count; i++)
        renumber(r, &limits->items[i].max_resources.amounts);
}

static void renumber_queue(const struct renumbering *r, struct yk_config_queue *queue)
{
    renumber(r, &queue->guaranteed.amounts);
    renumber(r, &queue->max.amounts);
    renumber_limits(r, &queue->limits);
    for (uint32_t i = 0; i < queue->queue_count; i++)
        renumber_queue(r, &queue->queues[i]);
}

enum yk_status yk__types_publish(struct yk__load *load)
{
    const struct yk__types *types = &load->types;
    struct renumbering r;
    r.known = types->known;
    r.count = types->count;
    r.moves = false;
    enum yk_status st = YK_OK;
    int added = types->known;
    for (; added < types->count; added++) {
        st = yk_restype_add_held(types->names[added], &r.to[added], load->err);
        if (st != YK_OK)
            break;
        r.moves = r.moves || r.to[added] != added;
    }
    for (uint32_t i = 0; st == YK_OK && r.moves && i < load->config->partition_count; i++)
        renumber_queue(&r, &load->config->partitions[i].root);
    while (added-- > types->known)
        yk_restype_release(r.to[added]); /* the vectors hold them */
    return st;
}
