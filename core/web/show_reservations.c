/* SPDX-License-Identifier: Apache-2.0 */
/* The asks with reservations, of a node or of an application: docs/reference/rest.md, section 4. */
#include "reservation/reservations.h"
#include "web/show_priv.h"

/* Frees `keys`. */
static void put_keys(struct yk_json *json, struct yk_names *keys)
{
    yk_names_sort(keys);
    if (keys->count > 0) {
        yk_json_key(json, "reservations");
        yk_json_array_begin(json);
        for (size_t i = 0; i < keys->count; i++)
            yk_json_str(json, keys->items[i].text);
        yk_json_array_end(json);
    }
    yk_names_done(keys);
}

static void add_key(struct yk_names *keys, const struct yk_reservation *reservation)
{
    yk_names_add(keys, yk_str_from(reservation->ask->key), 0, reservation);
}

static void add_group(struct yk_names *keys, const struct yk_group *group)
{
    const struct yk_reservation *reservation;
    yk_list_foreach (reservation, &group->reservation.list, struct yk_reservation, in_group)
        add_key(keys, reservation);
}

void yk__show_node_reservations(struct yk_json *json, const struct yk_node *node)
{
    struct yk_names keys = {0};
    const struct yk_reservation *reservation;
    yk_list_foreach (reservation, &node->reservations, struct yk_reservation, in_node)
        add_key(&keys, reservation);
    yk_json_add_bool(json, "isReserved", keys.count > 0);
    put_keys(json, &keys);
}

void yk__show_app_reservations(struct yk_json *json, const struct yk_app *app)
{
    struct yk_names keys = {0};
    const struct yk_group *group;
    yk_tree_foreach (group, &app->pending_groups, struct yk_group, in_pending)
        add_group(&keys, group);
    yk__put_true(json, "hasReserved", keys.count > 0);
    put_keys(json, &keys);
}
