/* SPDX-License-Identifier: Apache-2.0 */
#include "config/load_priv.h"

#include "resources/quantity.h"

void yk__types_begin(struct yk__types *types)
{
    memset(types, 0, sizeof(*types));
    types->known = types->count = yk_restype_count();
}

/* The slot or provisional number of `name`. */
static enum yk_status number_of(struct yk__types *types, struct yk_str name, int *ret_type,
                                struct yk_err *err)
{
    if (name.len == 0 || name.len > YK_RESTYPE_NAME_MAX)
        return yk_fail(err, YK_ERR_INVALID, "resource name of %zu bytes (1 to %d allowed)", name.len,
                       YK_RESTYPE_NAME_MAX);
    int type = yk_restype_find(name);
    /* A slot above `known` was added by another thread meanwhile: here it is still a new type. */
    if (type != YK_RESTYPE_UNKNOWN && type < types->known) {
        *ret_type = type;
        return YK_OK;
    }
    for (type = types->known; type < types->count; type++) {
        if (yk_str_eq(types->names[type], name)) {
            *ret_type = type;
            return YK_OK;
        }
    }
    if (types->count == YK_RESTYPE_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "resource '" YK_STR_FMT "': more than %d resource types",
                       YK_STR_ARG(name), YK_RESTYPE_MAX);
    types->names[types->count] = name;
    *ret_type = types->count++;
    return YK_OK;
}

enum yk_status yk__amount(struct yk__load *load, const struct yk_config_pair *pair, struct yk_resvec *amounts)
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
    return YK_OK;
}

enum yk_status yk__amounts(struct yk__load *load, const struct yk_config_pairs *text,
                           struct yk_resvec *ret_amounts)
{
    struct yk_resvec amounts;
    yk_resvec_clear(&amounts);
    for (uint32_t i = 0; i < text->count; i++) {
        enum yk_status st = yk__amount(load, &text->items[i], &amounts);
        if (st != YK_OK)
            return st;
    }
    yk_resvec_copy(ret_amounts, &amounts);
    return YK_OK;
}

enum yk_status yk_config_amounts(const struct yk_config_pairs *text, struct yk_resvec *ret_amounts,
                                 struct yk_err *err)
{
    struct yk_resvec amounts;
    yk_resvec_clear(&amounts);
    for (uint32_t i = 0; i < text->count; i++) {
        const struct yk_config_pair *pair = &text->items[i];
        int64_t amount = 0;
        int type = 0;
        enum yk_status st = yk_quantity_parse_config(pair->key, pair->value, &amount, err);
        if (st == YK_OK)
            st = yk_restype_add(pair->key, &type, err);
        if (st != YK_OK)
            return st;
        yk_resvec_put(&amounts, type, amount);
    }
    yk_resvec_copy(ret_amounts, &amounts);
    return YK_OK;
}

/* ---- from provisional numbers to slots ---- */

struct renumbering {
    int known, count;
    int to[YK_RESTYPE_MAX];
    bool moves;
};

static void renumber(const struct renumbering *r, struct yk_resvec *amounts)
{
    struct yk_resvec moved;
    yk_resvec_clear(&moved);
    yk_resvec_foreach(type, amounts->set)
        yk_resvec_put(&moved, (int)type < r->known ? (int)type : r->to[type], amounts->v[type]);
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
    struct renumbering r = {.known = types->known, .count = types->count};
    for (int type = types->known; type < types->count; type++) {
        enum yk_status st = yk_restype_add(types->names[type], &r.to[type], load->err);
        if (st != YK_OK)
            return st;
        r.moves = r.moves || r.to[type] != type;
    }
    /* Only when another thread added types meanwhile. */
    for (uint32_t i = 0; r.moves && i < load->config->partition_count; i++)
        renumber_queue(&r, &load->config->partitions[i].root);
    return YK_OK;
}
