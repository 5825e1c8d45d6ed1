/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the objects of a question as an API server would send them, with defaults, name, UID, time of
 * creation and priority. The objects are trees of JSON, so that an object can be changed during the trial and
 * read again. The caller frees a resulting tree with json_decref(), and a resulting object with
 * yk_object_free().
 *
 * Thread: the thread of the copy (whatif/copy.h), which may read the cache.
 * Source: docs/whatif.md, "What is assumed".
 */
#ifndef YK_WHATIF_MANIFEST_H
#define YK_WHATIF_MANIFEST_H

#include "cache/cache.h"
#include "whatif/question.h"

/* Makes pod number `index`, from 0 to question->count - 1, of a question of kind YK_WHATIF_POD, _JOB or
 * _GANG. The caller sets the version of the pod (yk_manifest_set_version()). Errors: YK_ERR_INVALID: the
 * manifest is malformed, the pod has a node or another scheduler, or a gang has no task groups;
 * YK_ERR_EXISTS: the cache has a pod with the same name; YK_ERR_NOT_FOUND: the priority class of the pod does
 * not exist. */
YK_NODISCARD enum yk_status yk_manifest_pod(const struct yk_cache *cache,
                                            const struct yk_whatif_question *question, uint32_t index,
                                            int64_t now_wall_ns, struct json_t **ret_pod, struct yk_err *err);
/* Makes a pod that the scheduler creates. `body`: the body of the request, which contains the name of the
 * pod. `number`: makes the UID unique. It must be another one for each pod, and at least YK_WHATIF_PODS_MAX,
 * because yk_manifest_pod() uses smaller numbers. The caller sets the version of the pod
 * (yk_manifest_set_version()). Errors: those of yk_json_parse() for `body`; YK_ERR_INVALID: the metadata of
 * `body` are not an object. */
YK_NODISCARD enum yk_status yk_manifest_created_pod(struct yk_str body, const char *namespace_,
                                                    uint64_t number, int64_t now_wall_ns,
                                                    struct json_t **ret_pod, struct yk_err *err);
/* Sets `*ret_name` to the name of the node that a question of kind YK_WHATIF_NODE is about, borrowed from the
 * question. Errors: YK_ERR_INVALID: there is no name, or it is malformed. */
YK_NODISCARD enum yk_status yk_manifest_node_name(const struct yk_whatif_question *question,
                                                  const char **ret_name, struct yk_err *err);
/*
 * Makes the node of a question of kind YK_WHATIF_NODE: a new node, or the changed node of the cache. The node
 * has a version. Must not be called for YK_WHATIF_REMOVE. Turns numbers in the amounts of question->object
 * into texts. Errors: YK_ERR_INVALID: the manifest is malformed, or lacks the resources that YK_WHATIF_ADD
 * and YK_WHATIF_RESIZE need; YK_ERR_EXISTS: the cache already has a node with the name of the new node;
 * YK_ERR_NOT_FOUND: the cache does not have the node to change.
 */
YK_NODISCARD enum yk_status yk_manifest_node(const struct yk_cache *cache,
                                             const struct yk_whatif_question *question, int64_t now_wall_ns,
                                             struct json_t **ret_node, struct yk_err *err);
/* Makes the ConfigMap yunikorn-configs with `queues` as the value of <policy_group>.yaml. The other entries
 * of `data` are those of this ConfigMap in the cache; entries of binaryData are left out. The result has a
 * version, so yk_manifest_set_version() is not needed. Does not fail. */
struct json_t *yk_manifest_queues(const struct yk_cache *cache, const char *policy_group,
                                  struct yk_str queues);
/* Sets the resource version of an object that has metadata. `version` must differ from the last version that
 * the cache has got of the object. */
void yk_manifest_set_version(struct json_t *manifest, uint64_t version);
/* Sets the node of a pod, and its phase to Running. Drops the other fields of its status. */
void yk_manifest_set_node(struct json_t *pod, const char *node);
/*
 * Makes a new version of a pod of the cache. The new version is on `node`, and has a deletion timestamp if
 * `deleting`. Its resource version differs from that in the cache. The cache does not have the manifest of
 * the pod, so the object is marked YK_READ_IDENTITY. The cache then keeps the size and the constraints of the
 * pod. The result is NULL if the object cannot be made.
 */
struct yk_object *yk_manifest_seen(const struct yk_cache_pod *pod, const char *node, bool deleting);
/* Makes the object of a deletion event of a pod or node. `namespace_`: NULL for a node. `uid`: the UID of the
 * deleted object. The result is NULL if the object cannot be made. */
struct yk_object *yk_manifest_removed(enum yk_kind kind, const char *namespace_, const char *name,
                                      const char *uid);

#endif
