/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that only the files of the cache call. Thread: scheduling thread only. */
#ifndef YK_CACHE_CACHE_PRIV_H
#define YK_CACHE_CACHE_PRIV_H

#include "cache/cache.h"

enum { /* bytes; the limits of the API server */
       YK__NAMESPACE_MAX = 63,
       YK__NAME_MAX = 253,
       YK__KEY_MAX = YK__NAMESPACE_MAX + 1 + YK__NAME_MAX,
};

struct yk__key { /* "<namespace>/<name>" */
    char text[YK__KEY_MAX + 1];
    size_t len;
};

/* Sets `ret` to the key of an object; ret->text is not terminated. False: namespace or name is empty or
 * too long, and `ret` is unchanged. */
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

/* A number for a resourceVersion. The number of a decimal text up to INT64_MAX is its value, which grows with
 * each change of the object. The number of another text is a hash above INT64_MAX; two hashes can only be
 * compared for equality. */
uint64_t yk__version(struct yk_str resource_version);

/* The functions below call the observers for what they change, except those whose comments say "Calls no
 * observer". */

/* Adds the pod, or updates the stored pod to `object` if their versions differ. A pod that has ended is not
 * stored. A pod that belongs to another scheduler, or that could not be read whole, is not added without a
 * node, and is removed if it has lost its node. A stored pod with another UID is removed first. */
void yk__pod_upsert(struct yk_cache *cache, const struct yk_pod *object);
/* Removes a pod that was deleted. No effect if the pod is not stored, or if a later pod of the same name is
 * stored. `object`: the last state of the deleted pod. */
void yk__pod_deleted(struct yk_cache *cache, const struct yk_pod *object);
/* Removes the pods that were not in the list that has just ended. */
void yk__pods_sweep(struct yk_cache *cache);
/* Makes the empty set of pods. Calls no observer. */
void yk__pods_init(struct yk_cache *cache);
/* Removes all pods, and frees the set. */
void yk__pods_done(struct yk_cache *cache);

/* The node of that name. If there is none, makes a placeholder; the caller puts a pod on it or makes it a
 * known node. Calls no observer. */
struct yk_cache_node *yk__node_for(struct yk_cache *cache, struct yk_str name);
/* Frees the node if it is a placeholder without pods. Calls no observer. */
void yk__node_drop_if_unused(struct yk_cache *cache, struct yk_cache_node *node);
/* Adds the node, or updates the stored node to `object` if their versions differ. A stored node with another
 * UID is removed first. A node without a UID, or with an empty or too long name, is logged and counted in
 * `refused`, but not stored. */
void yk__node_upsert(struct yk_cache *cache, const struct yk_k8s_node *object);
/* Removes the node of that name. No effect if it is not known. While pods are on it, a placeholder stays. */
void yk__node_deleted(struct yk_cache *cache, struct yk_str name);
/* Removes the nodes that were not in the list that has just ended. */
void yk__nodes_sweep(struct yk_cache *cache);
/* Removes all nodes, and frees the tables of nodes. To be called after yk__pods_done(). */
void yk__nodes_done(struct yk_cache *cache);

/* Stores a new or changed object of a kept kind. `object` is taken. It is not stored if its name or UID is
 * impossible, if its version and UID are those of the stored object, or if it is a ConfigMap that the cache
 * does not store. */
void yk__kept_upsert(struct yk_cache *cache, struct yk_object *object);
/* Removes an object of a kept kind that was deleted. No effect if it is not stored. `object`: the last state
 * of the deleted object. */
void yk__kept_deleted(struct yk_cache *cache, const struct yk_object *object);
/* Removes the objects of the kind that were not in the list that has just ended. */
void yk__kept_sweep(struct yk_cache *cache, enum yk_kind kind);
/* Frees the objects of all kept kinds. Calls no observer. */
void yk__kept_done(struct yk_cache *cache);

#endif
