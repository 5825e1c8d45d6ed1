/* SPDX-License-Identifier: Apache-2.0 */
#include "admission/request.h"

#include "api/application_id.h"
#include "api/pod_keys.h"

#include <jansson.h>

#define LABELS      "/metadata/labels"
#define ANNOTATIONS "/metadata/annotations"

struct pod {
    const json_t *labels, *annotations, *spec;
};

static struct pod pod_of(const json_t *object)
{
    return (struct pod){
        .labels = yk_json_at(object, "metadata", "labels", NULL),
        .annotations = yk_json_at(object, "metadata", "annotations", NULL),
        .spec = yk_json_at(object, "spec", NULL),
    };
}

/* ---- labels ---- */

static bool has_application(const struct pod *pod)
{
    return !yk_str_empty(yk_json_entry(pod->labels, YK_KEY_APP_ID)) ||
           !yk_str_empty(yk_json_entry(pod->annotations, YK_KEY_APP_ID)) ||
           !yk_str_empty(yk_json_entry(pod->labels, YK_KEY_OLD_APP_ID)) ||
           !yk_str_empty(yk_json_entry(pod->labels, YK_KEY_SPARK_ID));
}

/* The pod has no uid yet: the scheduler puts it where YK_UNIQUE_SUFFIX is. */
static void generate_id(const struct yk_admission_request *request, struct yk_buf *id)
{
    if (request->settings->unique_ids)
        yk_application_id_unique(request->namespace_, yk_str_from(&YK_UNIQUE_SUFFIX[1]), id);
    else
        yk_application_id_shared(request->namespace_, id);
}

static void set_label(struct yk_admission_decision *decision, const struct pod *pod, const char *key,
                      struct yk_str value)
{
    if (!yk_str_eq(yk_json_entry(pod->labels, key), value))
        yk_json_patch_set_key(&decision->patch, LABELS, key, value);
}

/* Labels that other tools select by: an id, and the older names of what the pod says by the newer ones. */
static void patch_labels(const struct yk_admission_request *request, const struct pod *pod,
                         struct yk_admission_decision *decision)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf generated = {0};
    struct yk_str id = yk_json_entry(pod->labels, YK_KEY_APP_ID);
    struct yk_str queue = yk_json_entry(pod->labels, YK_KEY_QUEUE);
    if (!has_application(pod)) {
        generate_id(request, &generated);
        id = yk_buf_view(&generated);
    }
    if (yk_str_empty(id) && yk_str_empty(queue))
        return;
    yk_json_patch_need_map(&decision->patch, LABELS, pod->labels);
    if (generated.len > 0)
        set_label(decision, pod, YK_KEY_APP_ID, id);
    if (!yk_str_empty(id))
        set_label(decision, pod, YK_KEY_OLD_APP_ID, id);
    if (!yk_str_empty(queue))
        set_label(decision, pod, YK_KEY_OLD_QUEUE, queue);
}

/* ---- annotations ---- */

static bool class_forbids_preemption(const struct yk_admission_request *request, const struct pod *pod)
{
    struct yk_str name = yk_json_entry(pod->spec, "priorityClassName");
    const struct yk_cache_entry *entry = yk_strmap_get(&request->cache->kept[YK_KIND_PRIORITY_CLASS], name);
    return entry != NULL &&
           yk_str_is(yk_pairs_get(&entry->object->annotations, YK_KEY_ALLOW_PREEMPTION), "false");
}

static bool says_preemption(const struct pod *pod)
{
    struct yk_str said = yk_json_entry(pod->annotations, YK_KEY_ALLOW_PREEMPTION);
    return yk_str_is(said, "true") || yk_str_is(said, "false");
}

static void patch_annotations(const struct yk_admission_request *request, const struct pod *pod,
                              bool gets_labels, struct yk_admission_decision *decision)
{
    bool wants_user =
        !request->settings->bypass_auth && yk_json_entry(pod->annotations, YK_KEY_USER_INFO).p == NULL;
    bool wants_preemption = gets_labels && !says_preemption(pod);
    if (!wants_user && !wants_preemption)
        return;
    yk_json_patch_need_map(&decision->patch, ANNOTATIONS, pod->annotations);
    if (wants_user) {
        YK_CLEANUP(yk_buf_done) struct yk_buf user = {0};
        yk_submitter_user_info(request, &user);
        yk_json_patch_set_key(&decision->patch, ANNOTATIONS, YK_KEY_USER_INFO, yk_buf_view(&user));
    }
    if (wants_preemption)
        yk_json_patch_set_key(&decision->patch, ANNOTATIONS, YK_KEY_ALLOW_PREEMPTION,
                              class_forbids_preemption(request, pod) ? YK_STR("false") : YK_STR("true"));
}

/* ---- requests ---- */

static void review_new(const struct yk_admission_request *request, struct yk_admission_decision *decision)
{
    const struct pod pod = pod_of(request->object);
    struct yk_str user_info = yk_json_entry(pod.annotations, YK_KEY_USER_INFO);
    /* In every namespace: a pod names the scheduler itself where no one else does. */
    if (!request->settings->bypass_auth && user_info.p != NULL &&
        !yk_submitter_may_set_user(request, user_info, decision))
        return;
    if (yk_labels_are_own(pod.labels) || !yk_namespace_is_processed(request))
        return;
    if (!json_is_object(pod.spec) || !json_is_object(yk_json_at(request->object, "metadata", NULL))) {
        yk_admission_deny(decision, "the pod has no metadata or no spec");
        return;
    }
    bool gets_labels = yk_namespace_gets_labels(request);
    if (!yk_str_is(yk_json_entry(pod.spec, "schedulerName"), YK_SCHEDULER_NAME))
        yk_json_patch_set(&decision->patch, "/spec/schedulerName", YK_STR(YK_SCHEDULER_NAME));
    if (gets_labels)
        patch_labels(request, &pod, decision);
    patch_annotations(request, &pod, gets_labels, decision);
}

/* The scheduler reads the annotation again after a restart, so it never changes. */
static void review_change(const struct yk_admission_request *request, struct yk_admission_decision *decision)
{
    const struct pod before = pod_of(request->old_object), after = pod_of(request->object);
    struct yk_str old_info = yk_json_entry(before.annotations, YK_KEY_USER_INFO);
    struct yk_str new_info = yk_json_entry(after.annotations, YK_KEY_USER_INFO);
    bool is_same = (old_info.p == NULL) == (new_info.p == NULL) && yk_str_eq(old_info, new_info);
    if (!request->settings->bypass_auth && !is_same)
        yk_admission_deny(decision, "user info annotation change is not allowed");
}

void yk_review_pod(const struct yk_admission_request *request, struct yk_admission_decision *decision)
{
    if (yk_str_is(request->operation, "CREATE"))
        review_new(request, decision);
    else if (yk_str_is(request->operation, "UPDATE"))
        review_change(request, decision);
}
