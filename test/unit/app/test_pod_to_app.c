/* SPDX-License-Identifier: Apache-2.0 */
#include "app/pod_to_app.h"

#include "lib/kube_objects.h"

#include "lib/cmocka_headers.h"

#define LONG_NAMESPACE "a-namespace-whose-name-is-longer-than-twenty-six-characters"

static void application_id(void **state)
{
    (void)state;
    static const struct {
        const char *what, *namespace_, *label, *annotation, *legacy, *spark;
        bool unique;
        const char *want;
    } cases[] = {
        {"the label wins", "ns", "l", "a", "legacy", "spark", false, "l"},
        {"then the annotation", "ns", NULL, "a", "legacy", "spark", false, "a"},
        {"then the old label", "ns", NULL, NULL, "legacy", "spark", true, "legacy"},
        {"then Spark's", "ns", NULL, NULL, NULL, "spark", false, "spark"},
        {"an empty value is none", "ns", "", "", "", "spark", false, "spark"},
        {"generated for the namespace", "ns", NULL, NULL, NULL, NULL, false, "yunikorn-ns-autogen"},
        {"generated for the pod", "ns", NULL, NULL, NULL, NULL, true, "ns-uid-p"},
        {"cut at 63", LONG_NAMESPACE, NULL, NULL, NULL, NULL, false,
         "yunikorn-a-namespace-whose-name-is-longer-than-twenty-six-chara"},
        {"26 of the namespace", LONG_NAMESPACE, NULL, NULL, NULL, NULL, true,
         "a-namespace-whose-name-is--uid-p"},
        {"to be made unique", "ns", "x-uniqueautogen", NULL, NULL, NULL, false, "x-uid-p"},
        {"only at the end", "ns", "x-uniqueautogen-y", NULL, NULL, NULL, false, "x-uniqueautogen-y"},
        {"also in the annotation", "ns", NULL, "ns-uniqueautogen", NULL, NULL, true, "ns-uid-p"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_pod *pod = make_pod(cases[i].namespace_, "p", "1");
        const struct {
            const char *key, *value;
            bool annotation;
        } given[] = {{"yunikorn.apache.org/app-id", cases[i].label, false},
                     {"yunikorn.apache.org/app-id", cases[i].annotation, true},
                     {"applicationId", cases[i].legacy, false},
                     {"spark-app-selector", cases[i].spark, false}};
        for (size_t j = 0; j < YK_COUNT(given); j++) {
            if (given[j].value != NULL)
                add_pair(&pod->object, given[j].annotation ? &pod->object.annotations : &pod->object.labels,
                         given[j].key, given[j].value);
        }
        char id[YK_SI_APPLICATION_ID_MAX + 1];
        struct yk_err err;
        assert_int_equal(yk_pod_application_id(pod, cases[i].unique, id, &err), YK_OK);
        if (strcmp(id, cases[i].want) != 0)
            fail_msg("%s: got '%s'", cases[i].what, id);
        yk_object_free(&pod->object);
    }
}

/* What pods without an id get in one namespace is nothing that a pod of another one can take. */
static void ids_of_another_namespace(void **state)
{
    (void)state;
    static const struct {
        const char *what, *namespace_, *id, *want;
    } cases[] = {
        {"its own", "ns", "yunikorn-ns-autogen", "yunikorn-ns-autogen"},
        {"of another", "ns", "yunikorn-victim-autogen", "yunikorn-ns-autogen"},
        {"of no namespace that there can be", "ns", "yunikorn--autogen", "yunikorn-ns-autogen"},
        {"of one with a long name, cut", "ns",
         "yunikorn-a-namespace-whose-name-is-longer-than-twenty-six-chara", "yunikorn-ns-autogen"},
        {"its own, cut", LONG_NAMESPACE, "yunikorn-a-namespace-whose-name-is-longer-than-twenty-six-chara",
         "yunikorn-a-namespace-whose-name-is-longer-than-twenty-six-chara"},
        {"begins so", "ns", "yunikorn-spark", "yunikorn-spark"},
        {"ends so", "ns", "spark-autogen", "spark-autogen"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_pod *pod = make_pod(cases[i].namespace_, "p", "1");
        char id[YK_SI_APPLICATION_ID_MAX + 1];
        (void)snprintf(id, sizeof(id), "%s", cases[i].id);
        yk_pod_keep_to_namespace(pod, id);
        if (strcmp(id, cases[i].want) != 0)
            fail_msg("%s: got '%s'", cases[i].what, id);
        yk_object_free(&pod->object);
    }
}

static void too_long_an_id(void **state)
{
    (void)state;
    char text[YK_SI_APPLICATION_ID_MAX + 2];
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    char id[YK_SI_APPLICATION_ID_MAX + 1] = "untouched";
    struct yk_err err;
    struct yk_pod *pod = make_pod("ns", "p", "1");
    add_pair(&pod->object, &pod->object.annotations, "yunikorn.apache.org/app-id", text);
    assert_int_equal(yk_pod_application_id(pod, false, id, &err), YK_ERR_LIMIT);
    assert_string_equal(id, "untouched");
    assert_non_null(strstr(err.text, "ns/p"));
    yk_object_free(&pod->object);
}

static void queue(void **state)
{
    (void)state;
    static const struct {
        const char *what, *label, *annotation, *legacy, *want;
    } cases[] = {
        {"the label wins", "root.A", "b", "c", "root.A"},
        {"then the annotation", NULL, "b", "c", "b"},
        {"then the old label", "", "", "c", "c"},
        {"none", NULL, NULL, NULL, NULL},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_pod *pod = make_pod("ns", "p", "1");
        if (cases[i].label != NULL)
            add_pair(&pod->object, &pod->object.labels, "yunikorn.apache.org/queue", cases[i].label);
        if (cases[i].annotation != NULL)
            add_pair(&pod->object, &pod->object.annotations, "yunikorn.apache.org/queue",
                     cases[i].annotation);
        if (cases[i].legacy != NULL)
            add_pair(&pod->object, &pod->object.labels, "queue", cases[i].legacy);
        struct yk_str got = yk_pod_queue(pod);
        if ((got.p == NULL) != (cases[i].want == NULL) || (got.p != NULL && !yk_str_is(got, cases[i].want)))
            fail_msg("%s: got '" YK_STR_FMT "'", cases[i].what, YK_STR_ARG(got));
        yk_object_free(&pod->object);
    }
}

/* P05: what differs from what is used, as it was given; equal words in several places are no conflict. */
static void conflicts(void **state)
{
    (void)state;
    static const struct {
        const char *what, *label, *annotation, *legacy, *spark, *want;
    } cases[] = {
        {"one word", "a", NULL, NULL, NULL, NULL},
        {"the same word everywhere", "a", "a", "a", "a", NULL},
        {"empty ones do not count", "a", "", "", "", NULL},
        {"an annotation", "a", "b", NULL, NULL,
         "fianlValue: a, ignored: [(Annotation) yunikorn.apache.org/app-id: b] }"},
        {"all of them", "a", "b", "c", "d",
         "fianlValue: a, ignored: [(Annotation) yunikorn.apache.org/app-id: b, (Label) applicationId: c, "
         "(Label) spark-app-selector: d] }"},
        {"to be made unique: no conflict with itself", "x-uniqueautogen", "x-uniqueautogen", NULL, NULL,
         NULL},
        {"to be made unique, and another", "x-uniqueautogen", NULL, "y", NULL,
         "fianlValue: x-uid-p, ignored: [(Label) applicationId: y] }"},
        {"nothing at all", NULL, NULL, NULL, NULL, NULL},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf note = {.max = 2 * YK_CONFLICT_NOTE_MAX};
        struct yk_pod *pod = make_pod("ns", "p", "1");
        struct yk_object *meta = &pod->object;
        if (cases[i].label != NULL)
            add_pair(meta, &meta->labels, "yunikorn.apache.org/app-id", cases[i].label);
        if (cases[i].annotation != NULL)
            add_pair(meta, &meta->annotations, "yunikorn.apache.org/app-id", cases[i].annotation);
        if (cases[i].legacy != NULL)
            add_pair(meta, &meta->labels, "applicationId", cases[i].legacy);
        if (cases[i].spark != NULL)
            add_pair(meta, &meta->labels, "spark-app-selector", cases[i].spark);
        bool got = yk_pod_id_conflict(pod, false, &note);
        if (got != (cases[i].want != NULL) || (got && strstr(yk_buf_cstr(&note), cases[i].want) == NULL))
            fail_msg("%s: got '%s'", cases[i].what, yk_buf_cstr(&note));
        assert_false(yk_pod_queue_conflict(pod, &note));
        yk_object_free(&pod->object);
    }
}

static const char *tag_of(const struct yk_app_request *request, const char *key)
{
    for (size_t i = 0; i < request->app.tag_count; i++) {
        if (strcmp(request->app.tags[i].key, key) == 0)
            return request->app.tags[i].value;
    }
    return NULL;
}

/* The request of a pod that carries what the case says. */
static void with_request(struct yk_pod *pod, const struct yk_namespace *namespace_,
                         void (*check)(const struct yk_app_request *request, const void *context),
                         const void *context)
{
    struct yk_intern_table intern_table;
    yk_intern_table_init(&intern_table);
    struct yk_buf scratch = {0};
    struct yk_interned *details = yk_pod_app_details(&intern_table, pod, true, YK_TRUST_ANY_USER, &scratch);
    struct yk_cache_pod *cached = yk_alloc0(sizeof(*cached) + 16);
    memcpy(cached->text, "ns/p\0uid-p", 11);
    cached->namespace_len = 2;
    cached->name_len = 1;
    cached->uid_len = 5;
    cached->creation_wall_s = 1700000000;
    struct yk_app_request request;
    yk_app_request_init(&request, "app", cached, details, namespace_ == NULL ? NULL : &namespace_->object);
    check(&request, context);
    yk_app_request_done(&request);
    free(cached);
    yk_interned_put(&intern_table, details);
    yk_intern_table_done(&intern_table);
    yk_buf_done(&scratch);
    yk_object_free(&pod->object);
}

struct user_case {
    const char *what, *info, *label, *user;
    size_t groups;
};

static void check_user(const struct yk_app_request *request, const void *context)
{
    const struct user_case *one = context;
    if (strcmp(request->app.ugi.user, one->user) != 0 || request->app.ugi.group_count != one->groups)
        fail_msg("%s: got '%s' with %zu groups", one->what, request->app.ugi.user,
                 request->app.ugi.group_count);
}

static void user(void **state)
{
    (void)state;
    static const struct user_case cases[] = {
        {"from the annotation", "{\"user\":\"ann\",\"groups\":[\"a\",\"b\"]}", "bob", "ann", 2},
        {"field names in any case", "{\"User\":\"ann\",\"GROUPS\":[]}", NULL, "ann", 0},
        {"groups may be missing", "{\"user\":\"ann\"}", NULL, "ann", 0},
        {"an empty user is nobody", "{\"user\":\"\",\"groups\":[\"a\"]}", NULL, "nobody", 1},
        {"not JSON: nobody, not the label", "ann", "bob", "nobody", 0},
        {"wrong types", "{\"user\":1}", NULL, "nobody", 0},
        {"groups that are no texts", "{\"user\":\"ann\",\"groups\":[1]}", NULL, "nobody", 0},
        {"an empty annotation is there", "", "bob", "nobody", 0},
        {"from the label", NULL, "bob", "bob", 0},
        {"nobody", NULL, NULL, "nobody", 0},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_pod *pod = make_pod("ns", "p", "1");
        if (cases[i].info != NULL)
            add_pair(&pod->object, &pod->object.annotations, "yunikorn.apache.org/user.info", cases[i].info);
        if (cases[i].label != NULL)
            add_pair(&pod->object, &pod->object.labels, "yunikorn.apache.org/username", cases[i].label);
        with_request(pod, NULL, check_user, &cases[i]);
    }
}

static void check_tags(const struct yk_app_request *request, const void *context)
{
    const char *const(*want)[2] = context;
    for (; (*want)[0] != NULL; want++) {
        const char *got = tag_of(request, (*want)[0]);
        if ((got == NULL) != ((*want)[1] == NULL) || (got != NULL && strcmp(got, (*want)[1]) != 0))
            fail_msg("tag %s: got '%s'", (*want)[0], got != NULL ? got : "(none)");
    }
}

static void tags(void **state)
{
    (void)state;
    struct yk_pod *pod = make_pod("ns", "p", "1");
    struct yk_str secrets[] = {YK_STR("one"), YK_STR("two")};
    pod->image_pull_secrets = secrets;
    pod->image_pull_secret_count = 2;
    add_pair(&pod->object, &pod->object.annotations, "yunikorn.apache.org/schedulingPolicyParameters", "x=y");
    struct yk_namespace *namespace_ = make_namespace("ns", "1");
    add_pair(&namespace_->object, &namespace_->object.annotations, "yunikorn.apache.org/namespace.quota",
             "{\"cpu\":\"64\",\"memory\":\"100G\",\"a.b/c\":\"1\"}");
    add_pair(&namespace_->object, &namespace_->object.annotations, "yunikorn.apache.org/namespace.guaranteed",
             "{\"cpu\":\"1\",\"memory\":\"much\"}");
    add_pair(&namespace_->object, &namespace_->object.annotations, "yunikorn.apache.org/namespace.max.cpu",
             "1");
    add_pair(&namespace_->object, &namespace_->object.annotations, "yunikorn.apache.org/namespace.maxApps",
             "7");
    add_pair(&namespace_->object, &namespace_->object.annotations, "yunikorn.apache.org/parentqueue",
             "root.prod");
    static const char *const want[][2] = {
        {"namespace", "ns"},
        {"application.create.force", "false"},
        {"imagePullSecrets", "one,two"},
        {"yunikorn.apache.org/task-groups", NULL},
        {"yunikorn.apache.org/schedulingPolicyParameters", "x=y"},
        {"yunikorn.apache.org/creationTime", "1700000000"},
        {"namespace.resourcequota",
         "{\"resources\":{\"a.b/"
         "c\":{\"value\":1},\"memory\":{\"value\":100000000000},\"vcore\":{\"value\":64000}}}"},
        {"namespace.resourceguaranteed", NULL}, /* one bad entry drops all of it */
        {"namespace.resourcemaxapps", "7"},
        {"namespace.parentqueue", "root.prod"},
        {NULL, NULL},
    };
    with_request(pod, namespace_, check_tags, want);
    yk_object_free(&namespace_->object);

    namespace_ = make_namespace("ns", "1");
    add_pair(&namespace_->object, &namespace_->object.annotations, "yunikorn.apache.org/namespace.max.cpu",
             "500m");
    add_pair(&namespace_->object, &namespace_->object.annotations, "yunikorn.apache.org/namespace.max.memory",
             "1Ki");
    add_pair(&namespace_->object, &namespace_->object.annotations, "yunikorn.apache.org/namespace.maxApps",
             "-1");
    static const char *const old_form[][2] = {
        {"namespace.resourcequota",
         "{\"resources\":{\"memory\":{\"value\":1024},\"vcore\":{\"value\":500}}}"},
        {"namespace.resourcemaxapps", NULL},
        {NULL, NULL},
    };
    with_request(make_pod("ns", "p", "1"), namespace_, check_tags, old_form);
    yk_object_free(&namespace_->object);
}

static void application_type(void **state)
{
    (void)state;
    static const struct {
        const char *what, *label, *annotation, *spark, *want;
    } cases[] = {
        {"the label wins", "flink", "ray", "spark-1", "flink"},
        {"then the annotation", NULL, "ray", "spark-1", "ray"},
        {"an empty one is none", "", "ray", NULL, "ray"},
        {"what a Spark operator made", NULL, NULL, "spark-1", "spark"},
        {"nothing is said", NULL, NULL, NULL, NULL},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_pod *pod = make_pod("ns", "p", "1");
        if (cases[i].label != NULL)
            add_pair(&pod->object, &pod->object.labels, "yunikorn.apache.org/app-type", cases[i].label);
        if (cases[i].annotation != NULL)
            add_pair(&pod->object, &pod->object.annotations, "yunikorn.apache.org/app-type",
                     cases[i].annotation);
        if (cases[i].spark != NULL)
            add_pair(&pod->object, &pod->object.labels, "spark-app-selector", cases[i].spark);
        const char *const want[][2] = {{"application.type", cases[i].want}, {NULL, NULL}};
        with_request(pod, NULL, check_tags, want);
    }
}

/* Two names of one type would be two entries of one name. */
static void quota_names_a_type_once(void **state)
{
    (void)state;
    static const char *const quotas[] = {"{\"cpu\":\"2\",\"vcore\":\"3000\"}",
                                         "{\"vcore\":\"3000\",\"cpu\":\"2\"}"};
    static const char *const want[][2] = {
        {"namespace.resourcequota", "{\"resources\":{\"vcore\":{\"value\":2000}}}"}, {NULL, NULL}};
    for (size_t i = 0; i < YK_COUNT(quotas); i++) {
        struct yk_namespace *namespace_ = make_namespace("ns", "1");
        add_pair(&namespace_->object, &namespace_->object.annotations, "yunikorn.apache.org/namespace.quota",
                 quotas[i]);
        with_request(make_pod("ns", "p", "1"), namespace_, check_tags, want);
        yk_object_free(&namespace_->object);
    }
}

/* The core would read an incomplete quota as another one. */
static void a_quota_that_is_too_long_is_left_out(void **state)
{
    (void)state;
    static const char *const want[][2] = {{"namespace.resourcequota", NULL}, {NULL, NULL}};
    YK_CLEANUP(yk_buf_done) struct yk_buf quota = {0};
    struct yk_namespace *namespace_ = make_namespace("ns", "1");
    for (int i = 0; i < 9; i++)
        yk_buf_printf(&quota, "%s\"%d%08000d\":\"1\"", i == 0 ? "{" : ",", i, 0);
    yk_buf_char(&quota, '}');
    add_pair(&namespace_->object, &namespace_->object.annotations, "yunikorn.apache.org/namespace.quota",
             yk_buf_cstr(&quota));
    with_request(make_pod("ns", "p", "1"), namespace_, check_tags, want);
    yk_object_free(&namespace_->object);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(application_id),
                                       cmocka_unit_test(ids_of_another_namespace),
                                       cmocka_unit_test(too_long_an_id),
                                       cmocka_unit_test(queue),
                                       cmocka_unit_test(conflicts),
                                       cmocka_unit_test(user),
                                       cmocka_unit_test(tags),
                                       cmocka_unit_test(application_type),
                                       cmocka_unit_test(quota_names_a_type_once),
                                       cmocka_unit_test(a_quota_that_is_too_long_is_left_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
