/* SPDX-License-Identifier: Apache-2.0 */
/* Node: docs/reference/rest.md, section 4. */
#include "web/show_priv.h"

static void show_list(struct yk_json *json, const char *key, const struct yk_list *asks,
                      void (*show)(struct yk_json *json, const struct yk_ask *ask))
{
    struct yk_names names = {0};
    const struct yk_ask *ask;
    if (yk_list_empty(asks))
        return;
    yk_list_foreach (ask, asks, struct yk_ask, in_node)
        yk_names_add(&names, yk_str_from(ask->key), 0, ask);
    yk_names_sort(&names);
    yk_json_key(json, key);
    yk_json_array_begin(json);
    for (size_t i = 0; i < names.count; i++)
        show(json, names.items[i].object);
    yk_json_array_end(json);
    yk_names_done(&names);
}

static void show(struct yk_json *json, const struct yk_node *node, bool summary)
{
    YK_RESVEC(allocated);
    YK_RESVEC(occupied);
    YK_RESVEC(offered);
    yk_node_allocated(node, &allocated);
    yk_node_occupied(node, &occupied);
    yk_json_object_begin(json);
    yk_json_add_text(json, "nodeID", node->id);
    yk__put_text_if(json, "hostName", yk_tags_get(&node->attributes, YK_SI_NODE_HOSTNAME));
    yk__put_text_if(json, "rackName", yk_tags_get(&node->attributes, YK_SI_NODE_RACK));
    /* The key is written even if there are no attributes: the web UI needs it. */
    yk__put_tags(json, "attributes", &node->attributes);
    yk__put_amounts_if(json, "capacity", node->total);
    yk__put_amounts_if(json, "allocated", &allocated);
    yk__put_amounts_if(json, "occupied", &occupied);
    yk__put_amounts_if(json, "available", node->available);
    yk_resvec_copy(&offered, node->total);
    yk_resvec_prune(&offered); /* only types that the node offers are shown */
    yk__put_percent_if(json, "utilized", &offered, &allocated);
    if (!summary) {
        show_list(json, "allocations", &node->allocations, yk__show_allocation);
        show_list(json, "foreignAllocations", &node->foreign, yk__show_foreign);
    }
    yk_json_add_bool(json, "schedulable", node->schedulable);
    yk__show_node_reservations(json, node);
    yk_json_object_end(json);
}

void yk__show_node(struct yk_json *json, const struct yk_node *node)
{
    show(json, node, false);
}

void yk__show_node_summary(struct yk_json *json, const struct yk_node *node)
{
    show(json, node, true);
}
