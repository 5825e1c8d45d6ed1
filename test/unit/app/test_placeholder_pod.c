/* SPDX-License-Identifier: Apache-2.0 */
#include "app/placeholder_pod.h"

#include "api/json_reader.h"
#include "lib/kube_objects.h"

#include <jansson.h>

#include "lib/cmocka_headers.h"

#define INTERNAL "internal.yunikorn.apache.org/placeholder"
#define OLD      "yunikorn.apache.org/placeholder"
#define GROUP    "yunikorn.apache.org/task-group-name"

/* P12: our flag, and the old ones only on pods that are named as placeholders are. */
static void which_pods_are_placeholders(void **state)
{
    (void)state;
    static const struct {
        const char *what, *name;
        const char *annotation, *value; /* NULL: none */
        const char *label, *group;
        bool want;
    } cases[] = {
        {"an ordinary pod", "p", NULL, NULL, NULL, NULL, false},
        {"ours", "tg-a", INTERNAL, "true", NULL, "g", true},
        {"ours says no", "tg-a", INTERNAL, "false", "true", "g", false},
        {"ours cannot be read: the old ones count", "tg-a", INTERNAL, "perhaps", "true", "g", true},
        {"the old annotation", "tg-a", OLD, "true", NULL, "g", true},
        {"the old label", "tg-a", NULL, NULL, "true", "g", true},
        {"the annotation goes before the label", "tg-a", OLD, "false", "true", "g", false},
        {"a foreign label of that name", "placeholder-for-nodes", NULL, NULL, "true", "g", false},
        {"and without a group", "tg-a", NULL, NULL, "true", NULL, false},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_pod *pod = make_pod("ns", cases[i].name, "1");
        struct yk_object *meta = &pod->object;
        if (cases[i].annotation != NULL)
            add_pair(meta, &meta->annotations, cases[i].annotation, cases[i].value);
        if (cases[i].label != NULL)
            add_pair(meta, &meta->labels, "placeholder", cases[i].label);
        if (cases[i].group != NULL)
            add_pair(meta, &meta->annotations, GROUP, cases[i].group);
        if (yk_pod_is_placeholder(pod) != cases[i].want)
            fail_msg("%s: %d", cases[i].what, !cases[i].want);
        yk_object_free(meta);
    }
}

/* S14: what it is made of, legal characters only, and the same whenever it is made. */
static void names(void **state)
{
    (void)state;
    char name[YK_PLACEHOLDER_NAME_MAX + 1], again[YK_PLACEHOLDER_NAME_MAX + 1];
    yk_placeholder_name("spark-1", "uid", "executors", 0, name);
    assert_true(yk_str_starts(yk_str_from(name), "tg-spark-1-executors-"));
    assert_int_equal(strlen(name), strlen("tg-spark-1-executors-") + 10);
    yk_placeholder_name("spark-1", "uid", "executors", 0, again);
    assert_string_equal(name, again);
    assert_string_equal(name, "tg-spark-1-executors-2dvdai3vpp"); /* in every process */
    yk_placeholder_name("spark-1", "uid", "executors", 1, again);
    assert_string_not_equal(name, again);
    yk_placeholder_name("spark-1", "other", "executors", 0, again);
    assert_string_not_equal(name, again);
    yk_placeholder_name("App_1.x", "uid", "G/1", 7, name);
    assert_true(yk_str_starts(yk_str_from(name), "tg-app-1-x-g-1-"));
    yk_placeholder_name("a-very-long-application-id-of-many-letters", "uid",
                        "and-a-group-that-is-long-as-well", 100000, name);
    assert_true(yk_str_starts(yk_str_from(name), "tg-a-very-long-application-id-o-and-a-group-that-is-"));
    assert_int_equal(strlen(name), YK_PLACEHOLDER_NAME_MAX);
}

static struct yk_task_groups one_group(const char *text)
{
    struct yk_task_groups groups;
    struct yk_err err = {0};
    if (yk_task_groups_parse(yk_str_from(text), YK_STR("a"), &groups, &err) != YK_OK)
        fail_msg("%s", err.text);
    return groups;
}

static const struct yk_placeholder_look plain = {.image = "pause:1"};

static json_t *encoded(const struct yk_placeholder_draft *draft)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf body = {0};
    json_error_t where;
    yk_encode_placeholder(&body, draft);
    assert_false(body.failed);
    json_t *pod = json_loadb(body.p, body.len, JSON_REJECT_DUPLICATES, &where);
    if (pod == NULL)
        fail_msg("%s in %s", where.text, yk_buf_cstr(&body));
    return pod;
}

static void expect(json_t *pod, const char *part, const char *want)
{
    char *got = json_dumps(json_object_get(pod, part), JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY);
    if (strcmp(got != NULL ? got : "", want) != 0)
        fail_msg("%s: %s", part, got != NULL ? got : "nothing");
    free(got);
}

static const struct yk_placeholder_draft minimal = {.namespace_ = "ns",
                                                    .name = "tg-x",
                                                    .application_id = "app",
                                                    .queue = "",
                                                    .owner_name = "driver",
                                                    .owner_uid = "u1",
                                                    .user_label = "",
                                                    .priority_class = "",
                                                    .pull_secrets = "",
                                                    .task_groups = "",
                                                    .policy = "",
                                                    .look = &plain};

static void the_least_pod(void **state)
{
    (void)state;
    struct yk_task_groups groups =
        one_group("[{\"name\":\"g\",\"minMember\":1,\"minResource\":{\"cpu\":\"1\"}}]");
    struct yk_placeholder_draft draft = minimal;
    draft.group = &groups.items[0];
    json_t *pod = encoded(&draft);
    expect(pod, "kind", "\"Pod\"");
    expect(
        pod, "metadata",
        "{\"annotations\":{\"internal.yunikorn.apache.org/placeholder\":\"true\","
        "\"yunikorn.apache.org/task-group-name\":\"g\"},\"labels\":{\"yunikorn.apache.org/app-id\":\"app\"},"
        "\"name\":\"tg-x\",\"namespace\":\"ns\",\"ownerReferences\":[{\"apiVersion\":\"v1\","
        "\"blockOwnerDeletion\":true,\"controller\":false,\"kind\":\"Pod\",\"name\":\"driver\",\"uid\":"
        "\"u1\"}]}");
    expect(
        pod, "spec",
        "{\"automountServiceAccountToken\":false,\"containers\":[{\"image\":\"pause:1\","
        "\"imagePullPolicy\":\"IfNotPresent\",\"name\":\"pause\",\"resources\":{\"limits\":{\"cpu\":\"1\"},"
        "\"requests\":{\"cpu\":\"1\"}},\"securityContext\":{\"allowPrivilegeEscalation\":false,"
        "\"capabilities\":{\"drop\":[\"ALL\"]},\"privileged\":false,\"readOnlyRootFilesystem\":true}}],"
        "\"enableServiceLinks\":false,\"hostNetwork\":false,\"restartPolicy\":\"Never\","
        "\"schedulerName\":\"yunikorn\",\"securityContext\":{\"runAsNonRoot\":true,"
        "\"seccompProfile\":{\"type\":\"RuntimeDefault\"}},\"terminationGracePeriodSeconds\":0}");
    json_decref(pod);
    yk_task_groups_done(&groups);
}

static void all_that_it_may_be_given(void **state)
{
    (void)state;
    struct yk_task_groups groups =
        one_group("[{\"name\":\"g\",\"minMember\":1,\"minResource\":{},\"labels\":{\"l\":\"1\","
                  "\"yunikorn.apache.org/app-id\":\"mine\"},\"annotations\":{\"n\":\"2\","
                  "\"internal.yunikorn.apache.org/placeholder\":\"false\"},\"nodeSelector\":{\"zone\":\"z\"},"
                  "\"tolerations\":[{\"key\":\"k\"}],\"affinity\":{\"a\":{}},"
                  "\"topologySpreadConstraints\":[{\"maxSkew\":1}]}]");
    const struct yk_placeholder_look look = {
        .image = "i", .run_as_user = 1000, .run_as_group = 2000, .fs_group = 3000};
    struct yk_placeholder_draft draft = minimal;
    draft.group = &groups.items[0];
    draft.look = &look;
    draft.application_id = "an id/that no label may have";
    draft.queue = "root.a";
    draft.task_groups = "[]";
    draft.policy = "a=b";
    draft.priority_class = "high";
    draft.pull_secrets = "s1,s2";
    json_t *pod = encoded(&draft), *spec = json_object_get(pod, "spec"),
           *meta = json_object_get(pod, "metadata");
    expect(meta, "labels", "{\"l\":\"1\",\"yunikorn.apache.org/queue\":\"root.a\"}");
    expect(meta, "annotations",
           "{\"internal.yunikorn.apache.org/placeholder\":\"true\",\"n\":\"2\","
           "\"yunikorn.apache.org/app-id\":\"an id/that no label may have\","
           "\"yunikorn.apache.org/schedulingPolicyParameters\":\"a=b\","
           "\"yunikorn.apache.org/task-group-name\":\"g\",\"yunikorn.apache.org/task-groups\":\"[]\"}");
    expect(spec, "nodeSelector", "{\"zone\":\"z\"}");
    expect(spec, "tolerations", "[{\"key\":\"k\"}]");
    expect(spec, "affinity", "{\"a\":{}}");
    expect(spec, "topologySpreadConstraints", "[{\"maxSkew\":1}]");
    expect(spec, "imagePullSecrets", "[{\"name\":\"s1\"},{\"name\":\"s2\"}]");
    expect(spec, "priorityClassName", "\"high\"");
    expect(spec, "securityContext",
           "{\"fsGroup\":3000,\"runAsGroup\":2000,\"runAsNonRoot\":true,\"runAsUser\":1000,"
           "\"seccompProfile\":{\"type\":\"RuntimeDefault\"}}");
    json_decref(pod);
    yk_task_groups_done(&groups);
}

/* What we write is what we read again after a restart (P13). */
static void it_is_read_again(void **state)
{
    (void)state;
    struct yk_task_groups groups =
        one_group("[{\"name\":\"g\",\"minMember\":1,\"minResource\":{\"cpu\":\"1\"}}]");
    struct yk_placeholder_draft draft = minimal;
    YK_CLEANUP(yk_buf_done) struct yk_buf body = {0};
    struct yk_object *object = NULL;
    struct yk_err err = {0};
    draft.group = &groups.items[0];
    yk_encode_placeholder(&body, &draft);
    if (yk_object_from_json(YK_KIND_POD, yk_buf_view(&body), &object, &err) != YK_OK)
        fail_msg("%s", err.text);
    const struct yk_pod *pod = yk_pod_of(object);
    assert_true(yk_pod_is_placeholder(pod));
    assert_true(yk_str_is(yk_pod_task_group(pod), "g"));
    assert_non_null(yk_placeholder_owner(pod));
    assert_string_equal(yk_placeholder_owner(pod)->uid.p, "u1");
    yk_object_free(object);
    yk_task_groups_done(&groups);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(which_pods_are_placeholders),
        cmocka_unit_test(names),
        cmocka_unit_test(the_least_pod),
        cmocka_unit_test(all_that_it_may_be_given),
        cmocka_unit_test(it_is_read_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
