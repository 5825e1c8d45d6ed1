/* SPDX-License-Identifier: Apache-2.0 */
#include "whatif/manifest.h"

#include "api/encode.h"
#include "api/json_reader.h"
#include "api/pod_keys.h"
#include "base/clock.h"
#include "cache/config_merge.h"
#include "cache/features.h"
#include "selectors/requirement.h"
#include "whatif/question.h"

#include <jansson.h>

/* ---- trees ---- */

/* The object at `key`. It is made if there is no value. NULL: the value is not an object. */
static json_t *open_object(json_t *tree, const char *key)
{
    json_t *object = json_object_get(tree, key);
    if (object == NULL || json_is_null(object)) {
        object = json_object();
        (void)json_object_set_new(tree, key, object); /* `tree` is an object */
    }
    return json_is_object(object) ? object : NULL;
}

static const char *text_of(const json_t *tree, const char *key)
{
    const char *text = json_string_value(json_object_get(tree, key));
    return text != NULL && text[0] != '\0' ? text : NULL;
}

/* Sets a text. No effect if `text` is not UTF-8. */
static void set_text(json_t *tree, const char *key, const char *text)
{
    json_t *value = json_string(text);
    if (value != NULL)
        (void)json_object_set_new(tree, key, value); /* `tree` is an object */
}

static void set_str(json_t *tree, const char *key, struct yk_str text)
{
    json_t *value = json_stringn(text.p != NULL ? text.p : "", text.len);
    if (value != NULL)
        (void)json_object_set_new(tree, key, value); /* `tree` is an object */
}

static void set_creation(json_t *metadata, int64_t now_wall_ns)
{
    char now[YK_TIME_TEXT_MAX];
    yk_time_format(now_wall_ns, 0, now);
    set_text(metadata, "creationTimestamp", now);
}

void yk_manifest_set_version(json_t *manifest, uint64_t version)
{
    char text[24];
    snprintf(text, sizeof(text), "%llu", (unsigned long long)version);
    set_text(json_object_get(manifest, "metadata"), "resourceVersion", text);
}

/* ---- pods ---- */

#define NAMESPACE_IN_EACH_CLUSTER "default"

static const char *namespace_of(const json_t *metadata)
{
    const char *given = text_of(metadata, "namespace");
    return given != NULL ? given : NAMESPACE_IN_EACH_CLUSTER;
}

static bool has_namespace(const struct yk_cache *cache, const char *name)
{
    return strcmp(name, NAMESPACE_IN_EACH_CLUSTER) == 0 ||
           yk_cache_find_namespace(cache, yk_str_from(name)) != NULL;
}

/* Sets the name of the pod. The name ends with `index` if there are several pods or the manifest has no
 * name. */
static void name_pod(json_t *metadata, const struct yk_whatif_question *question, uint32_t index)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf name = {0};
    const char *given = text_of(metadata, "name"), *prefix = text_of(metadata, "generateName");
    bool is_numbered = question->count > 1 || given == NULL;
    yk_buf_text(&name, given != NULL ? given : prefix != NULL ? prefix : "whatif");
    if (is_numbered)
        yk_buf_printf(&name, "%s%u", given == NULL && prefix != NULL ? "" : "-", index);
    set_text(metadata, "name", yk_buf_cstr(&name));
}

static enum yk_status identify_pod(const struct yk_cache *cache, json_t *metadata, struct yk_err *err)
{
    const char *namespace_ = namespace_of(metadata), *name = text_of(metadata, "name");
    if (!yk_dns_label_valid(yk_str_from(namespace_)))
        return yk_fail(err, YK_ERR_INVALID, "pod: '%.80s' is not the name of a namespace", namespace_);
    if (!yk_dns_subdomain_valid(yk_str_from(name)))
        return yk_fail(err, YK_ERR_INVALID, "pod: '%.80s' is not the name of a pod", name);
    if (!has_namespace(cache, namespace_))
        return yk_fail(err, YK_ERR_NOT_FOUND, "pod: there is no namespace '%s'", namespace_);
    if (yk_cache_find_pod(cache, yk_str_from(namespace_), yk_str_from(name)) != NULL)
        return yk_fail(err, YK_ERR_EXISTS,
                       "a pod %s/%s is there already: give the pod of the question another name", namespace_,
                       name);
    set_text(metadata, "namespace", namespace_);
    return YK_OK;
}

static void set_uid(json_t *metadata, uint64_t number)
{
    char uid[48];
    snprintf(uid, sizeof(uid), "whatif-%llu", (unsigned long long)number);
    set_text(metadata, "uid", uid);
}

/* The default class. If several classes are the default, the API server uses the one with the lowest
 * value. */
static const struct yk_priority_class *default_class(const struct yk_cache *cache)
{
    const struct yk_priority_class *found = NULL;
    struct yk_cache_entry *entry;
    yk_strmap_foreach (entry, &cache->kept[YK_KIND_PRIORITY_CLASS]) {
        const struct yk_priority_class *class_ = yk_priority_class_of(entry->object);
        if (class_->global_default && (found == NULL || class_->value < found->value))
            found = class_;
    }
    return found;
}

/* Sets priority class, priority and preemption policy where they are missing, as the admission plugin
 * "Priority" of an API server does. */
static enum yk_status set_priority(const struct yk_cache *cache, json_t *spec, struct yk_err *err)
{
    const char *name = text_of(spec, "priorityClassName");
    const struct yk_priority_class *class_ =
        name != NULL ? yk_cache_find_priority_class(cache, yk_str_from(name)) : default_class(cache);
    if (class_ == NULL && name != NULL)
        return yk_fail(err, YK_ERR_NOT_FOUND, "pod: there is no PriorityClass '%.80s'", name);
    if (class_ == NULL)
        return YK_OK;
    if (name == NULL)
        set_str(spec, "priorityClassName", class_->object.name);
    if (json_object_get(spec, "priority") == NULL)
        (void)json_object_set_new(spec, "priority", json_integer(class_->value)); /* `spec` is an object */
    if (json_object_get(spec, "preemptionPolicy") == NULL && !yk_str_empty(class_->preemption_policy))
        set_str(spec, "preemptionPolicy", class_->preemption_policy);
    return YK_OK;
}

/* Sets each missing request to the limit of the same resource. */
static void default_requests(json_t *containers)
{
    size_t index;
    json_t *container, *amount;
    const char *type;
    json_array_foreach(containers, index, container)
    {
        json_t *resources = json_object_get(container, "resources");
        json_t *limits = json_object_get(resources, "limits");
        json_t *requests = json_is_object(limits) ? open_object(resources, "requests") : NULL;
        json_object_foreach(limits, type, amount)
        {
            if (requests != NULL && json_object_get(requests, type) == NULL)
                (void)json_object_set(requests, type, amount); /* `requests` is an object */
        }
    }
}

static enum yk_status default_spec(const struct yk_cache *cache, json_t *spec, struct yk_err *err)
{
    const char *scheduler = text_of(spec, "schedulerName");
    if (scheduler != NULL && strcmp(scheduler, YK_SCHEDULER_NAME) != 0)
        return yk_fail(err, YK_ERR_INVALID, "the pod is for the scheduler '%.80s'", scheduler);
    if (text_of(spec, "nodeName") != NULL)
        return yk_fail(err, YK_ERR_INVALID,
                       "the pod has a node (spec.nodeName): nothing decides where it goes");
    set_text(spec, "schedulerName", YK_SCHEDULER_NAME);
    default_requests(json_object_get(spec, "containers"));
    default_requests(json_object_get(spec, "initContainers"));
    return set_priority(cache, spec, err);
}

/* Sets the annotation that the admission controller writes when question->user submits the pod. It replaces
 * one in the manifest, which may be a copy of a pod of another user. No effect if the question names no
 * user. */
static void set_user(json_t *annotations, const struct yk_whatif_question *question)
{
    if (question->user == NULL)
        return;
    json_t *info = json_object(), *groups = json_array();
    set_text(info, "user", question->user);
    for (size_t i = 0; i < question->group_count; i++)
        (void)json_array_append_new(groups, json_string(question->groups[i])); /* `groups` is an array */
    (void)json_object_set_new(info, "groups", groups);                         /* `info` is an object */
    char *text = json_dumps(info, JSON_COMPACT);
    if (text != NULL)
        set_text(annotations, YK_KEY_USER_INFO, text);
    free(text);
    json_decref(info);
}

static enum yk_status set_task_groups(json_t *annotations, const struct yk_whatif_question *question,
                                      struct yk_err *err)
{
    if (question->task_groups != NULL) {
        char *text = json_dumps(question->task_groups, JSON_COMPACT);
        if (text != NULL)
            set_text(annotations, YK_KEY_TASK_GROUPS, text);
        free(text);
    }
    if (question->kind == YK_WHATIF_GANG && text_of(annotations, YK_KEY_TASK_GROUPS) == NULL)
        return yk_fail(err, YK_ERR_INVALID,
                       "a gang needs 'taskGroups', or the annotation " YK_KEY_TASK_GROUPS);
    return YK_OK;
}

static enum yk_status fill_pod(const struct yk_cache *cache, const struct yk_whatif_question *question,
                               uint32_t index, int64_t now_wall_ns, json_t *pod, struct yk_err *err)
{
    json_t *metadata = open_object(pod, "metadata"), *spec = open_object(pod, "spec");
    json_t *annotations = metadata != NULL ? open_object(metadata, "annotations") : NULL;
    if (metadata == NULL || spec == NULL || annotations == NULL)
        return yk_fail(err, YK_ERR_INVALID, "pod: metadata, metadata.annotations and spec must be objects");
    name_pod(metadata, question, index);
    enum yk_status st = identify_pod(cache, metadata, err);
    if (st == YK_OK)
        st = default_spec(cache, spec, err);
    if (st == YK_OK)
        st = set_task_groups(annotations, question, err);
    if (st != YK_OK)
        return st;
    set_user(annotations, question);
    set_uid(metadata, index);
    set_creation(metadata, now_wall_ns);
    (void)json_object_del(metadata, "deletionTimestamp"); /* no effect if there is none */
    (void)json_object_set_new(pod, "status", json_pack("{s:s}", "phase", "Pending")); /* `pod` is an object */
    return YK_OK;
}

enum yk_status yk_manifest_pod(const struct yk_cache *cache, const struct yk_whatif_question *question,
                               uint32_t index, int64_t now_wall_ns, json_t **ret_pod, struct yk_err *err)
{
    json_t *pod = json_deep_copy(question->object);
    enum yk_status st = fill_pod(cache, question, index, now_wall_ns, pod, err);
    if (st == YK_OK)
        *ret_pod = pod;
    else
        json_decref(pod);
    return st;
}

enum yk_status yk_manifest_created_pod(struct yk_str body, const char *namespace_, uint64_t number,
                                       int64_t now_wall_ns, json_t **ret_pod, struct yk_err *err)
{
    json_t *pod = NULL;
    enum yk_status st = yk_json_parse(body, &pod, err);
    if (st != YK_OK)
        return st;
    json_t *metadata = open_object(pod, "metadata");
    if (metadata == NULL) {
        json_decref(pod);
        return yk_fail(err, YK_ERR_INVALID, "pod without metadata");
    }
    set_text(metadata, "namespace", namespace_);
    set_uid(metadata, number);
    set_creation(metadata, now_wall_ns);
    (void)json_object_set_new(pod, "status", json_pack("{s:s}", "phase", "Pending")); /* `pod` is an object */
    *ret_pod = pod;
    return YK_OK;
}

void yk_manifest_set_node(json_t *pod, const char *node)
{
    set_text(json_object_get(pod, "spec"), "nodeName", node);
    (void)json_object_set_new(pod, "status", json_pack("{s:s}", "phase", "Running")); /* `pod` is an object */
}

/* ---- nodes ---- */

enum yk_status yk_manifest_node_name(const struct yk_whatif_question *question, const char **ret_name,
                                     struct yk_err *err)
{
    const json_t *metadata = json_object_get(question->object, "metadata");
    const char *name = text_of(metadata != NULL ? metadata : question->object, "name");
    if (name == NULL)
        return yk_fail(err, YK_ERR_INVALID, "'node' needs the name of a node (metadata.name)");
    if (!yk_dns_subdomain_valid(yk_str_from(name)))
        return yk_fail(err, YK_ERR_INVALID, "node: '%.80s' is not the name of a node", name);
    *ret_name = name;
    return YK_OK;
}

/* The resources in the question: `allocatable` of the short form, or `allocatable` or `capacity` in the
 * status of a manifest. */
static json_t *given_amounts(const struct yk_whatif_question *question)
{
    const json_t *status = json_object_get(question->object, "status");
    json_t *amounts = json_object_get(question->object, "allocatable");
    if (amounts == NULL)
        amounts = json_object_get(status, "allocatable");
    return amounts != NULL ? amounts : json_object_get(status, "capacity");
}

static enum yk_status new_node(const struct yk_whatif_question *question, const char *name,
                               int64_t now_wall_ns, json_t **ret_node, struct yk_err *err)
{
    json_t *amounts = given_amounts(question);
    if (!json_is_object(amounts) || json_object_size(amounts) == 0)
        return yk_fail(err, YK_ERR_INVALID, "node '%s' needs resources (status.allocatable)", name);
    json_t *node = json_deep_copy(question->object);
    json_t *metadata = open_object(node, "metadata"), *status = open_object(node, "status");
    json_t *labels = metadata != NULL ? open_object(metadata, "labels") : NULL;
    if (metadata == NULL || status == NULL || labels == NULL) {
        json_decref(node);
        return yk_fail(err, YK_ERR_INVALID, "node: metadata, metadata.labels and status must be objects");
    }
    set_text(metadata, "name", name);
    if (text_of(labels, "kubernetes.io/hostname") == NULL)
        set_text(labels, "kubernetes.io/hostname", name);
    set_uid(metadata, 0);
    set_creation(metadata, now_wall_ns);
    (void)json_object_set(status, "allocatable", amounts); /* `status` is an object */
    yk_manifest_set_version(node, 1);
    *ret_node = node;
    return YK_OK;
}

static json_t *labels_of(const struct yk_cache_node *node)
{
    json_t *labels = json_object();
    for (uint32_t i = 0; i < node->label_count; i++)
        set_text(labels, yk_name_text(node->labels[i].key), yk_name_text(node->labels[i].value));
    return labels;
}

static json_t *taints_of(const struct yk_cache_node *node)
{
    static const char *const effects[] = {"NoSchedule", "NoExecute", "PreferNoSchedule", "Other"};
    YK_INDEXED_BY(effects, YK_TAINT_OTHER);
    json_t *taints = json_array();
    for (uint32_t i = 0; i < node->taint_count; i++) {
        json_t *taint = json_object();
        set_text(taint, "key", yk_name_text(node->taints[i].key));
        set_text(taint, "value", yk_name_text(node->taints[i].value));
        set_text(taint, "effect", effects[node->taints[i].effect]);
        (void)json_array_append_new(taints, taint); /* `taints` is an array */
    }
    return taints;
}

static json_t *amounts_of(const struct yk_cache_node *node)
{
    json_t *amounts = json_object();
    const struct yk_resvec *known = &node->allocatable->amounts;
    char text[32];
    yk_resvec_foreach(type, known)
    {
        bool is_cpu = type == YK_RESTYPE_VCORE;
        snprintf(text, sizeof(text), "%lld%s", (long long)yk_resvec_get(known, type), is_cpu ? "m" : "");
        set_text(amounts, yk_restype_to_kubernetes(type), text);
    }
    return amounts;
}

static json_t *features_of(const struct yk_cache_node *node)
{
    json_t *features = json_array();
    if ((node->features & YK_FEATURE_RESTART_ALL) != 0)
        (void)json_array_append_new(features, json_string("RestartAllContainersOnContainerExits"));
    if ((node->features & YK_FEATURE_USERS_ON_HOST_NET) != 0)
        (void)json_array_append_new(features, json_string("UserNamespacesHostNetworkSupport"));
    return features;
}

/* The manifest of a node of the cache, with the fields that the scheduler reads. */
static json_t *describe_node(const struct yk_cache_node *node)
{
    json_t *metadata = json_object(), *spec = json_object(), *status = json_object(), *tree = json_object();
    set_text(metadata, "name", yk_name_text(node->name));
    set_text(metadata, "uid", node->uid);
    set_creation(metadata, node->creation_wall_ns);
    /* These calls do not fail, because all trees are objects. */
    (void)json_object_set_new(metadata, "labels", labels_of(node));
    (void)json_object_set_new(spec, "taints", taints_of(node));
    (void)json_object_set_new(spec, "unschedulable", json_boolean(node->unschedulable));
    (void)json_object_set_new(status, "allocatable", amounts_of(node));
    (void)json_object_set_new(status, "declaredFeatures", features_of(node));
    (void)json_object_set_new(tree, "metadata", metadata);
    (void)json_object_set_new(tree, "spec", spec);
    (void)json_object_set_new(tree, "status", status);
    return tree;
}

static enum yk_status changed_node(const struct yk_cache_node *node,
                                   const struct yk_whatif_question *question, json_t **ret_node,
                                   struct yk_err *err)
{
    json_t *amounts = given_amounts(question), *tree;
    bool resizes = question->action == YK_WHATIF_RESIZE;
    if (resizes && (!json_is_object(amounts) || json_object_size(amounts) == 0))
        return yk_fail(err, YK_ERR_INVALID, "node '%s' needs its new resources (status.allocatable)",
                       yk_name_text(node->name));
    tree = describe_node(node);
    json_t *status = json_object_get(tree, "status"), *spec = json_object_get(tree, "spec");
    if (resizes)
        (void)json_object_update(json_object_get(status, "allocatable"), amounts); /* both are objects */
    else
        (void)json_object_set_new(spec, "unschedulable", json_boolean(question->action == YK_WHATIF_CORDON));
    set_text(json_object_get(tree, "metadata"), "resourceVersion", "whatif");
    *ret_node = tree;
    return YK_OK;
}

enum yk_status yk_manifest_node(const struct yk_cache *cache, const struct yk_whatif_question *question,
                                int64_t now_wall_ns, json_t **ret_node, struct yk_err *err)
{
    const char *name;
    enum yk_status st = yk_manifest_node_name(question, &name, err);
    if (st != YK_OK)
        return st;
    const struct yk_cache_node *node = yk_cache_find_node(cache, yk_str_from(name));
    if (question->action == YK_WHATIF_ADD && node != NULL)
        return yk_fail(err, YK_ERR_EXISTS, "a node '%s' is there already", name);
    if (question->action == YK_WHATIF_ADD)
        return new_node(question, name, now_wall_ns, ret_node, err);
    if (node == NULL)
        return yk_fail(err, YK_ERR_NOT_FOUND, "there is no node '%s'", name);
    return changed_node(node, question, ret_node, err);
}

/* ---- other objects ---- */

json_t *yk_manifest_queues(const struct yk_cache *cache, const char *policy_group, struct yk_str queues)
{
    const struct yk_config_map *map = yk_cache_config_map(cache, 1);
    json_t *data = json_object();
    char key[300];
    for (uint32_t i = 0; map != NULL && i < map->data.count; i++) {
        YK_CLEANUP(yk_freep) char *name = yk_str_dup(map->data.items[i].key);
        set_str(data, name, map->data.items[i].value);
    }
    snprintf(key, sizeof(key), "%.256s.yaml", policy_group);
    set_str(data, key, queues);
    json_t *metadata = json_object(), *tree = json_object();
    set_text(metadata, "name", YK_CONFIG_MAP_CONFIGS);
    set_text(metadata, "namespace", cache->config_namespace);
    set_str(metadata, "uid", map != NULL ? map->object.uid : YK_STR("whatif"));
    set_text(metadata, "resourceVersion", "whatif");
    (void)json_object_set_new(tree, "metadata", metadata); /* `tree` is an object */
    (void)json_object_set_new(tree, "data", data);         /* `tree` is an object */
    return tree;
}

struct yk_object *yk_manifest_seen(const struct yk_cache_pod *pod, const char *node, bool deleting)
{
    struct yk_object *object = NULL;
    json_t *metadata = json_object(), *spec = json_object(), *tree = json_object();
    set_str(metadata, "namespace", yk_cache_pod_namespace(pod));
    set_str(metadata, "name", yk_cache_pod_name(pod));
    set_str(metadata, "uid", yk_cache_pod_uid(pod));
    if (deleting)
        set_text(metadata, "deletionTimestamp", "2000-01-01T00:00:00Z"); /* the time itself is not read */
    set_text(spec, "nodeName", node);
    (void)json_object_set_new(tree, "metadata", metadata); /* `tree` is an object */
    (void)json_object_set_new(tree, "spec", spec);         /* `tree` is an object */
    yk_manifest_set_version(tree, (pod->version & INT64_MAX) + 1);
    if (yk_object_from_tree(YK_KIND_POD, tree, &object, NULL) == YK_OK)
        object->read = YK_READ_IDENTITY;
    json_decref(tree);
    return object;
}

struct yk_object *yk_manifest_removed(enum yk_kind kind, const char *namespace_, const char *name,
                                      const char *uid)
{
    struct yk_object *object = NULL;
    json_t *metadata = json_object(), *tree = json_object();
    set_text(metadata, "name", name);
    set_text(metadata, "uid", uid);
    if (namespace_ != NULL)
        set_text(metadata, "namespace", namespace_);
    (void)json_object_set_new(tree, "metadata", metadata); /* `tree` is an object */
    if (yk_object_from_tree(kind, tree, &object, NULL) != YK_OK)
        object = NULL; /* does not happen, because the name comes from the cache */
    json_decref(tree);
    return object;
}
