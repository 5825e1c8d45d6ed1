/* SPDX-License-Identifier: Apache-2.0 */
/* docs/reference/admission.md, "Namespaces", "Pods" and "Users". */
#include "admission/review.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define K           "yunikorn.apache.org/"
#define ALICE       "\"" K "user.info\":\"{\\\"user\\\":\\\"alice\\\",\\\"groups\\\":[\\\"staff\\\"]}\""
#define BOB         "\"" K "user.info\":\"{\\\"user\\\":\\\"bob\\\"}\""
#define MAY         "\"" K "allow-preemption\":\"true\""
#define MAY_NOT     "\"" K "allow-preemption\":\"false\""
#define GENERATED   "\"" K "app-id\":\"yunikorn-dev-autogen\",\"applicationId\":\"yunikorn-dev-autogen\""
#define OURS        "\"spec\":{\"schedulerName\":\"yunikorn\"}"
#define NOT_ALLOWED "user alice with groups [staff] is not allowed to set user annotation"

struct pod_case {
    const char *what, *settings; /* data of yunikorn-configs, NULL: none */
    struct review_case review;
    const char *denied, *want; /* NULL: allowed; no patch */
};

static void run(const struct pod_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct yk_reviewer *reviewer = new_reviewer();
        put_namespace(reviewer, "on", "{\"" K "namespace.enableYuniKorn\":\"true\"}");
        put_namespace(reviewer, "off", "{\"" K "namespace.enableYuniKorn\":\"no\"}");
        put_namespace(reviewer, "label", "{\"" K "namespace.generateAppId\":\"true\"}");
        put_namespace(reviewer, "bare", "{\"" K "namespace.generateAppId\":\"\"}");
        put_class(reviewer, "meek", "{\"" K "allow-preemption\":\"false\"}");
        put_class(reviewer, "odd", "{\"" K "allow-preemption\":\"no\"}");
        if (cases[i].settings != NULL)
            put_configs(reviewer, cases[i].settings);
        expect_mutation(cases[i].what, reviewer, &cases[i].review, cases[i].denied, cases[i].want);
        yk_reviewer_free(reviewer);
    }
}

#define WHOLE(name, labels)                                                                                  \
    "{\"metadata\":{\"name\":\"" name "\",\"labels\":{" labels "},\"annotations\":{" ALICE "," MAY           \
    "}}," OURS "}"

static void a_new_pod_is_made_ours(void **state)
{
    (void)state;
    static const struct pod_case cases[] = {
        {"no labels, no annotations",
         NULL,
         {.object = "{\"metadata\":{\"name\":\"a\"},\"spec\":{}}"},
         NULL,
         WHOLE("a", GENERATED)},
        {"null maps are none",
         NULL,
         {.object = "{\"metadata\":{\"name\":\"a\",\"labels\":null,\"annotations\":null},\"spec\":{}}"},
         NULL,
         WHOLE("a", GENERATED)},
        {"no metadata",
         NULL,
         {.object = "{\"spec\":{}}"},
         NULL,
         "{\"metadata\":{\"labels\":{" GENERATED "},\"annotations\":{" ALICE "," MAY "}}," OURS "}"},
        {"generateName, and a dry run",
         NULL,
         {.object = "{\"metadata\":{\"generateName\":\"a-\"},\"spec\":{}}", .dry_run = true},
         NULL,
         "{\"metadata\":{\"generateName\":\"a-\",\"labels\":{" GENERATED "},\"annotations\":{" ALICE "," MAY
         "}}," OURS "}"},
        {"no namespace is 'default'",
         NULL,
         {.object = "{\"metadata\":{\"name\":\"a\"},\"spec\":{}}", .namespace_ = ""},
         NULL,
         WHOLE("a", "\"" K
                    "app-id\":\"yunikorn-default-autogen\",\"applicationId\":\"yunikorn-default-autogen\"")},
        {"other labels and another scheduler",
         NULL,
         {.object = "{\"metadata\":{\"name\":\"a\",\"labels\":{\"x\":\"y\"}},\"spec\":{\"schedulerName\":"
                    "\"default-scheduler\"}}"},
         NULL,
         WHOLE("a", "\"x\":\"y\"," GENERATED)},
        {"unique ids",
         "{\"admissionController.filtering.generateUniqueAppId\":\"true\"}",
         {.object = "{\"metadata\":{\"name\":\"a\"},\"spec\":{}}"},
         NULL,
         WHOLE("a", "\"" K "app-id\":\"dev-uniqueautogen\",\"applicationId\":\"dev-uniqueautogen\"")},
        {"an id that would end in '-' is left to the scheduler",
         NULL,
         {.object = "{\"metadata\":{\"name\":\"a\",\"labels\":{}},\"spec\":{}}",
          .namespace_ = "n2345678901234567890123456789012345678901234567890123"},
         NULL,
         WHOLE("a", "")},
        {"canonical labels are copied",
         NULL,
         {.object = "{\"metadata\":{\"name\":\"a\",\"labels\":{\"" K "app-id\":\"mine\",\"" K
                    "queue\":\"root.a\"}},\"spec\":{}}"},
         NULL,
         WHOLE("a", "\"" K "app-id\":\"mine\",\"applicationId\":\"mine\",\"" K
                    "queue\":\"root.a\",\"queue\":\"root.a\"")},
        {"canonical labels win",
         NULL,
         {.object = "{\"metadata\":{\"name\":\"a\",\"labels\":{\"" K
                    "app-id\":\"mine\",\"applicationId\":\"old\",\"queue\":\"root.b\"}},\"spec\":{}}"},
         NULL,
         WHOLE("a", "\"" K "app-id\":\"mine\",\"applicationId\":\"mine\",\"queue\":\"root.b\"")},
        {"an old id stays alone",
         NULL,
         {.object = "{\"metadata\":{\"name\":\"a\",\"labels\":{\"applicationId\":\"old\"}},\"spec\":{}}"},
         NULL,
         WHOLE("a", "\"applicationId\":\"old\"")},
        {"so does the id of Spark",
         NULL,
         {.object = "{\"metadata\":{\"name\":\"a\",\"labels\":{\"spark-app-selector\":\"s\"}},\"spec\":{}}"},
         NULL,
         WHOLE("a", "\"spark-app-selector\":\"s\"")},
        {"an annotated id is one",
         NULL,
         {.object = "{\"metadata\":{\"name\":\"a\",\"annotations\":{\"" K "app-id\":\"mine\"}},\"spec\":{}}"},
         NULL,
         "{\"metadata\":{\"name\":\"a\",\"annotations\":{\"" K "app-id\":\"mine\"," ALICE "," MAY "}}," OURS
         "}"},
        {"a user without groups",
         NULL,
         {.object = "{\"metadata\":{\"labels\":{\"applicationId\":\"x\"}},\"spec\":{}}",
          .groups = "null",
          .user = "bob"},
         NULL,
         "{\"metadata\":{\"labels\":{\"applicationId\":\"x\"},\"annotations\":{" BOB "," MAY "}}," OURS "}"},
        {"a DaemonSet's pod",
         NULL,
         {.object = "{\"metadata\":{\"generateName\":\"d-\",\"labels\":{\"applicationId\":\"x\"},"
                    "\"annotations\":{" BOB "},\"ownerReferences\":[{\"kind\":\"DaemonSet\"}]},\"spec\":{"
                    "\"schedulerName\":\"default-scheduler\"}}",
          .user = "system:serviceaccount:kube-system:daemon-set-controller"},
         NULL,
         "{\"metadata\":{\"generateName\":\"d-\",\"labels\":{\"applicationId\":\"x\"},\"annotations\":{" BOB
         "," MAY "},\"ownerReferences\":[{\"kind\":\"DaemonSet\"}]}," OURS "}"},
    };
    run(cases, YK_COUNT(cases));
}

#define CLASS(class_, annotations)                                                                           \
    "{\"metadata\":{\"labels\":{\"applicationId\":\"x\"},\"annotations\":{" annotations "}},\"spec\":{"      \
    "\"schedulerName\":\"yunikorn\",\"priorityClassName\":\"" class_ "\"}}"

static void the_priority_class_says_whether_a_pod_may_be_preempted(void **state)
{
    (void)state;
    static const char bypass[] = "{\"admissionController.accessControl.bypassAuth\":\"true\"}";
    static const struct pod_case cases[] = {
        {"an unknown class", bypass, {.object = CLASS("none", "")}, NULL, CLASS("none", MAY)},
        {"a class that forbids it", bypass, {.object = CLASS("meek", "")}, NULL, CLASS("meek", MAY_NOT)},
        {"another value of the class", bypass, {.object = CLASS("odd", "")}, NULL, CLASS("odd", MAY)},
        {"the pod says yes", bypass, {.object = CLASS("meek", MAY)}, NULL, CLASS("meek", MAY)},
        {"the pod says no", bypass, {.object = CLASS("none", MAY_NOT)}, NULL, CLASS("none", MAY_NOT)},
        {"the pod says nonsense",
         bypass,
         {.object = CLASS("meek", "\"" K "allow-preemption\":\"True\"")},
         NULL,
         CLASS("meek", MAY_NOT)},
    };
    run(cases, YK_COUNT(cases));
}

#define PLAIN        "{\"metadata\":{},\"spec\":{}}"
#define BARE         "{\"metadata\":{\"annotations\":{" ALICE "}}," OURS "}"
#define LISTED(text) "{\"admissionController.filtering." text "\"}"

static void namespaces_decide(void **state)
{
    (void)state;
    static const struct pod_case cases[] = {
        {"kube-system is bypassed", NULL, {.object = PLAIN, .namespace_ = "kube-system"}, NULL, NULL},
        {"an empty list bypasses none",
         LISTED("bypassNamespaces\":\"\",\"admissionController.filtering.noLabelNamespaces\":\"."),
         {.object = PLAIN, .namespace_ = "kube-system"},
         NULL,
         BARE},
        {"annotation: off", NULL, {.object = PLAIN, .namespace_ = "off"}, NULL, NULL},
        {"annotation: on wins over the list",
         LISTED("bypassNamespaces\":\"^on$\",\"admissionController.filtering.noLabelNamespaces\":\"^on$"),
         {.object = PLAIN, .namespace_ = "on"},
         NULL,
         BARE},
        {"not on the list", LISTED("processNamespaces\":\"^prod$, ^test$"), {.object = PLAIN}, NULL, NULL},
        {"listed for labels no", LISTED("noLabelNamespaces\":\"de"), {.object = PLAIN}, NULL, BARE},
        {"not listed for labels", LISTED("labelNamespaces\":\"^prod"), {.object = PLAIN}, NULL, BARE},
        {"annotation: no labels, nothing is set instead",
         NULL,
         {.object = PLAIN, .namespace_ = "bare"},
         NULL,
         BARE},
        {"annotation: labels win over the list",
         LISTED("noLabelNamespaces\":\"^label$"),
         {.object = "{\"metadata\":{\"labels\":{\"applicationId\":\"x\"}},\"spec\":{}}",
          .namespace_ = "label"},
         NULL,
         "{\"metadata\":{\"labels\":{\"applicationId\":\"x\"},\"annotations\":{" ALICE "," MAY "}}," OURS
         "}"},
        {"a pod of the scheduler",
         NULL,
         {.object = "{\"metadata\":{\"labels\":{\"app\":\"yunikorn\"}},\"spec\":{}}"},
         NULL,
         NULL},
    };
    run(cases, YK_COUNT(cases));
}

#define WITH(info) "{\"metadata\":{\"annotations\":{" info "}},\"spec\":{}}"
#define KEPT(info) "{\"metadata\":{\"annotations\":{" info "}}," OURS "}"
#define ACCESS(text)                                                                                         \
    "{\"admissionController.filtering.noLabelNamespaces\":\".\",\"admissionController.accessControl." text   \
    "\"}"

static void few_may_say_who_the_user_is(void **state)
{
    (void)state;
    static const struct pod_case cases[] = {
        {"not allowed", NULL, {.object = WITH(BOB)}, NOT_ALLOWED, NULL},
        {"not even an empty one", NULL, {.object = WITH("\"" K "user.info\":null")}, NOT_ALLOWED, NULL},
        {"the submitter itself, as the controller writes it",
         "{\"admissionController.filtering.noLabelNamespaces\":\".\"}",
         {.object = WITH(ALICE)},
         NULL,
         KEPT(ALICE)},
        {"not with another group",
         NULL,
         {.object =
              WITH("\"" K "user.info\":\"{\\\"user\\\":\\\"alice\\\",\\\"groups\\\":[\\\"admins\\\"]}\"")},
         NOT_ALLOWED,
         NULL},
        {"not in a bypassed namespace",
         NULL,
         {.object = WITH(BOB), .namespace_ = "kube-system"},
         NOT_ALLOWED,
         NULL},
        {"several groups",
         NULL,
         {.object = WITH(BOB), .groups = "[\"a\",\"b\"]"},
         "user alice with groups [a,b] is not allowed to set user annotation",
         NULL},
        {"a controller",
         ACCESS("bypassAuth\":\"false"),
         {.object = WITH(BOB), .user = "system:serviceaccount:kube-system:job-controller"},
         NULL,
         KEPT(BOB)},
        {"controllers are not trusted",
         ACCESS("trustControllers\":\"false"),
         {.object = WITH(BOB), .user = "system:serviceaccount:kube-system:job-controller"},
         "user system:serviceaccount:kube-system:job-controller with groups [staff] is not allowed to set "
         "user annotation",
         NULL},
        {"system users of a cloud",
         ACCESS("systemUsers\":\"^system:serviceaccount:kube-system:, ^system:gke-"),
         {.object = WITH(BOB), .user = "system:gke-controller"},
         NULL,
         KEPT(BOB)},
        {"an external user", ACCESS("externalUsers\":\"^alice$"), {.object = WITH(BOB)}, NULL, KEPT(BOB)},
        {"an external group", ACCESS("externalGroups\":\"^sta"), {.object = WITH(BOB)}, NULL, KEPT(BOB)},
        {"the name of a group is no user",
         ACCESS("externalUsers\":\"^staff$"),
         {.object = WITH(BOB)},
         NOT_ALLOWED,
         NULL},
        {"no JSON",
         ACCESS("externalUsers\":\"alice"),
         {.object = WITH("\"" K "user.info\":\"xyz\"")},
         "the user annotation is not valid: '[' or '{' expected near 'xyz'",
         NULL},
        {"a list",
         ACCESS("externalUsers\":\"alice"),
         {.object = WITH("\"" K "user.info\":\"[]\"")},
         "the user annotation is not valid: not a JSON object",
         NULL},
        {"checks are off", ACCESS("bypassAuth\":\"true"), {.object = WITH(BOB)}, NULL, KEPT(BOB)},
        {"nothing is added then",
         ACCESS("bypassAuth\":\"true"),
         {.object = PLAIN},
         NULL,
         "{\"metadata\":{}," OURS "}"},
    };
    run(cases, YK_COUNT(cases));
}

#define CHANGE                "user info annotation change is not allowed"
#define APP(app, info)        "{\"metadata\":{\"labels\":{" app "},\"annotations\":{" info "}}}"
#define UPDATE(before, after) .operation = "UPDATE", .old = before, .object = after

static void the_user_of_a_pod_does_not_change(void **state)
{
    (void)state;
    static const struct pod_case cases[] = {
        {"unchanged", NULL, {UPDATE(WITH(BOB), APP("\"x\":\"y\"", BOB))}, NULL, NULL},
        {"changed", NULL, {UPDATE(WITH(BOB), WITH(ALICE))}, CHANGE, NULL},
        {"added", NULL, {UPDATE(PLAIN, WITH(ALICE))}, CHANGE, NULL},
        {"removed", NULL, {UPDATE(WITH(BOB), PLAIN)}, CHANGE, NULL},
        {"not even by a controller",
         NULL,
         {UPDATE(PLAIN, WITH(ALICE)), .user = "system:serviceaccount:kube-system:x"},
         CHANGE,
         NULL},
        {"nothing and empty are the same",
         NULL,
         {UPDATE(PLAIN, WITH("\"" K "user.info\":\"\""))},
         NULL,
         NULL},
        {"a label of the scheduler does not help",
         NULL,
         {UPDATE(WITH(ALICE), APP("\"app\":\"yunikorn\"", BOB))},
         NOT_ALLOWED,
         NULL},
        {"it helps who is allowed",
         NULL,
         {UPDATE(WITH(BOB), APP("\"app\":\"yunikorn\"", ALICE)),
          .user = "system:serviceaccount:kube-system:x"},
         NULL,
         NULL},
        {"a bypassed namespace",
         NULL,
         {UPDATE(WITH(ALICE), WITH(BOB)), .namespace_ = "off"},
         NOT_ALLOWED,
         NULL},
        {"the user's own value", NULL, {UPDATE(WITH(BOB), WITH(ALICE)), .namespace_ = "off"}, NULL, NULL},
        {"removed there", NULL, {UPDATE(WITH(BOB), PLAIN), .namespace_ = "off"}, NULL, NULL},
        {"no labels", NULL, {UPDATE(WITH(ALICE), WITH(BOB)), .namespace_ = "bare"}, NOT_ALLOWED, NULL},
        {"no labels, but an application",
         NULL,
         {UPDATE(WITH(BOB), APP("\"spark-app-selector\":\"x\"", ALICE)), .namespace_ = "bare"},
         CHANGE,
         NULL},
        {"checks are off", ACCESS("bypassAuth\":\"true"), {UPDATE(WITH(BOB), WITH(ALICE))}, NULL, NULL},
    };
    run(cases, YK_COUNT(cases));
}

static void odd_pods_are_denied(void **state)
{
    (void)state;
    static const struct pod_case cases[] = {
        {"labels",
         NULL,
         {.object = "{\"metadata\":{\"labels\":[]},\"spec\":{}}"},
         "/metadata: 'labels' is not an object",
         NULL},
        {"a label",
         NULL,
         {.object = "{\"metadata\":{\"labels\":{\"app\":1}},\"spec\":{}}"},
         "/metadata: labels: 'app' is not a text",
         NULL},
        {"an annotation",
         NULL,
         {.object = "{\"metadata\":{\"annotations\":{\"" K "user.info\":{}}},\"spec\":{}}"},
         "/metadata: annotations: 'yunikorn.apache.org/user.info' is not a text",
         NULL},
        {"no spec", NULL, {.object = "{\"metadata\":{}}"}, "the pod has no spec", NULL},
        {"a class",
         NULL,
         {.object = "{\"spec\":{\"priorityClassName\":true}}"},
         "'priorityClassName' is not a text",
         NULL},
        {"no old pod's metadata",
         NULL,
         {UPDATE("{\"metadata\":7}", PLAIN)},
         "/metadata: 'metadata' is not an object",
         NULL},
    };
    run(cases, YK_COUNT(cases));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_pod_is_made_ours),
        cmocka_unit_test(the_priority_class_says_whether_a_pod_may_be_preempted),
        cmocka_unit_test(namespaces_decide),
        cmocka_unit_test(few_may_say_who_the_user_is),
        cmocka_unit_test(the_user_of_a_pod_does_not_change),
        cmocka_unit_test(odd_pods_are_denied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
