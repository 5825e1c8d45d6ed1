/* SPDX-License-Identifier: Apache-2.0 */
#include "app/pod_to_ask.h"

#include "lib/kube_objects.h"
#include "predicates/pod_index.h"

#include "lib/cmocka_headers.h"

static void nothing_listed(void *c, enum yk_kind k)
{
    (void)c, (void)k;
}
static void nothing(void *c)
{
    (void)c;
}
static const struct yk_cache_observer deaf = {.listed = nothing_listed, .config_changed = nothing};

static void preemption(void **state)
{
    (void)state;
    struct yk_cache cache;
    yk_cache_init(&cache, &deaf, "y");
    struct yk_priority_class *fixed = make_priority_class("fixed", "1");
    add_pair(&fixed->object, &fixed->object.annotations, "yunikorn.apache.org/allow-preemption", "false");
    yk_cache_apply(&cache, YK_KIND_PRIORITY_CLASS, YK_WATCH_UPSERT, &fixed->object);
    struct yk_priority_class *other = make_priority_class("other", "1");
    yk_cache_apply(&cache, YK_KIND_PRIORITY_CLASS, YK_WATCH_UPSERT, &other->object);
    static const struct {
        const char *what, *annotation, *class_;
        bool want;
    } cases[] = {
        {"nothing said", NULL, NULL, true},
        {"the pod says no", "false", NULL, false},
        {"the pod says yes, its class no", "true", "fixed", true},
        {"another word is no word", "no", "fixed", false},
        {"the class says no", NULL, "fixed", false},
        {"the class says nothing", NULL, "other", true},
        {"an unknown class", NULL, "unknown", true},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_pod *pod = make_pod("ns", "p", "1");
        if (cases[i].annotation != NULL)
            add_pair(&pod->object, &pod->object.annotations, "yunikorn.apache.org/allow-preemption",
                     cases[i].annotation);
        set_text(&pod->object, &pod->priority_class, cases[i].class_);
        if (yk_pod_allows_preemption(&cache, pod, yk_pod_preemptible(pod)) != cases[i].want)
            fail_msg("%s", cases[i].what);
        yk_object_free(&pod->object);
    }
    struct yk_pod *pod = make_pod("ns", "p", "1");
    assert_true(yk_pod_may_preempt(pod));
    set_text(&pod->object, &pod->preemption_policy, "Never");
    assert_false(yk_pod_may_preempt(pod));
    yk_object_free(&pod->object);
    yk_cache_done(&cache);
}

static void required_node(void **state)
{
    (void)state;
    struct yk_pod *pod = make_pod("ns", "p", "1");
    add_field(pod, 0, "metadata.name", "In", "n1");
    add_field(pod, 1, "metadata.name", "In", "n2,n3");
    assert_null(yk_pod_required_node(pod).p);
    add_owner(&pod->object, "DaemonSet");
    assert_true(yk_str_is(yk_pod_required_node(pod), "n2"));
    yk_object_free(&pod->object);
}

static void tags_of_an_ask(void **state)
{
    (void)state;
    struct yk_intern_table intern_table;
    yk_intern_table_init(&intern_table);
    struct yk_buf scratch = {0};
    struct yk_pod *pod = make_pod("ns", "p", "1");
    add_pair(&pod->object, &pod->object.labels, "a", "1");
    add_pair(&pod->object, &pod->object.labels, "b", "");
    add_owner(&pod->object, "DaemonSet");
    add_field(pod, 0, "metadata.name", "In", "n1");
    struct yk_interned *details = yk_pod_ask_details(&intern_table, pod, &scratch);
    struct yk_cache_pod *cached = yk_alloc0(sizeof(*cached) + 16);
    struct yk_size size = {.holders = 1};
    memcpy(cached->text, "ns/p\0uid-p", 11);
    cached->namespace_len = 2;
    cached->name_len = 1;
    cached->uid_len = 5;
    cached->size = &size;
    cached->creation_wall_s = 42;
    struct yk_pod_profile profile = {0};
    yk_entity_init(&profile.entity, pod->object.namespace_, &pod->object.labels, NULL, NULL);
    cached->profile = &profile;
    struct yk_ask_request request = {0};
    yk_ask_request_fill(&request, cached, details);
    yk_ask_request_add_tags(&request, cached, details);
    static const char *const want[][2] = {
        {"kubernetes.io/meta/namespace", "ns"},
        {"kubernetes.io/meta/podName", "p"},
        {"creationTime", "42"},
        {"yunikorn.apache.org/requiredNode", "n1"},
        {"kubernetes.io/label/a", "1"},
        {"kubernetes.io/label/b", ""},
    };
    assert_int_equal(request.allocation.tag_count, YK_COUNT(want));
    for (size_t i = 0; i < YK_COUNT(want); i++) {
        assert_string_equal(request.allocation.tags[i].key, want[i][0]);
        assert_string_equal(request.allocation.tags[i].value, want[i][1]);
    }
    assert_string_equal(request.allocation.key, "uid-p");
    assert_string_equal(request.allocation.required_node, "n1");
    assert_string_equal(request.allocation.node_id, "");
    yk_ask_request_done(&request);
    yk_entity_done(&profile.entity);
    free(cached);
    yk_interned_put(&intern_table, details);
    yk_intern_table_done(&intern_table);
    yk_buf_done(&scratch);
    yk_object_free(&pod->object);
}

/* Labels are found in the profile of the pod and with the pod, an empty value is not a missing label. */
static void labels(void **state)
{
    (void)state;
    struct yk_pod *pod = make_pod("ns", "p", "1");
    add_pair(&pod->object, &pod->object.labels, "app", "web");
    add_pair(&pod->object, &pod->object.labels, "tier", "");
    struct yk_cache_pod *cached = yk_alloc0(sizeof(*cached) + 1);
    struct yk_pairs pairs = {0};
    yk_pod_labels(cached, &pairs);
    assert_int_equal(pairs.count, 0); /* it has no description */
    assert_null(yk_pod_label(cached, YK_STR("app")).p);

    struct yk_pod_profile profile = {0};
    yk_entity_init(&profile.entity, pod->object.namespace_, &pod->object.labels, NULL, NULL);
    cached->profile = &profile;
    assert_true(yk_str_is(yk_pod_label(cached, YK_STR("app")), "web"));
    assert_non_null(yk_pod_label(cached, YK_STR("tier")).p);
    assert_null(yk_pod_label(cached, YK_STR("ap")).p);
    yk_pod_labels(cached, &pairs);
    assert_int_equal(pairs.count, 2);
    assert_true(yk_str_is(yk_pairs_get(&pairs, "app"), "web"));
    assert_true(yk_str_is(yk_pairs_get(&pairs, "tier"), ""));

    struct yk_buf packed = {0};
    yk_name names[] = {yk_name_get(YK_STR("index")), yk_name_get(YK_STR("zero"))};
    assert_true(yk_own_labels_pack(&packed, names[0], YK_STR("7")));
    assert_true(yk_own_labels_pack(&packed, names[1], YK_STR("")));
    cached->own_labels = yk_own_labels_new(&packed);
    assert_true(yk_str_is(yk_pod_label(cached, YK_STR("app")), "web"));
    assert_true(yk_str_is(yk_pod_label(cached, YK_STR("index")), "7"));
    assert_non_null(yk_pod_label(cached, YK_STR("zero")).p);
    assert_null(yk_pod_label(cached, YK_STR("inde")).p);
    yk_pod_labels(cached, &pairs);
    static const char *const want[][2] = {{"app", "web"}, {"index", "7"}, {"tier", ""}, {"zero", ""}};
    assert_int_equal(pairs.count, YK_COUNT(want));
    for (size_t i = 0; i < YK_COUNT(want); i++) { /* in order of their keys */
        assert_string_equal(pairs.items[i].key.p, want[i][0]);
        assert_string_equal(pairs.items[i].value.p, want[i][1]);
    }
    cached->profile = NULL;
    yk_pod_labels(cached, &pairs);
    assert_int_equal(pairs.count, 2);
    free(cached->own_labels);
    yk_buf_done(&packed);
    yk_name_put(names[0]);
    yk_name_put(names[1]);
    free(pairs.items);
    yk_entity_done(&profile.entity);
    free(cached);
    yk_object_free(&pod->object);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(preemption), cmocka_unit_test(labels),
                                       cmocka_unit_test(required_node), cmocka_unit_test(tags_of_an_ask)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
