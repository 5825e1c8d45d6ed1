/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Manifests of a question as objects that an API server would send: defaults, name, uid, time of creation,
 * priority. Trees of JSON, so that a manifest can change during the trial and be read again.
 *
 * Thread: the one of the copy (whatif/copy.h); reads the cache.
 * Source: docs/whatif.md, "What is assumed".
 */
#ifndef YK_WHATIF_MANIFEST_H
#define YK_WHATIF_MANIFEST_H

#include "cache/cache.h"
#include "whatif/question.h"

/* Pod number `index` of the question. `*ret_pod`: the caller's, json_decref(). Errors: YK_ERR_INVALID,
 * YK_ERR_EXISTS, YK_ERR_NOT_FOUND (its priority class). */
YK_NODISCARD enum yk_status yk_manifest_pod(const struct yk_cache *cache,
                                            const struct yk_whatif_question *question, uint32_t index,
                                            int64_t now_wall_ns, struct json_t **ret_pod, struct yk_err *err);
/* A pod that the scheduler creates; `body` as it was sent. `number`: for its uid. Errors: YK_ERR_INVALID. */
YK_NODISCARD enum yk_status yk_manifest_created_pod(struct yk_str body, const char *namespace_,
                                                    uint64_t number, int64_t now_wall_ns,
                                                    struct json_t **ret_pod, struct yk_err *err);
/* The node that a question is about: `*ret_name` is borrowed from the question. Errors: YK_ERR_INVALID. */
YK_NODISCARD enum yk_status yk_manifest_node_name(const struct yk_whatif_question *question,
                                                  const char **ret_name, struct yk_err *err);
/*
 * The node as the question wants it: a new one, or the one of the cache with the change. Not for
 * YK_WHATIF_REMOVE. Errors: YK_ERR_INVALID, YK_ERR_EXISTS, YK_ERR_NOT_FOUND.
 */
YK_NODISCARD enum yk_status yk_manifest_node(const struct yk_cache *cache,
                                             const struct yk_whatif_question *question, int64_t now_wall_ns,
                                             struct json_t **ret_node, struct yk_err *err);
/* The ConfigMap yunikorn-configs with other queues. The other entries stay, except those that are packed. */
struct json_t *yk_manifest_queues(const struct yk_cache *cache, const char *policy_group,
                                  struct yk_str queues);
/* Sets the resource version, which has to differ from all before. */
void yk_manifest_set_version(struct json_t *manifest, uint64_t version);
/* Sets the node of a pod, which runs from now on. */
void yk_manifest_set_node(struct json_t *pod, const char *node);
/*
 * A pod of the cache on `node`, which was there before the trial and whose manifest is not known: an object
 * that was read in part, so that the rest of the pod stays as it is. NULL: it cannot be made.
 */
struct yk_object *yk_manifest_seen(const struct yk_cache_pod *pod, const char *node, bool deleting);
/* The object that identifies the removed pod or node: `namespace_` may be NULL. */
struct yk_object *yk_manifest_removed(enum yk_kind kind, const char *namespace_, const char *name,
                                      const char *uid);

#endif
