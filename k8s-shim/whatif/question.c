/* SPDX-License-Identifier: Apache-2.0 */
#include "whatif/question.h"

#include "api/json_reader.h"
#include "api/pod_keys.h"
#include "base/clock.h"
#include "whatif/yaml_json.h"

#include <jansson.h>

static const char *const kinds[] = {"pod", "job", "gang", "node", "queues"};
YK_INDEXED_BY(kinds, YK_WHATIF_QUEUES);
static const char *const actions[] = {"add", "remove", "cordon", "uncordon", "resize"};
YK_INDEXED_BY(actions, YK_WHATIF_RESIZE);

#define BIT(kind) (1u << (kind))
#define OF_PODS   (BIT(YK_WHATIF_POD) | BIT(YK_WHATIF_JOB) | BIT(YK_WHATIF_GANG))
#define OF_ALL    (OF_PODS | BIT(YK_WHATIF_NODE) | BIT(YK_WHATIF_QUEUES))
static const struct {
    const char *name;
    unsigned kinds; /* a bit for each kind that takes the member */
} members[] = {{"kind", OF_ALL},
               {"horizonSeconds", OF_ALL},
               {"pod", OF_PODS},
               {"count", OF_PODS},
               {"user", OF_PODS},
               {"groups", OF_PODS},
               {"taskGroups", BIT(YK_WHATIF_GANG)},
               {"node", BIT(YK_WHATIF_NODE)},
               {"action", BIT(YK_WHATIF_NODE)},
               {"queues", BIT(YK_WHATIF_QUEUES)}};

const char *yk_whatif_kind_word(enum yk_whatif_kind kind)
{
    return kinds[kind];
}

static enum yk_status find_word(const json_t *root, const char *key, const char *const *words, size_t count,
                                size_t *ret_index, struct yk_err *err)
{
    const char *word = json_string_value(json_object_get(root, key));
    for (size_t i = 0; i < count && word != NULL; i++) {
        if (strcmp(word, words[i]) == 0) {
            *ret_index = i;
            return YK_OK;
        }
    }
    YK_CLEANUP(yk_buf_done) struct yk_buf all = {0};
    for (size_t i = 0; i < count; i++)
        yk_buf_printf(&all, "%s%s", i > 0 ? ", " : "", words[i]);
    if (word == NULL)
        return yk_fail(err, YK_ERR_INVALID, "'%s' must be one of: %s", key, yk_buf_cstr(&all));
    return yk_fail(err, YK_ERR_INVALID, "'%s' is '%.40s', and not one of: %s", key, word, yk_buf_cstr(&all));
}

/* Refuses unknown members, and those of other kinds, so that none is ignored. */
static enum yk_status check_members(json_t *root, enum yk_whatif_kind kind, struct yk_err *err)
{
    const char *key;
    json_t *value;
    json_object_foreach(root, key, value)
    {
        unsigned known_to = 0;
        for (size_t i = 0; i < YK_COUNT(members); i++)
            known_to |= strcmp(key, members[i].name) == 0 ? members[i].kinds : 0;
        if (known_to == 0)
            return yk_fail(err, YK_ERR_INVALID, "unknown member '%.40s'", key);
        if ((known_to & BIT(kind)) == 0)
            return yk_fail(err, YK_ERR_INVALID, "'%s' is not for questions of the kind %s", key, kinds[kind]);
    }
    return YK_OK;
}

/* Sets `*value` to an integer member, which must be from `min` to `max`. If the member is absent, `*value`
 * does not change. */
static enum yk_status take_number(const json_t *root, const char *key, int64_t min, int64_t max,
                                  int64_t *value, struct yk_err *err)
{
    const json_t *number = json_object_get(root, key);
    if (number == NULL)
        return YK_OK;
    if (!json_is_integer(number))
        return yk_fail(err, YK_ERR_INVALID, "'%s' must be an integer", key);
    int64_t given = json_integer_value(number);
    if (given < min || given > max)
        return yk_fail(err, YK_ERR_INVALID, "'%s' is %lld; it must be from %lld to %lld", key,
                       (long long)given, (long long)min, (long long)max);
    *value = given;
    return YK_OK;
}

static enum yk_status take_object(struct yk_whatif_question *question, const char *key, struct yk_err *err)
{
    question->object = json_object_get(question->root, key);
    if (!json_is_object(question->object))
        return yk_fail(err, YK_ERR_INVALID, "'%s' must be an object", key);
    return YK_OK;
}

static enum yk_status take_user(struct yk_whatif_question *question, struct yk_err *err)
{
    const json_t *user = json_object_get(question->root, "user");
    const json_t *groups = json_object_get(question->root, "groups");
    if (user != NULL && json_string_length(user) == 0)
        return yk_fail(err, YK_ERR_INVALID, "'user' must be a string, and not empty");
    if (groups != NULL && (!json_is_array(groups) || user == NULL))
        return yk_fail(err, YK_ERR_INVALID, "'groups' must be an array, and needs 'user'");
    if (json_array_size(groups) > YK_WHATIF_GROUPS_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "'groups' has %zu entries, at most %d", json_array_size(groups),
                       YK_WHATIF_GROUPS_MAX);
    question->user = json_string_value(user);
    for (size_t i = 0; i < json_array_size(groups); i++) {
        const char *group = json_string_value(json_array_get(groups, i));
        if (group == NULL || group[0] == '\0')
            return yk_fail(err, YK_ERR_INVALID, "entry %zu of 'groups' must be a string, and not empty", i);
        question->groups[question->group_count++] = group;
    }
    return YK_OK;
}

static enum yk_status take_pods(struct yk_whatif_question *question, struct yk_err *err)
{
    int64_t count = 1;
    enum yk_status st = take_object(question, "pod", err);
    if (st == YK_OK)
        st = take_number(question->root, "count", 1, YK_WHATIF_PODS_MAX, &count, err);
    if (st == YK_OK && question->kind == YK_WHATIF_POD && count != 1)
        st = yk_fail(err, YK_ERR_INVALID, "'count' needs the kind job or gang");
    if (st != YK_OK)
        return st;
    question->count = (uint32_t)count;
    question->task_groups = json_object_get(question->root, "taskGroups");
    if (question->task_groups != NULL && json_array_size(question->task_groups) == 0)
        return yk_fail(err, YK_ERR_INVALID, "'taskGroups' must be an array with at least one group");
    return YK_OK;
}

static enum yk_status take_node(struct yk_whatif_question *question, struct yk_err *err)
{
    size_t action = 0;
    enum yk_status st = find_word(question->root, "action", actions, YK_COUNT(actions), &action, err);
    question->action = (enum yk_whatif_node_action)action;
    return st == YK_OK ? take_object(question, "node", err) : st;
}

static enum yk_status take_queues(struct yk_whatif_question *question, struct yk_err *err)
{
    const json_t *queues = json_object_get(question->root, "queues");
    if (!json_is_string(queues))
        return yk_fail(err, YK_ERR_INVALID, "'queues' must be a string: the text of queues.yaml");
    question->queues = (struct yk_str){json_string_value(queues), json_string_length(queues)};
    if (memchr(question->queues.p, '\0', question->queues.len) != NULL)
        return yk_fail(err, YK_ERR_INVALID, "'queues' contains a NUL");
    return YK_OK;
}

static enum yk_status take_content(struct yk_whatif_question *question, struct yk_err *err)
{
    switch (question->kind) {
    case YK_WHATIF_POD:
    case YK_WHATIF_JOB:
    case YK_WHATIF_GANG:
        return take_pods(question, err);
    case YK_WHATIF_NODE:
        return take_node(question, err);
    case YK_WHATIF_QUEUES:
        return take_queues(question, err);
    }
    return YK_OK;
}

static enum yk_status take(struct yk_whatif_question *question, struct yk_err *err)
{
    size_t kind = 0;
    int64_t horizon_s = YK_WHATIF_HORIZON_S;
    if (!json_is_object(question->root))
        return yk_fail(err, YK_ERR_INVALID, "the body must be a JSON object");
    enum yk_status st = find_word(question->root, "kind", kinds, YK_COUNT(kinds), &kind, err);
    question->kind = (enum yk_whatif_kind)kind;
    if (st == YK_OK)
        st = check_members(question->root, question->kind, err);
    if (st == YK_OK)
        st = take_content(question, err);
    if (st == YK_OK)
        st = take_number(question->root, "horizonSeconds", 0, YK_WHATIF_HORIZON_S_MAX, &horizon_s, err);
    if (st == YK_OK)
        st = take_user(question, err);
    question->horizon_ns = horizon_s * YK_NS_PER_S;
    return st;
}

/* ---- manifests instead of questions ---- */

/* Makes the question {"kind": kind, key: value}. `value` is taken. */
static json_t *question_of(const char *kind, const char *key, json_t *value)
{
    json_t *root = json_object();
    (void)json_object_set_new(root, "kind", json_string(kind)); /* `root` is an object */
    (void)json_object_set_new(root, key, value);                /* `root` is an object */
    return root;
}

static json_t *from_pod(json_t *pod)
{
    const json_t *annotations = json_object_get(json_object_get(pod, "metadata"), "annotations");
    bool is_gang = json_object_get(annotations, YK_KEY_TASK_GROUPS) != NULL;
    return question_of(is_gang ? "gang" : "pod", "pod", json_incref(pod));
}

/* Refuses a Job whose numbers the API server refuses. */
static enum yk_status check_job(const json_t *job, struct yk_err *err)
{
    static const char *const numbers[] = {"parallelism", "completions"};
    const json_t *spec = json_object_get(job, "spec");
    int64_t ignored;
    enum yk_status st = YK_OK;
    for (size_t i = 0; st == YK_OK && i < YK_COUNT(numbers); i++) {
        if (!json_is_null(json_object_get(spec, numbers[i])))
            st = take_number(spec, numbers[i], 0, INT32_MAX, &ignored, err);
    }
    return st == YK_OK ? YK_OK : yk_fail_in(err, st, "Job");
}

/* The question that a Job stands for: it is about as many pods as the Job runs at a time, at least one. */
static json_t *from_job(const json_t *job)
{
    json_t *pod = json_deep_copy(json_object_get(json_object_get(job, "spec"), "template"));
    const json_t *spec = json_object_get(job, "spec"), *of_job = json_object_get(job, "metadata");
    json_t *metadata = json_object_get(pod, "metadata");
    json_int_t parallelism = json_integer_value(json_object_get(spec, "parallelism"));
    json_int_t completions = json_integer_value(json_object_get(spec, "completions"));
    if (!json_is_object(pod)) {
        json_decref(pod);
        pod = json_object();
    }
    if (!json_is_object(metadata)) {
        metadata = json_object();
        (void)json_object_set_new(pod, "metadata", metadata); /* `pod` is an object */
    }
    (void)json_object_set(metadata, "name", json_object_get(of_job, "name"));
    (void)json_object_set(metadata, "namespace",
                          json_object_get(of_job, "namespace")); /* no effect if the job has none */
    json_int_t count = parallelism > 0 ? parallelism : 1;
    if (completions > 0 && completions < count)
        count = completions;
    json_t *root = question_of("job", "pod", pod);
    (void)json_object_set_new(root, "count", json_integer(count));
    return root;
}

static json_t *from_node(json_t *node)
{
    json_t *root = question_of("node", "node", json_incref(node));
    (void)json_object_set_new(root, "action", json_string("add")); /* `root` is an object */
    return root;
}

static json_t *from_config_map(const json_t *map)
{
    json_t *queues = json_object_get(json_object_get(map, "data"), "queues.yaml");
    return question_of("queues", "queues", queues != NULL ? json_incref(queues) : json_null());
}

/* The question that a manifest or a queues.yaml stands for. NULL: the tree is neither of the two. */
static json_t *from_manifest(json_t *tree, struct yk_str body)
{
    const char *kind = json_string_value(json_object_get(tree, "kind"));
    if (json_object_get(tree, "partitions") != NULL)
        return question_of("queues", "queues", json_stringn(body.p, body.len));
    if (kind == NULL)
        return NULL;
    if (strcmp(kind, "Pod") == 0)
        return from_pod(tree);
    if (strcmp(kind, "Job") == 0)
        return from_job(tree);
    if (strcmp(kind, "Node") == 0)
        return from_node(tree);
    return strcmp(kind, "ConfigMap") == 0 ? from_config_map(tree) : NULL;
}

static enum yk_status read_tree(struct yk_str body, json_t **ret, struct yk_err *err)
{
    struct yk_str text = yk_str_trim(body);
    bool is_json = text.len > 0 && text.p[0] == '{';
    json_t *tree = NULL;
    enum yk_status st = is_json ? yk_json_parse_strict(body, &tree, err) : yk_yaml_to_json(body, &tree, err);
    const char *kind = st == YK_OK ? json_string_value(json_object_get(tree, "kind")) : NULL;
    if (kind != NULL && strcmp(kind, "Job") == 0)
        st = check_job(tree, err);
    if (st != YK_OK) {
        json_decref(tree);
        return st;
    }
    json_t *question = from_manifest(tree, body);
    if (question != NULL) {
        json_decref(tree);
        tree = question;
    }
    *ret = tree;
    return YK_OK;
}

enum yk_status yk_whatif_question_parse(struct yk_str body, struct yk_whatif_question *ret,
                                        struct yk_err *err)
{
    *ret = (struct yk_whatif_question){.count = 1};
    if (body.len > YK_WHATIF_BODY_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "the question has %zu bytes, at most %d", body.len,
                       YK_WHATIF_BODY_MAX);
    enum yk_status st = read_tree(body, &ret->root, err);
    if (st == YK_OK)
        st = take(ret, err);
    if (st == YK_OK)
        return YK_OK;
    yk_whatif_question_done(ret);
    return st;
}

void yk_whatif_question_done(struct yk_whatif_question *question)
{
    json_decref(question->root);
    *question = (struct yk_whatif_question){.root = NULL};
}
