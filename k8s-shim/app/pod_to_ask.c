/* SPDX-License-Identifier: Apache-2.0 */
#include "app/pod_to_ask.h"

#include "api/pod_keys.h"
#include "app/placeholder_pod.h"
#include "predicates/pod_index.h"

#define LABEL_PREFIX "kubernetes.io/label/"

struct yk_str yk_pod_required_node(const struct yk_pod *pod)
{
    struct yk_str node = {0};
    bool daemon = false;
    for (uint32_t i = 0; i < pod->object.owner_count; i++)
        daemon = daemon || yk_str_is(pod->object.owners[i].kind, "DaemonSet");
    for (uint32_t i = 0; daemon && i < pod->required_term_count; i++) {
        const struct yk_selector_term *term = &pod->required_terms[i];
        for (uint32_t j = 0; j < term->field_count; j++) {
            if (yk_str_is(term->fields[j].key, "metadata.name") && term->fields[j].value_count > 0)
                node = term->fields[j].values[0];
        }
    }
    return node;
}

enum yk_preemptible yk_pod_preemptible(const struct yk_pod *pod)
{
    struct yk_str own = yk_pairs_get(&pod->object.annotations, YK_KEY_PREEMPTION);
    if (yk_str_is(own, "false"))
        return YK_PREEMPTIBLE_NO;
    bool may = yk_str_is(own, "true") || yk_str_empty(pod->priority_class);
    return may ? YK_PREEMPTIBLE_YES : YK_PREEMPTIBLE_ASK_CLASS;
}

bool yk_pod_allows_preemption(const struct yk_cache *cache, const struct yk_pod *pod,
                              enum yk_preemptible preemptible)
{
    if (preemptible != YK_PREEMPTIBLE_ASK_CLASS)
        return preemptible == YK_PREEMPTIBLE_YES;
    const struct yk_priority_class *priority = yk_cache_find_priority_class(cache, pod->priority_class);
    return priority == NULL ||
           !yk_str_is(yk_pairs_get(&priority->object.annotations, YK_KEY_PREEMPTION), "false");
}

bool yk_pod_may_preempt(const struct yk_pod *pod)
{
    return !yk_str_is(pod->preemption_policy, "Never");
}

int64_t yk_pod_run_limit_ns(const struct yk_pod *pod)
{
    return YK_MIN(YK_MAX(pod->active_deadline_s, 0), INT32_MAX) * YK_NS_PER_S;
}

static void add_run_limit(struct yk_buf *out, const struct yk_pod *pod)
{
    char text[24];
    snprintf(text, sizeof(text), "%lld", (long long)(yk_pod_run_limit_ns(pod) / YK_NS_PER_S));
    yk_interned_add_text(out, yk_str_from(text));
}

struct yk_interned *yk_pod_ask_details(struct yk_intern_table *intern_table, const struct yk_pod *pod,
                                       struct yk_buf *scratch)
{
    yk_buf_clear(scratch);
    yk_interned_add_text(scratch, yk_pod_required_node(pod));
    yk_interned_add_text(scratch, yk_pod_task_group(pod));
    add_run_limit(scratch, pod);
    return yk_interned_get(intern_table, yk_buf_view(scratch));
}

const char *yk_ask_details_task_group(const struct yk_interned *details)
{
    uint32_t at = 0;
    (void)yk_interned_text(details, &at); /* skips the required node */
    return yk_interned_text(details, &at);
}

int64_t yk_ask_details_run_limit_ns(const struct yk_interned *details)
{
    uint32_t at = 0;
    int64_t limit_s = 0;
    (void)yk_interned_text(details, &at); /* skips the required node */
    (void)yk_interned_text(details, &at); /* skips the task group */
    for (const char *digit = yk_interned_text(details, &at); *digit != '\0'; digit++)
        limit_s = limit_s * 10 + (*digit - '0'); /* at most INT32_MAX, as yk_pod_run_limit_ns() has checked */
    return limit_s * YK_NS_PER_S;
}

static int by_key(const void *a, const void *b)
{
    const struct yk_pair *x = a, *y = b;
    return strcmp(x->key.p, y->key.p);
}

static uint32_t count_own(const struct yk_cache_pod *pod)
{
    struct yk_own_label label;
    uint32_t count = 0;
    for (size_t at = 0; yk_own_labels_next(pod->own_labels, &at, &label);)
        count++;
    return count;
}

void yk_pod_labels(const struct yk_cache_pod *pod, struct yk_pairs *ret)
{
    const struct yk_entity *subject = pod->profile != NULL ? &pod->profile->entity : NULL;
    uint32_t shared = subject != NULL ? subject->label_count : 0, count = shared + count_own(pod);
    struct yk_own_label label;
    if (count > ret->count)
        ret->items = yk_realloc_array(ret->items, count, sizeof(*ret->items));
    ret->count = shared;
    for (uint32_t i = 0; i < shared; i++)
        ret->items[i] = (struct yk_pair){yk_str_from(yk_name_text(subject->labels[i].key)),
                                         yk_str_from(yk_name_text(subject->labels[i].value))};
    for (size_t at = 0; yk_own_labels_next(pod->own_labels, &at, &label);)
        ret->items[ret->count++] = (struct yk_pair){yk_str_from(yk_name_text(label.key)), label.value};
    if (count > 1)
        qsort(ret->items, count, sizeof(*ret->items),
              by_key); /* sorted by text, because ids of names depend on the order of their creation */
}

struct yk_str yk_pod_label(const void *cache_pod, struct yk_str key)
{
    const struct yk_cache_pod *pod = cache_pod;
    const struct yk_entity *subject = pod->profile != NULL ? &pod->profile->entity : NULL;
    yk_name name = yk_name_find(key);
    yk_name shared = subject != NULL && name.id != 0 ? yk_entity_label(subject, name) : YK_NO_NAME;
    struct yk_own_label label;
    if (shared.id != 0)
        return yk_str_from(yk_name_text(shared));
    for (size_t at = 0; name.id != 0 && yk_own_labels_next(pod->own_labels, &at, &label);) {
        if (yk_name_eq(label.key, name))
            return label.value;
    }
    return (struct yk_str){0};
}

void yk_ask_request_add_tag(struct yk_ask_request *request, const char *key, const char *value)
{
    if (request->allocation.tag_count < YK_SI_TAGS_MAX)
        request->tags[request->allocation.tag_count++] = (struct yk_si_tag){key, value};
}

void yk_ask_request_fill(struct yk_ask_request *request, const struct yk_cache_pod *pod,
                         const struct yk_interned *details)
{
    bool placed = pod->node != NULL && pod->node->known;
    request->allocation = (struct yk_si_allocation){
        .key = yk_cache_pod_uid(pod).p,
        .key_stays = true, /* the ask or allocation ends before the pod is removed (app/apps.h) */
        .partition = YK_SI_DEFAULT_PARTITION,
        .node_id = placed ? yk_name_text(pod->node->name) : "",
        .resource = &pod->size->amounts,
        .priority = pod->priority,
        .create_wall_ns = yk_cache_pod_creation_wall_ns(pod),
        .scheduling_class = YK_SI_CLASS_ANY,
    };
    if (details == NULL)
        return;
    uint32_t at = 0;
    const char *required = yk_interned_text(details, &at);
    request->allocation.required_node = *required != '\0' ? required : NULL;
    request->allocation.task_group = yk_interned_text(details, &at);
    request->allocation.run_limit_ns = yk_ask_details_run_limit_ns(details);
}

/* The keys of the tags have a prefix, which the labels of the pod do not have. So the keys are composed in
 * request->keys. */
void yk_ask_request_add_labels(struct yk_ask_request *request, const struct yk_cache_pod *pod)
{
    size_t first = request->allocation.tag_count, offset = 0;
    yk_buf_clear(&request->keys);
    yk_pod_labels(pod, &request->labels);
    for (uint32_t i = 0; i < request->labels.count; i++) {
        yk_buf_text(&request->keys, LABEL_PREFIX);
        yk_interned_add_text(&request->keys, request->labels.items[i].key);
        yk_ask_request_add_tag(request, "", request->labels.items[i].value.p);
    }
    /* The keys are set only now, because the buffer may have moved while they were appended. */
    for (size_t i = first; i < request->allocation.tag_count; i++) {
        request->tags[i].key = yk_buf_cstr(&request->keys) + offset;
        offset += strlen(request->tags[i].key) + 1;
    }
}

void yk_ask_request_add_tags(struct yk_ask_request *request, const struct yk_cache_pod *pod,
                             const struct yk_interned *details)
{
    if (request->tags == NULL)
        request->tags = yk_new0_array(struct yk_si_tag, YK_SI_TAGS_MAX);
    request->allocation.tags = request->tags;
    snprintf(request->namespace_, sizeof(request->namespace_), YK_STR_FMT,
             YK_STR_ARG(yk_cache_pod_namespace(pod)));
    snprintf(request->creation, sizeof(request->creation), "%u", pod->creation_wall_s);
    yk_ask_request_add_tag(request, "kubernetes.io/meta/namespace", request->namespace_);
    yk_ask_request_add_tag(request, "kubernetes.io/meta/podName", yk_cache_pod_name(pod).p);
    yk_ask_request_add_tag(request, YK_SI_TAG_CREATION_TIME, request->creation);
    if (details == NULL)
        return;
    uint32_t at = 0;
    const char *required = yk_interned_text(details, &at);
    if (*required != '\0')
        yk_ask_request_add_tag(request, YK_SI_TAG_REQUIRED_NODE, required);
    yk_ask_request_add_labels(request, pod);
}

void yk_ask_request_done(struct yk_ask_request *request)
{
    free(request->tags);
    free(request->labels.items);
    yk_buf_done(&request->keys);
    *request = (struct yk_ask_request){.tags = NULL};
}
