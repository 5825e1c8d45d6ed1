/* SPDX-License-Identifier: Apache-2.0 */
#include "predicates/topology.h"

void yk_topology_init(struct yk_topology *topology)
{
    *topology = (struct yk_topology){.hostname = yk_name_get(YK_STR("kubernetes.io/hostname"))};
    yk_vec_append(&topology->nodes, NULL);
}

/* ---- domains of one key ---- */

static uint32_t next_domain(struct yk_topology_key *key)
{
    if (key->free_count > 0)
        return key->free_domains[--key->free_count];
    if (key->domain_count == key->domain_capacity) {
        key->domain_capacity = key->domain_capacity > 0 ? key->domain_capacity * 2 : 8;
        key->domains = yk_realloc_array(key->domains, key->domain_capacity, sizeof(*key->domains));
        key->free_domains =
            yk_realloc_array(key->free_domains, key->domain_capacity, sizeof(*key->free_domains));
    }
    return key->domain_count++;
}

static void widen(struct yk_topology_key *key, uint32_t slot)
{
    if (slot < key->slots)
        return;
    uint32_t wider = YK_MAX(slot + 1, YK_MAX(64, key->slots + key->slots / 2));
    key->domain_of = yk_realloc_array(key->domain_of, wider, sizeof(*key->domain_of));
    memset(key->domain_of + key->slots, 0, (wider - key->slots) * sizeof(*key->domain_of));
    key->slots = wider;
}

static void enter(struct yk_topology_key *key, const struct yk_cache_node *node)
{
    yk_name value = yk_cache_node_label(node, key->name);
    if (value.id == 0)
        return;
    widen(key, node->slot);
    uint32_t domain = (uint32_t)(uintptr_t)yk_idmap_get(&key->by_value, value.id);
    if (domain == 0) {
        domain = next_domain(key);
        key->domains[domain] = (struct yk_domain){.value = yk_name_ref(value)};
        (void)yk_idmap_put(&key->by_value, value.id, (void *)(uintptr_t)domain); /* is new */
    }
    key->domains[domain].nodes++;
    key->domain_of[node->slot] = domain;
}

static void leave(struct yk_topology_key *key, const struct yk_cache_node *node)
{
    uint32_t domain = yk_domain_at(key, node->slot);
    if (domain == 0)
        return;
    key->domain_of[node->slot] = 0;
    if (--key->domains[domain].nodes > 0)
        return;
    (void)yk_idmap_remove(&key->by_value, key->domains[domain].value.id); /* was there */
    yk_name_put(key->domains[domain].value);
    key->free_domains[key->free_count++] = domain;
}

/* ---- keys ---- */

static void key_free(struct yk_topology *topology, struct yk_topology_key *key)
{
    const struct yk_cache_node *node;
    yk_vec_foreach (node, &topology->nodes) {
        if (node != NULL)
            leave(key, node);
    }
    yk_vec_remove_swap(&topology->keys, yk_vec_find(&topology->keys, key));
    (void)yk_idmap_remove(&topology->by_name, key->name.id); /* was there */
    yk_name_put(key->name);
    yk_idmap_done(&key->by_value);
    free(key->domain_of);
    free(key->domains);
    free(key->free_domains);
    free(key);
}

void yk_topology_done(struct yk_topology *topology)
{
    while (topology->keys.count > 0) {
        struct yk_topology_key *key = topology->keys.items[topology->keys.count - 1];
        YK_ASSERT(key->users == 0);
        key_free(topology, key);
    }
    YK_ASSERT(topology->nodes.count == topology->free_slots.count + 1);
    yk_vec_done(&topology->keys);
    yk_idmap_done(&topology->by_name);
    yk_vec_done(&topology->nodes);
    yk_vec_done(&topology->free_slots);
    yk_name_put(topology->hostname);
    *topology = (struct yk_topology){.hostname = YK_NO_NAME};
}

struct yk_topology_key *yk_topology_use(struct yk_topology *topology, yk_name name)
{
    struct yk_topology_key *key = yk_idmap_get(&topology->by_name, name.id);
    if (key != NULL) {
        key->users++;
        return key;
    }
    key = yk_new0(struct yk_topology_key);
    key->name = yk_name_ref(name);
    key->users = 1;
    key->is_hostname = yk_name_eq(name, topology->hostname);
    (void)next_domain(key); /* number 0 means no domain */
    yk_idmap_expect(&key->by_value, key->is_hostname ? topology->nodes.count : 0);
    const struct yk_cache_node *node;
    yk_vec_foreach (node, &topology->nodes) {
        if (node != NULL)
            enter(key, node);
    }
    yk_vec_append(&topology->keys, key);
    (void)yk_idmap_put(&topology->by_name, name.id, key); /* is new */
    topology->generation += !key->is_hostname;
    return key;
}

void yk_topology_unuse(struct yk_topology *topology, struct yk_topology_key *key)
{
    if (!YK_ASSERT(key->users > 0) || --key->users > 0)
        return;
    if (topology->keys.count > YK_TOPOLOGY_KEYS_KEPT)
        key_free(topology, key);
}

/* ---- nodes ---- */

void yk_topology_add(struct yk_topology *topology, struct yk_cache_node *node)
{
    if (topology->free_slots.count > 0) {
        node->slot = (uint32_t)(uintptr_t)topology->free_slots.items[--topology->free_slots.count];
        topology->nodes.items[node->slot] = node;
    } else {
        node->slot = (uint32_t)topology->nodes.count;
        yk_vec_append(&topology->nodes, node);
    }
}

void yk_topology_remove(struct yk_topology *topology, struct yk_cache_node *node)
{
    topology->nodes.items[node->slot] = NULL;
    yk_vec_append(&topology->free_slots, (void *)(uintptr_t)node->slot);
    node->slot = 0;
}

void yk_topology_enter(struct yk_topology *topology, const struct yk_cache_node *node)
{
    struct yk_topology_key *key;
    yk_vec_foreach (key, &topology->keys)
        enter(key, node);
}

void yk_topology_leave(struct yk_topology *topology, const struct yk_cache_node *node)
{
    struct yk_topology_key *key;
    yk_vec_foreach (key, &topology->keys)
        leave(key, node);
}
