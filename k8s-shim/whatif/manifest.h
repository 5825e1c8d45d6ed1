/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the objects of a question as an API server would send them, with defaults, name, UID, time of
 * creation and priority. They are trees of JSON, so that an object can be changed during the trial and read
 * again. Each result belongs to the caller, who frees a tree with json_decref() and an object with
 * yk_object_free().
 *
 * Thread: the one of the copy (whatif/copy.h), which may read the cache.
 * Source: docs/whatif.md, "What is assumed".
 */
#ifndef YK_WHATIF_MANIFEST_H
#define YK_WHATIF_MANIFEST_H

#include "cache/cache.h"
#include "whatif/question.h"

/* Makes pod number `index`, from 0 to question->count - 1, of a question of kind YK_WHATIF_POD, _JOB or
 * _GANG. The caller sets its version (yk_manifest_set_version()). Errors: YK_ERR_INVALID, its manifest is
 * malformed, or it cannot be asked about, because it has a node or another scheduler; YK_ERR_EXISTS, the
 * cache has a pod of that name; YK_ERR_NOT_FOUND, its priority class does not exist. */
YK_NODISCARD enum yk_status yk_manifest_pod(const struct yk_cache *cache,
                                            const struct yk_whatif_question *question, uint32_t index,
                                            int64_t now_wall_ns, struct json_t **ret_pod, struct yk_err *err);
/* Makes a pod that the scheduler creates. `body`: of its request; it has the name of the pod. `number`: for
 * its UID; it differs from those of other such pods, and is YK_WHATIF_PODS_MAX or more, because
 * yk_manifest_pod() uses `index`. The caller sets its version (yk_manifest_set_version()). Errors:
 * YK_ERR_INVALID or YK_ERR_LIMIT, as yk_json_parse() for `body`; YK_ERR_INVALID, also if it has no
 * metadata. */
YK_NODISCARD enum yk_status yk_manifest_created_pod(struct yk_str body, const char *namespace_,
                                                    uint64_t number, int64_t now_wall_ns,
                                                    struct json_t **ret_pod, struct yk_err *err);
/* Sets `*ret_name` to the name of the node that a question of kind YK_WHATIF_NODE is about, borrowed from the
 * question.
 * Errors: YK_ERR_INVALID, there is none, or it is malformed. */
YK_NODISCARD enum yk_status yk_manifest_node_name(const struct yk_whatif_question *question,
                                                  const char **ret_name, struct yk_err *err);
/*
 * Makes the node of a question of kind YK_WHATIF_NODE: a new one, or the one of the cache with the change. It
 * has a version. Not for YK_WHATIF_REMOVE. Turns numbers in the amounts of question->object into texts.
 * Errors: YK_ERR_INVALID, the manifest is malformed, or lacks the resources that YK_WHATIF_ADD and
 * YK_WHATIF_RESIZE need; YK_ERR_EXISTS, the cache has a node of the name of a new one; YK_ERR_NOT_FOUND, it
 * has no node to change.
 */
YK_NODISCARD enum yk_status yk_manifest_node(const struct yk_cache *cache,
                                             const struct yk_whatif_question *question, int64_t now_wall_ns,
                                             struct json_t **ret_node, struct yk_err *err);
/* Makes the ConfigMap yunikorn-configs with `queues` as the value of <policy_group>.yaml, and with the other
 * entries of `data` that this ConfigMap has in the cache; entries of binaryData are left out. Sets a version:
 * yk_manifest_set_version() is not needed. Does not fail. */
struct json_t *yk_manifest_queues(const struct yk_cache *cache, const char *policy_group,
                                  struct yk_str queues);
/* Sets the resource version of an object that has metadata. It must differ from the versions that the cache
 * has got of the object before. */
void yk_manifest_set_version(struct json_t *manifest, uint64_t version);
/* Sets the node of a pod, and its phase to Running; the rest of its status is dropped. */
void yk_manifest_set_node(struct json_t *pod, const char *node);
/*
 * Makes a new version of a pod of the cache, on `node`, and with a deletion timestamp if `deleting`. Its
 * version is the next one after that in the cache. The cache does not have the manifest of the pod, so the
 * object counts as one of which only the identity could be read (YK_READ_IDENTITY): the cache keeps the rest.
 * NULL: it cannot be made.
 */
struct yk_object *yk_manifest_seen(const struct yk_cache_pod *pod, const char *node, bool deleting);
/* Makes the object of a deletion event of a pod or node. `namespace_`: NULL for a node. `uid`: of the object
 * that is deleted. The result is NULL if it cannot be made. */
struct yk_object *yk_manifest_removed(enum yk_kind kind, const char *namespace_, const char *name,
                                      const char *uid);

#endif
