/* SPDX-License-Identifier: Apache-2.0 */
/* Shared between the files of the cache. Thread: scheduling thread only. */
#ifndef YK_CACHE_CACHE_PRIV_H
#define YK_CACHE_CACHE_PRIV_H

#include "cache/cache.h"

enum { /* the API server's limits on names */
       YK__NAMESPACE_MAX = 63,
       YK__NAME_MAX = 253,
       YK__KEY_MAX = YK__NAMESPACE_MAX + 1 + YK__NAME_MAX,
};

struct yk__key { /* "<namespace>/<name>" */
    char text[YK__KEY_MAX + 1];
    size_t len;
};

/* Makes the key of an object in `ret`. False for names that no object can have; `ret` is undefined then. */
static inline bool yk__make_key(struct yk_str namespace_, struct yk_str name, struct yk__key *ret)
{
    if (name.len == 0 || namespace_.len == 0 || namespace_.len > YK__NAMESPACE_MAX || name.len > YK__NAME_MAX)
        return false;
    memcpy(ret->text, namespace_.p, namespace_.len);
    ret->text[namespace_.len] = '/';
    memcpy(ret->text + namespace_.len + 1, name.p, name.len);
    ret->len = namespace_.len + name.len + 1;
    return true;
}

/* A number for the resourceVersion that is only good to compare for equality. */
uint64_t yk__version(struct yk_str resource_version);

/* Adds the pod, or updates it; `object`, its state, is borrowed for the call. Calls the observer. */
void yk__pod_upsert(struct yk_cache *cache, const struct yk_pod *object);
/* Removes a pod that was deleted. `object` is its last state, and is borrowed. */
void yk__pod_deleted(struct yk_cache *cache, const struct yk_pod *object);
/* Removes the pods that the list that has ended did not have. */
void yk__pods_sweep(struct yk_cache *cache);
/* Makes the empty set of pods. */
void yk__pods_init(struct yk_cache *cache);
/* Frees the pods, without calls of the observer. */
void yk__pods_done(struct yk_cache *cache);

/* The node of that name, borrowed. If the cache has none, makes one that is not `known`. */
struct yk_cache_node *yk__node_for(struct yk_cache *cache, struct yk_str name);
/* Frees a node that the API server does not have and no pod is on. */
void yk__node_drop_if_unused(struct yk_cache *cache, struct yk_cache_node *node);
/* Adds the node, or updates it; `object`, its state, is borrowed for the call. Calls the observer. */
void yk__node_upsert(struct yk_cache *cache, const struct yk_k8s_node *object);
/* The API server has no node of that name any longer; it stays while pods are on it. */
void yk__node_deleted(struct yk_cache *cache, struct yk_str name);
/* Removes the nodes that the list that has ended did not have. */
void yk__nodes_sweep(struct yk_cache *cache);
/* Frees the nodes, after the pods. */
void yk__nodes_done(struct yk_cache *cache);

/* Stores a new or changed object of a kept kind. Takes `object`. Calls the observer. */
void yk__kept_upsert(struct yk_cache *cache, struct yk_object *object);
/* Removes an object of a kept kind that was deleted. `object` is its last state, and is borrowed. */
void yk__kept_deleted(struct yk_cache *cache, const struct yk_object *object);
/* Removes what the list that has ended did not have. */
void yk__kept_sweep(struct yk_cache *cache, enum yk_kind kind);
/* Frees the objects of the kept kinds. */
void yk__kept_done(struct yk_cache *cache);

#endif
