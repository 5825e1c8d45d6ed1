/* SPDX-License-Identifier: Apache-2.0 */
/* docs/reference/admission.md, "Workloads". */
#include "admission/review.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define K "yunikorn.apache.org/"
#define ALICE                                                                                                \
    "\"annotations\":{\"" K "user.info\":\"{\\\"user\\\":\\\"alice\\\",\\\"groups\\\":[\\\"staff\\\"]}\"}"
#define BOB        "\"annotations\":{\"" K "user.info\":\"{\\\"user\\\":\\\"bob\\\"}\"}"
#define CAROL      "\"annotations\":{\"" K "user.info\":\"{\\\"user\\\":\\\"carol\\\"}\"}"
#define T(meta)    "{\"spec\":{\"template\":{\"metadata\":{" meta "},\"spec\":{}}}}"
#define CRON(meta) "{\"spec\":{\"jobTemplate\":{\"spec\":{\"template\":{\"metadata\":{" meta "}}}}}}"
#define CONTROLLER "system:serviceaccount:kube-system:deployment-controller"
#define DENIED     "user alice with groups [staff] is not allowed to set user annotation"

struct workload_case {
    const char *what, *settings;
    struct review_case review;
    const char *denied, *want;
};

static void run(const struct workload_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct yk_reviewer *reviewer = new_reviewer();
        put_namespace(reviewer, "bare", "{\"" K "namespace.generateAppId\":\"false\"}");
        if (cases[i].settings != NULL)
            put_configs(reviewer, cases[i].settings);
        expect_mutation(cases[i].what, reviewer, &cases[i].review, cases[i].denied, cases[i].want);
        yk_reviewer_free(reviewer);
    }
}

static void all_kinds_get_the_user(void **state)
{
    (void)state;
    static const struct {
        const char *group, *kind;
    } kinds[] = {{"apps", "Deployment"}, {"apps", "ReplicaSet"}, {"apps", "StatefulSet"},
                 {"apps", "DaemonSet"},  {"batch", "Job"},       {"batch", "CronJob"}};
    for (size_t i = 0; i < YK_COUNT(kinds); i++) {
        bool is_cron = strcmp(kinds[i].kind, "CronJob") == 0;
        struct workload_case one = {
            .what = kinds[i].kind,
            .review = {.group = kinds[i].group,
                       .kind = kinds[i].kind,
                       .object = is_cron ? CRON("\"labels\":{\"a\":\"b\"}") : T("\"labels\":{\"a\":\"b\"}")},
            .want = is_cron ? CRON("\"labels\":{\"a\":\"b\"}," ALICE) : T("\"labels\":{\"a\":\"b\"}," ALICE)};
        run(&one, 1);
        one.review.object = is_cron ? CRON(BOB) : T(BOB);
        one.want = NULL;
        one.denied = DENIED;
        run(&one, 1);
    }
}

#define DEPLOYMENT            .group = "apps", .kind = "Deployment"
#define UPDATE(before, after) DEPLOYMENT, .operation = "UPDATE", .old = before, .object = after

static void creation(void **state)
{
    (void)state;
    static const struct workload_case cases[] = {
        {"a template without metadata",
         NULL,
         {DEPLOYMENT, .object = "{\"spec\":{\"template\":{}}}"},
         NULL,
         "{\"spec\":{\"template\":{\"metadata\":{" ALICE "}}}}"},
        {"no template", NULL, {DEPLOYMENT, .object = "{\"spec\":{}}"}, NULL, NULL},
        {"another group", NULL, {.group = "x.io", .kind = "Deployment", .object = T("")}, NULL, NULL},
        {"another kind", NULL, {.group = "apps", .kind = "ControllerRevision", .object = T("")}, NULL, NULL},
        {"a ReplicaSet of a controller",
         NULL,
         {.group = "apps", .kind = "ReplicaSet", .object = T(""), .user = CONTROLLER},
         NULL,
         NULL},
        {"also of one that is not trusted",
         "{\"admissionController.accessControl.trustControllers\":\"false\"}",
         {.group = "apps", .kind = "ReplicaSet", .object = T(BOB), .user = CONTROLLER},
         NULL,
         NULL},
        {"a Job of a controller keeps its user",
         NULL,
         {.group = "batch", .kind = "Job", .object = T(BOB), .user = CONTROLLER},
         NULL,
         NULL},
        {"a pod of the scheduler",
         NULL,
         {DEPLOYMENT, .object = T("\"labels\":{\"app\":\"yunikorn\"}")},
         NULL,
         NULL},
        {"a bypassed namespace",
         NULL,
         {DEPLOYMENT, .object = T(""), .namespace_ = "kube-system"},
         NULL,
         NULL},
        {"the submitter itself", NULL, {DEPLOYMENT, .object = T(ALICE)}, NULL, NULL},
        {"a user there", NULL, {DEPLOYMENT, .object = T(BOB), .namespace_ = "kube-system"}, DENIED, NULL},
        {"no labels", NULL, {DEPLOYMENT, .object = T(""), .namespace_ = "bare"}, NULL, NULL},
        {"no labels, a user", NULL, {DEPLOYMENT, .object = T(BOB), .namespace_ = "bare"}, DENIED, NULL},
        {"no labels, but an application",
         NULL,
         {DEPLOYMENT, .object = T("\"labels\":{\"applicationId\":\"b\"}"), .namespace_ = "bare"},
         NULL,
         T("\"labels\":{\"applicationId\":\"b\"}," ALICE)},
        {"an external user",
         "{\"admissionController.accessControl.externalUsers\":\"alice\"}",
         {DEPLOYMENT, .object = T(BOB)},
         NULL,
         NULL},
        {"checks are off",
         "{\"admissionController.accessControl.bypassAuth\":\"1\"}",
         {DEPLOYMENT, .object = T(BOB)},
         NULL,
         NULL},
        {"nothing is added then",
         "{\"admissionController.accessControl.bypassAuth\":\"1\"}",
         {DEPLOYMENT, .object = T("")},
         NULL,
         NULL},
        {"an odd template",
         NULL,
         {DEPLOYMENT, .object = "{\"spec\":{\"template\":[]}}"},
         "'template' is not an object",
         NULL},
    };
    run(cases, YK_COUNT(cases));
}

static void updates(void **state)
{
    (void)state;
    static const struct workload_case cases[] = {
        {"unchanged", NULL, {UPDATE(T(BOB), T("\"labels\":{\"a\":\"b\"}," BOB))}, NULL, NULL},
        {"changed", NULL, {UPDATE(T(BOB), T(CAROL))}, DENIED, NULL},
        {"changed to the updater", NULL, {UPDATE(T(BOB), T(ALICE))}, NULL, NULL},
        {"added", NULL, {UPDATE(T(""), T(BOB))}, DENIED, NULL},
        {"changed by a controller", NULL, {UPDATE(T(BOB), T(ALICE)), .user = CONTROLLER}, NULL, NULL},
        {"changed where labels are not set",
         NULL,
         {UPDATE(T(BOB), T(CAROL)), .namespace_ = "bare"},
         DENIED,
         NULL},
        {"there was none", NULL, {UPDATE(T(""), T("\"labels\":{\"a\":\"b\"}"))}, NULL, NULL},
        {"removed: the updater's", NULL, {UPDATE(T(BOB), T(""))}, NULL, T(ALICE)},
        {"checks are off",
         "{\"admissionController.accessControl.bypassAuth\":\"t\"}",
         {UPDATE(T(BOB), T(ALICE))},
         NULL,
         NULL},
    };
    run(cases, YK_COUNT(cases));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_kinds_get_the_user), cmocka_unit_test(creation),
                                       cmocka_unit_test(updates)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
