/* SPDX-License-Identifier: Apache-2.0 */
#include "app/pod_to_app.h"

#include "api/application_id.h"
#include "api/pod_keys.h"
#include "app/placeholder_pod.h"
#include "base/log.h"

#define KEY_NO_STATEAWARE "disableStateAware"
#define KEY_APP_TYPE      "yunikorn.apache.org/app-type"
#define UNKNOWN_USER      "nobody"

enum place { LABEL, ANNOTATION };

struct source {
    enum place place;
    struct yk_str key;
};
#define SOURCE(place, text)                                                                                  \
    {                                                                                                        \
        place,                                                                                               \
        {                                                                                                    \
            text, sizeof(text) - 1                                                                           \
        }                                                                                                    \
    }

static struct yk_str value_at(const struct yk_pod *pod, const struct source *source)
{
    bool label = source->place == LABEL;
    return yk_pairs_find(label ? &pod->object.labels : &pod->object.annotations, source->key);
}

/* The first value of the sources that is not empty; absent if all are empty. */
static struct yk_str first_of(const struct yk_pod *pod, const struct source *sources, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct yk_str value = value_at(pod, &sources[i]);
        if (!yk_str_empty(value))
            return value;
    }
    return (struct yk_str){0};
}

/* The places where a pod can give each value, in order of precedence. */
static const struct source id_sources[] = {SOURCE(LABEL, YK_KEY_APP_ID), SOURCE(ANNOTATION, YK_KEY_APP_ID),
                                           SOURCE(LABEL, YK_KEY_OLD_APP_ID), SOURCE(LABEL, YK_KEY_SPARK)};
static const struct source queue_sources[] = {SOURCE(LABEL, YK_KEY_QUEUE), SOURCE(ANNOTATION, YK_KEY_QUEUE),
                                              SOURCE(LABEL, YK_KEY_OLD_QUEUE)};

static struct yk_str given_id(const struct yk_pod *pod)
{
    return first_of(pod, id_sources, YK_COUNT(id_sources));
}

struct yk_str yk_pod_queue(const struct yk_pod *pod)
{
    return first_of(pod, queue_sources, YK_COUNT(queue_sources));
}

/* The application type, from a label or an annotation, or "spark" for pods with the label of Spark; absent if
 * the pod has none. */
static struct yk_str pod_application_type(const struct yk_pod *pod)
{
    static const struct source sources[] = {SOURCE(LABEL, KEY_APP_TYPE), SOURCE(ANNOTATION, KEY_APP_TYPE)};
    struct yk_str given = first_of(pod, sources, YK_COUNT(sources));
    if (!yk_str_empty(given))
        return given;
    bool is_spark = yk_pairs_get(&pod->object.labels, YK_KEY_SPARK).p != NULL;
    return is_spark ? YK_STR("spark") : (struct yk_str){0};
}

static void generate(const struct yk_pod *pod, bool unique, struct yk_buf *id)
{
    const struct yk_object *object = &pod->object;
    if (unique)
        yk_application_id_unique(object->namespace_, object->uid, id);
    else
        yk_application_id_of_namespace(object->namespace_, id);
}

enum yk_status yk_pod_application_id(const struct yk_pod *pod, bool unique,
                                     char ret_id[YK_SI_APPLICATION_ID_MAX + 1], struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf id = {.max = YK_SI_APPLICATION_ID_MAX + 1};
    struct yk_str given = given_id(pod);
    if (yk_str_empty(given)) {
        generate(pod, unique, &id);
    } else if (yk_str_ends(given, YK_UNIQUE_ID_SUFFIX)) {
        yk_buf_add(&id, given.p, given.len - strlen(YK_UNIQUE_ID_SUFFIX) + 1); /* the dash stays */
        yk_buf_str(&id, pod->object.uid);
    } else {
        yk_buf_str(&id, given);
    }
    if (id.failed || id.len > YK_SI_APPLICATION_ID_MAX)
        return yk_fail(err, YK_ERR_LIMIT,
                       "pod " YK_STR_FMT "/" YK_STR_FMT ": application id of %zu bytes (at most %d)",
                       YK_STR_ARG(pod->object.namespace_), YK_STR_ARG(pod->object.name), given.len,
                       YK_SI_APPLICATION_ID_MAX);
    memcpy(ret_id, yk_buf_cstr(&id), id.len + 1);
    return YK_OK;
}

void yk_pod_keep_to_namespace(const struct yk_pod *pod, char id[YK_SI_APPLICATION_ID_MAX + 1])
{
    YK_CLEANUP(yk_buf_done) struct yk_buf own = {0};
    if (!yk_application_id_looks_generated(yk_str_from(id)))
        return;
    generate(pod, false, &own);
    memcpy(id, yk_buf_cstr(&own), own.len + 1);
}

/* Appends the values of other sources that differ from `chosen`. They are compared as they were given,
 * before a suffix is replaced by the UID (P05). */
static bool put_ignored(const struct yk_pod *pod, const struct source *sources, size_t count,
                        struct yk_str chosen, struct yk_buf *list)
{
    for (size_t i = 0; i < count; i++) {
        struct yk_str value = value_at(pod, &sources[i]);
        if (yk_str_empty(value) || yk_str_eq(value, chosen))
            continue;
        yk_buf_printf(list, "%s(%s) %s: ", list->len > 0 ? ", " : "",
                      sources[i].place == LABEL ? "Label" : "Annotation", sources[i].key.p);
        yk_buf_str(list, value);
    }
    return list->len > 0;
}

/* Appends the note about a conflict. "fianlValue" is misspelt as in YuniKorn 1.9. */
static bool say_conflict(const struct yk_pod *pod, const char *what, struct yk_str used,
                         const struct yk_buf *ignored, struct yk_buf *note)
{
    yk_buf_printf(note, "Found multiple '%s' value in pod. { podName: ", what);
    yk_buf_str(note, pod->object.name);
    yk_buf_text(note, ", fianlValue: ");
    yk_buf_str(note, used);
    yk_buf_text(note, ", ignored: [");
    yk_buf_str(note, yk_buf_view(ignored));
    yk_buf_text(note, "] }");
    return true;
}

bool yk_pod_id_conflict(const struct yk_pod *pod, bool unique, struct yk_buf *note)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf ignored = {.max = YK_CONFLICT_NOTE_MAX};
    char used[YK_SI_APPLICATION_ID_MAX + 1];
    if (!put_ignored(pod, id_sources, YK_COUNT(id_sources), given_id(pod), &ignored) ||
        yk_pod_application_id(pod, unique, used, NULL) != YK_OK)
        return false;
    return say_conflict(pod, "app-id", yk_str_from(used), &ignored, note);
}

bool yk_pod_queue_conflict(const struct yk_pod *pod, struct yk_buf *note)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf ignored = {.max = YK_CONFLICT_NOTE_MAX};
    struct yk_str used = yk_pod_queue(pod);
    if (!put_ignored(pod, queue_sources, YK_COUNT(queue_sources), used, &ignored))
        return false;
    return say_conflict(pod, "queue", used, &ignored, note);
}

static void add_pull_secrets(struct yk_buf *bytes, const struct yk_pod *pod)
{
    for (uint32_t i = 0; i < pod->image_pull_secret_count; i++) {
        if (i > 0)
            yk_buf_char(bytes, ',');
        yk_buf_str(bytes, pod->image_pull_secrets[i]);
    }
    yk_buf_char(bytes, '\0');
}

/* Adds name and UID of the owner of a placeholder, so that new placeholders can get the same owner (P13).
 * Adds two empty texts for other pods. */
static void add_owner(struct yk_buf *bytes, const struct yk_pod *pod)
{
    const struct yk_owner_ref *owner = yk_pod_is_placeholder(pod) ? yk_placeholder_owner(pod) : NULL;
    yk_interned_add_text(bytes, owner != NULL ? owner->name : YK_STR(""));
    yk_interned_add_text(bytes, owner != NULL ? owner->uid : YK_STR(""));
}

static void add_user(struct yk_buf *bytes, const struct yk_pod *pod, enum yk_user_trust trust)
{
    struct yk_str user_info = yk_pairs_get(&pod->object.annotations, YK_KEY_USER_INFO);
    bool is_user_info = user_info.p != NULL && trust != YK_TRUST_NO_USER;
    struct yk_str user = {0};
    if (is_user_info)
        user = user_info;
    else if (trust == YK_TRUST_ANY_USER)
        user = yk_pairs_get(&pod->object.labels, YK_KEY_USERNAME);
    yk_interned_add_text(bytes, is_user_info ? YK_STR("i") : YK_STR(""));
    yk_interned_add_text(bytes, user);
}

/* Appends the texts in the order in which yk_app_details_read() reads them. */
struct yk_interned *yk_pod_app_details(struct yk_intern_table *intern_table, const struct yk_pod *pod,
                                       bool with_gangs, enum yk_user_trust trust, struct yk_buf *scratch)
{
    const struct yk_pairs *annotations = &pod->object.annotations;
    yk_buf_clear(scratch);
    yk_interned_add_text(scratch, yk_pod_queue(pod));
    add_user(scratch, pod, trust);
    yk_interned_add_text(scratch, pod_application_type(pod));
    yk_interned_add_text(scratch, yk_pairs_get(&pod->object.labels, KEY_NO_STATEAWARE));
    add_pull_secrets(scratch, pod);
    yk_interned_add_text(scratch, with_gangs ? yk_pairs_get(annotations, YK_KEY_TASK_GROUPS) : YK_STR(""));
    yk_interned_add_text(scratch, yk_pairs_get(annotations, YK_KEY_POLICY));
    yk_interned_add_text(scratch, pod->priority_class);
    add_owner(scratch, pod);
    return yk_interned_get(intern_table, yk_buf_view(scratch));
}

/* Reads the user from the annotation. If it is invalid, the user is unknown and has no groups; the label
 * is used only for pods without the annotation. */
static void take_user_info(struct yk_app_request *ret, const struct yk_cache_pod *pod, const char *text)
{
    struct yk_err err = {0};
    if (yk_user_info_parse(yk_str_from(text), &ret->who, &err) != YK_OK)
        yk_warn(yk_log_shim_app, "user information of a pod is not valid, its user is unknown",
                KV("pod", yk_cache_pod_key(pod)), KV("value", text), KV("err", err.text));
}

static void take_user(struct yk_app_request *ret, const struct yk_cache_pod *pod, bool is_user_info,
                      const char *text)
{
    if (is_user_info) {
        take_user_info(ret, pod, text);
    } else if (*text != '\0') {
        yk_info(yk_log_deprecation, "user name taken from a label", KV("pod", yk_cache_pod_key(pod)),
                KV("user", text));
        ret->who.user = yk_strdup(text);
    }
    if (ret->who.user == NULL)
        ret->who.user = yk_strdup(UNKNOWN_USER);
    ret->app.ugi = (struct yk_si_ugi){ret->who.user, ret->who.groups, ret->who.group_count};
}

static void tag(struct yk_app_request *ret, const char *key, const char *value)
{
    if (value == NULL || *value == '\0' || !YK_ASSERT(ret->app.tag_count < YK_APP_TAGS_MAX))
        return;
    ret->tags[ret->app.tag_count++] = (struct yk_si_tag){key, value};
}

void yk_app_details_read(const struct yk_interned *details, struct yk_app_details *ret)
{
    uint32_t at = 0;
    ret->queue = yk_interned_text(details, &at);
    ret->is_user_info = *yk_interned_text(details, &at) != '\0';
    ret->user = yk_interned_text(details, &at);
    ret->type = yk_interned_text(details, &at);
    ret->no_stateaware = yk_interned_text(details, &at);
    ret->pull_secrets = yk_interned_text(details, &at);
    ret->task_groups = yk_interned_text(details, &at);
    ret->policy = yk_interned_text(details, &at);
    ret->priority_class = yk_interned_text(details, &at);
    ret->owner_name = yk_interned_text(details, &at);
    ret->owner_uid = yk_interned_text(details, &at);
}

void yk_app_request_init(struct yk_app_request *ret, const char *id, const struct yk_cache_pod *pod,
                         const struct yk_interned *details, const struct yk_object *namespace_)
{
    *ret = (struct yk_app_request){.app = {.application_id = id, .partition = YK_SI_DEFAULT_PARTITION}};
    ret->app.tags = ret->tags;
    struct yk_app_details from;
    yk_app_details_read(details, &from);
    ret->app.queue = from.queue;
    take_user(ret, pod, from.is_user_info, from.user);
    bool bound = pod->node != NULL && (pod->flags & YK_POD_ASSUMED) == 0;
    snprintf(ret->namespace_, sizeof(ret->namespace_), YK_STR_FMT, YK_STR_ARG(yk_cache_pod_namespace(pod)));
    snprintf(ret->creation, sizeof(ret->creation), "%u", pod->creation_wall_s);
    tag(ret, YK_SI_TAG_NAMESPACE, *ret->namespace_ != '\0' ? ret->namespace_ : "default");
    tag(ret, YK_SI_TAG_FORCE_CREATE, bound ? "true" : "false");
    tag(ret, YK_SI_TAG_APP_TYPE, from.type);
    tag(ret, YK_SI_TAG_STATEAWARE_DISABLE, from.no_stateaware);
    tag(ret, "imagePullSecrets", from.pull_secrets);
    tag(ret, YK_KEY_TASK_GROUPS, from.task_groups);
    tag(ret, YK_KEY_POLICY, from.policy);
    tag(ret, "yunikorn.apache.org/creationTime", ret->creation);
    yk_namespace_tags_init(&ret->namespace_tags, namespace_);
    tag(ret, "namespace.resourcequota", yk_buf_cstr(&ret->namespace_tags.quota));
    tag(ret, "namespace.resourceguaranteed", yk_buf_cstr(&ret->namespace_tags.guaranteed));
    tag(ret, "namespace.resourcemaxapps", ret->namespace_tags.max_apps);
    if (!yk_str_empty(ret->namespace_tags.parent_queue))
        ret->parent_queue = yk_str_dup(ret->namespace_tags.parent_queue);
    tag(ret, "namespace.parentqueue", ret->parent_queue);
}

void yk_app_request_force(struct yk_app_request *request)
{
    for (size_t i = 0; i < request->app.tag_count; i++) {
        if (strcmp(request->tags[i].key, YK_SI_TAG_FORCE_CREATE) == 0)
            request->tags[i].value = "true";
    }
}

void yk_app_request_done(struct yk_app_request *request)
{
    yk_namespace_tags_done(&request->namespace_tags);
    yk_user_info_done(&request->who);
    free(request->parent_queue);
}
