/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/kubectl_cells.h"

#include "cmd/kubectl_quantity.h"

void yk_cell_age(const struct yk_ctl *ctl, int64_t since_ns, struct yk_buf *cell)
{
    if (since_ns > 0 && since_ns <= ctl->now_ns)
        yk_age_put(cell, ctl->now_ns - since_ns);
    else if (since_ns > 0)
        yk_age_put(cell, 0); /* the clock of the server is ahead of ours */
}

static const json_t *amount_of(const json_t *row, const char *member, const char *resource)
{
    const json_t *amount = json_object_get(json_object_get(row, member), resource);
    return json_is_integer(amount) ? amount : NULL;
}

void yk_cell_used_of(const json_t *row, const char *used, const char *max, const char *resource,
                     struct yk_buf *cell)
{
    const json_t *limit = amount_of(row, max, resource), *use = amount_of(row, used, resource);
    if (use == NULL && limit == NULL)
        return;
    yk_quantity_put(cell, resource, json_integer_value(use));
    if (limit == NULL)
        return;
    yk_buf_char(cell, '/');
    yk_quantity_put(cell, resource, json_integer_value(limit));
}

void yk_cell_map(const json_t *row, const char *member, struct yk_buf *cell)
{
    yk_quantities_put(cell, json_object_get(row, member), false);
}

static void add_amount(json_t *sum, const char *resource, int64_t amount)
{
    int64_t total = yk_i64_add(json_integer_value(json_object_get(sum, resource)), amount);
    (void)json_object_set_new(sum, resource, json_integer(total)); /* fails only without memory */
}

json_t *yk_amounts_sum(const json_t *a, const json_t *b)
{
    json_t *members = (json_t *)(uintptr_t)b; /* jansson's iterators do not change it */
    json_t *sum = json_copy((json_t *)(uintptr_t)(a != NULL ? a : b));
    if (a == NULL)
        return sum;
    for (void *at = json_object_iter(members); at != NULL; at = json_object_iter_next(members, at))
        add_amount(sum, json_object_iter_key(at), json_integer_value(json_object_iter_value(at)));
    return sum;
}

json_t *yk_app_in_use(const json_t *app)
{
    return yk_amounts_sum(json_object_get(app, "usedResource"), json_object_get(app, "placeholderResource"));
}

double yk_dominant_share(const json_t *used, const json_t *capacity, const char **ret_resource)
{
    double share = 0;
    json_t *members = (json_t *)(uintptr_t)capacity; /* jansson's iterators do not change it */
    *ret_resource = NULL;
    for (void *at = json_object_iter(members); at != NULL; at = json_object_iter_next(members, at)) {
        const char *resource = json_object_iter_key(at);
        json_int_t whole = json_integer_value(json_object_iter_value(at));
        if (whole <= 0)
            continue;
        double part = (double)json_integer_value(json_object_get(used, resource)) / (double)whole;
        if (*ret_resource == NULL || part > share)
            *ret_resource = resource;
        share = YK_MAX(share, part);
    }
    return share;
}
