/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/finding_ids.h"
#include "migrate/migration.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { STEPS_MAX = 8 };

enum service { SERVICE_UNKNOWN, SERVICE_GONE, SERVICE_IDLE, SERVICE_SERVED };

struct step {
    enum yk_subject subject;
    const char *kind; /* of OWNED and LEFTOVER */
    const char *json;
};

struct test_case {
    const char *what;
    const char *values;   /* NULL: not given */
    const char *defaults; /* data of the ConfigMap yunikorn-defaults; NULL: there is none */
    enum service service; /* of all webhooks; said after the webhooks */
    bool no_deployments;  /* they could not be read */
    struct step steps[STEPS_MAX];
    const char
        *want; /* ids of the findings, sorted as printed, without infos that only depend on the stage */
};

#define META(name, more)   "\"metadata\":{\"namespace\":\"yk\",\"name\":\"" name "\"" more "}"
#define LABELS(pairs)      ",\"labels\":{" pairs "}"
#define ANNOTATIONS(pairs) ",\"annotations\":{" pairs "}"
#define RELEASE(name)      "\"meta.helm.sh/release-name\":\"" name "\",\"meta.helm.sh/release-namespace\":\"yk\""
#define PART_OF            LABELS("\"app.kubernetes.io/part-of\":\"yunikorn\"")
#define OLD_IMAGE          "apache/yunikorn:scheduler-1.9.0"
#define SCHEDULER(ns, name, labels, replicas, image)                                                         \
    {                                                                                                        \
        YK_SUBJECT_DEPLOYMENT, NULL,                                                                         \
            "{\"metadata\":{\"namespace\":\"" ns "\",\"name\":\"" name "\"" labels                           \
            "},\"spec\":{\"replicas\":" replicas ",\"template\":{\"metadata\":{\"labels\":{\"app\":"         \
            "\"yunikorn\",\"component\":\"yunikorn-scheduler\"}},"                                           \
            "\"spec\":{\"schedulerName\":\"x\",\"containers\":[{\"name\":\"a\",\"image\":\"" image           \
            "\"}]}}}}"                                                                                       \
    }
#define OURS   SCHEDULER("yk", "yunikorn-scheduler", PART_OF, "2", "yunikorn:0.1.0")
#define THEIRS SCHEDULER("yk", "yunikorn-scheduler", "", "1", OLD_IMAGE)
/* What tells early that this project is installed. */
#define OURS_OWNED                                                                                           \
    {                                                                                                        \
        YK_SUBJECT_OWNED, "Deployment",                                                                      \
            "{" META("yunikorn-scheduler", PART_OF ANNOTATIONS(RELEASE("yunikorn"))) "}"                     \
    }
#define WEBHOOKS(subject, ns, policy)                                                                        \
    {                                                                                                        \
        subject, NULL,                                                                                       \
            "{\"metadata\":{\"name\":\"yunikorn-admission-controller-x\"},\"webhooks\":[{\"name\":"          \
            "\"admission-webhook.yunikorn.x\","                                                              \
            "\"failurePolicy\":\"" policy "\",\"clientConfig\":{\"service\":{\"namespace\":\"" ns            \
            "\",\"name\":\"s\"}}}]}"                                                                         \
    }
#define MUTATING WEBHOOKS(YK_SUBJECT_MUTATING, "yk", "Ignore")
#define TEMPLATE(subject, ns, metadata, spec)                                                                \
    {                                                                                                        \
        subject, NULL,                                                                                       \
            "{\"metadata\":{\"namespace\":\"" ns                                                             \
            "\",\"name\":\"w\"},\"spec\":{\"template\":{\"metadata\":{" metadata "},\"spec\":{" spec "}}}}"  \
    }
#define APP_LABEL     "\"labels\":{\"yunikorn.apache.org/app-id\":\"a\"}"
#define NO_CONTAINERS "\"containers\":[]"
#define POD(ns, name, metadata, spec, phase)                                                                 \
    {                                                                                                        \
        YK_SUBJECT_POD, NULL,                                                                                \
            "{\"metadata\":{\"namespace\":\"" ns "\",\"name\":\"" name "\"" metadata "},\"spec\":{" spec     \
            "},\"status\":{\"phase\":\"" phase "\"}}"                                                        \
    }
#define OF_APP(id)                                                                                           \
    ","                                                                                                      \
    "\"labels\":{\"yunikorn.apache.org/app-id\":\"" id "\"}"
#define NAMED       "\"schedulerName\":\"yunikorn\""
#define BOUND       NAMED ",\"nodeName\":\"n\""
#define PLACEHOLDER ",\"annotations\":{\"internal.yunikorn.apache.org/placeholder\":\"true\"}"
#define CONFIG_MAP(name, text)                                                                               \
    {                                                                                                        \
        YK_SUBJECT_CONFIG_MAP, NULL, "{" META(name, "") ",\"data\":{\"k\":\"" text "\"}}"                    \
    }
#define WITH_ENV(value) "\"containers\":[{\"env\":[{\"name\":\"E\",\"value\":\"" value "\"}]}]"
#define MONITOR(subject, list, label, scheme)                                                                \
    {                                                                                                        \
        subject, NULL,                                                                                       \
            "{" META("m", "") ",\"spec\":{\"selector\":{\"matchLabels\":{" label "}},\"" list "\":[{" scheme \
                              "}]}}"                                                                         \
    }
#define INGRESS(service)                                                                                     \
    {                                                                                                        \
        YK_SUBJECT_INGRESS, NULL,                                                                            \
            "{" META("i", "") ",\"spec\":{\"rules\":[{\"http\":{\"paths\":[{\"backend\":{\"service\":{"      \
                              "\"name\":\"" service "\"}}}]}}]}}"                                            \
    }

static const struct test_case cases[] = {
    {"an empty cluster", .want = ""},
    /* ---- API server ---- */
    {"1.23", .steps = {{YK_SUBJECT_VERSION, "APIServer", "{\"gitVersion\":\"v1.23.9\"}"}},
     .want = "api-server-too-old"},
    {"1.24", .steps = {{YK_SUBJECT_VERSION, "APIServer", "{\"gitVersion\":\"v1.24.0\"}"}},
     .want = "api-server-cannot-guard"},
    {"1.29 of a vendor", .steps = {{YK_SUBJECT_VERSION, "APIServer", "{\"gitVersion\":\"v1.29.3-eks-1\"}"}},
     .want = "api-server-cannot-guard"},
    {"1.29 without guard", .defaults = "\"admissionController.webHook.failurePolicy\":\"Ignore\"",
     .steps = {{YK_SUBJECT_VERSION, "APIServer", "{\"gitVersion\":\"v1.29.3\"}"}}, .want = ""},
    {"1.30", .steps = {{YK_SUBJECT_VERSION, "APIServer", "{\"gitVersion\":\"v1.30.0\"}"}}, .want = ""},
    {"a version that is none", .steps = {{YK_SUBJECT_VERSION, "APIServer", "{\"gitVersion\":[\"v1.2\"]}"}},
     .want = ""},
    /* ---- owners ---- */
    {"an object of the release", .steps = {OURS_OWNED}, .want = ""},
    {"an object of another release",
     .steps = {{YK_SUBJECT_OWNED, "Service",
                "{" META("yunikorn-service", ANNOTATIONS(RELEASE("other"))) "}"}},
     .want = "other-release"},
    {"an object of no release",
     .steps = {{YK_SUBJECT_OWNED, "Service", "{" META("yunikorn-service", "") "}"}}, .want = "no-release"},
    {"an object of our manifests",
     .steps = {{YK_SUBJECT_OWNED, "Deployment", "{" META("yunikorn-scheduler", PART_OF) "}"}}, .want = ""},
    /* ---- leftovers ---- */
    {"an account of hooks",
     .steps = {{YK_SUBJECT_LEFTOVER, "ServiceAccount", "{" META("yunikorn-admin", "") "}"}},
     .want = "account-not-adopted"},
    {"an account of our manifests",
     .steps = {{YK_SUBJECT_LEFTOVER, "ServiceAccount", "{" META("yunikorn-admin", PART_OF) "}"}}, .want = ""},
    {"an adopted account",
     .steps = {{YK_SUBJECT_LEFTOVER, "ServiceAccount",
                "{" META("yunikorn-admin", ANNOTATIONS(RELEASE("yunikorn"))) "}"}},
     .want = ""},
    {"roles before the upgrade",
     .steps = {{YK_SUBJECT_LEFTOVER, "ClusterRole", "{\"metadata\":{\"name\":\"yunikorn-scheduler\"}}"}},
     .want = "roles-ahead"},
    {"roles after the upgrade",
     .steps = {OURS_OWNED,
               {YK_SUBJECT_LEFTOVER, "ClusterRole", "{\"metadata\":{\"name\":\"yunikorn-scheduler\"}}"}},
     .want = "role-left"},
    {"bindings of another namespace",
     .steps = {OURS_OWNED,
               {YK_SUBJECT_LEFTOVER, "ClusterRoleBinding",
                "{\"metadata\":{\"name\":\"yunikorn-rbac\"},\"subjects\":[{\"kind\":\"ServiceAccount\","
                "\"namespace\":\"x\"}]}"}},
     .want = ""},
    {"bindings of this namespace",
     .steps = {OURS_OWNED,
               {YK_SUBJECT_LEFTOVER, "ClusterRoleBinding",
                "{\"metadata\":{\"name\":\"yunikorn-rbac\"},\"subjects\":[{\"kind\":\"ServiceAccount\","
                "\"namespace\":\"yk\"}]}"}},
     .want = "role-left"},
    /* ---- webhooks ---- */
    {"a webhook whose Service is gone", .service = SERVICE_GONE, .steps = {MUTATING},
     .want = "webhook-unserved"},
    {"a webhook whose Service has no pods", .service = SERVICE_IDLE,
     .steps = {WEBHOOKS(YK_SUBJECT_VALIDATING, "yk", "Fail")}, .want = "webhook-unserved"},
    {"a webhook that is served", .service = SERVICE_SERVED, .steps = {MUTATING}, .want = ""},
    {"a webhook about whose Service nothing is known", .steps = {MUTATING}, .want = ""},
    {"a webhook of another namespace", .service = SERVICE_SERVED,
     .steps = {WEBHOOKS(YK_SUBJECT_MUTATING, "other", "Ignore")}, .want = "webhook-elsewhere"},
    {"a webhook of something else", .service = SERVICE_GONE,
     .steps = {{YK_SUBJECT_MUTATING, NULL,
                "{\"metadata\":{\"name\":\"x\"},\"webhooks\":[{\"name\":\"y\",\"clientConfig\":{\"service\":{"
                "\"name\":\"s\"}}}]}"}},
     .want = ""},
    {"webhooks that the upgrade leaves", .values = "{embedAdmissionController: false, rest: {access: none}}",
     .service = SERVICE_SERVED, .steps = {MUTATING}, .want = "webhook-left"},
    /* ---- schedulers ---- */
    {"the scheduler that is replaced", .steps = {THEIRS}, .want = "old-scheduler"},
    {"our scheduler", .steps = {OURS}, .want = ""},
    {"two schedulers", .steps = {OURS, SCHEDULER("other", "yunikorn-scheduler", "", "1", OLD_IMAGE)},
     .want = "schedulers-with-one-name"},
    {"one of them has no pods", .steps = {OURS, SCHEDULER("other", "yunikorn-scheduler", "", "0", OLD_IMAGE)},
     .want = ""},
    {"plugin mode",
     .steps = {SCHEDULER("yk", "yunikorn-scheduler", "", "1", "r.io/apache/yunikorn:scheduler-plugin-1.8.0")},
     .want = "plugin-mode old-scheduler"},
    {"pods and no scheduler", .steps = {POD("n", "p", OF_APP("a"), NAMED, "Pending")},
     .want = "no-scheduler"},
    {"pods that run need none", .steps = {POD("n", "p", OF_APP("a"), BOUND, "Running")}, .want = ""},
    {"pods, and no right to look for a scheduler", .no_deployments = true,
     .steps = {POD("n", "p", OF_APP("a"), NAMED, "Pending")}, .want = ""},
    {"pods and a scheduler", .steps = {OURS, POD("n", "p", OF_APP("a"), NAMED, "Pending")}, .want = ""},
    /* ---- pods without scheduler ---- */
    {"a template without scheduler, and no webhook",
     .steps = {TEMPLATE(YK_SUBJECT_STATEFUL_SET, "n", APP_LABEL, NO_CONTAINERS)}, .want = "pod-unrouted"},
    {"an annotation of the old controller",
     .steps = {TEMPLATE(YK_SUBJECT_DAEMON_SET, "n",
                        "\"annotations\":{\"yunikorn.apache.org/user.info\":\"{}\"}", NO_CONTAINERS)},
     .want = "pod-unrouted"},
    {"a template of something else",
     .steps = {TEMPLATE(YK_SUBJECT_JOB, "n", "\"labels\":{\"queue\":\"x\"}", NO_CONTAINERS)}, .want = ""},
    {"a template that names its scheduler", .steps = {TEMPLATE(YK_SUBJECT_JOB, "n", APP_LABEL, NAMED)},
     .want = ""},
    {"a template of another scheduler",
     .steps = {TEMPLATE(YK_SUBJECT_JOB, "n", APP_LABEL, "\"schedulerName\":\"volcano\"")}, .want = ""},
    {"a webhook names the scheduler", .service = SERVICE_SERVED,
     .steps = {MUTATING, TEMPLATE(YK_SUBJECT_JOB, "n", APP_LABEL, NO_CONTAINERS)}, .want = ""},
    {"not in kube-system", .service = SERVICE_SERVED,
     .steps = {MUTATING, TEMPLATE(YK_SUBJECT_JOB, "kube-system", APP_LABEL, NO_CONTAINERS)},
     .want = "pod-unrouted"},
    {"not in a namespace with the annotation", .service = SERVICE_SERVED,
     .steps = {{YK_SUBJECT_NAMESPACE, NULL,
                "{\"kind\":\"Namespace\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"n\",\"annotations\":{"
                "\"yunikorn.apache.org/namespace.enableYuniKorn\":\"false\"}}}"},
               MUTATING,
               TEMPLATE(YK_SUBJECT_JOB, "n", APP_LABEL, NO_CONTAINERS)},
     .want = "pod-unrouted"},
    {"not where settings say so", .service = SERVICE_SERVED,
     .defaults = "\"admissionController.filtering.bypassNamespaces\":\"^n$\"",
     .steps = {MUTATING, TEMPLATE(YK_SUBJECT_JOB, "n", APP_LABEL, NO_CONTAINERS)}, .want = "pod-unrouted"},
    {"the upgrade brings the controller", .values = "{rest: {access: none}}",
     .steps = {TEMPLATE(YK_SUBJECT_JOB, "n", APP_LABEL, NO_CONTAINERS)}, .want = ""},
    {"the upgrade takes it away", .values = "{rest: {access: none}, embedAdmissionController: false}",
     .steps = {TEMPLATE(YK_SUBJECT_JOB, "n", APP_LABEL, NO_CONTAINERS)}, .want = "pod-unrouted"},
    {"a replica set of a deployment",
     .steps = {{YK_SUBJECT_REPLICA_SET, NULL,
                "{\"metadata\":{\"name\":\"r\",\"ownerReferences\":[{\"kind\":\"Deployment\"}]},\"spec\":{"
                "\"template\":{"
                "\"metadata\":{" APP_LABEL "}}}}"}},
     .want = ""},
    {"a cron job",
     .steps = {{YK_SUBJECT_CRON_JOB, NULL,
                "{\"metadata\":{\"name\":\"r\"},\"spec\":{\"jobTemplate\":{\"spec\":{\"template\":{"
                "\"metadata\":{" APP_LABEL "}}}}}}"}},
     .want = "pod-unrouted"},
    {"a pod that kube-scheduler takes",
     .steps = {POD("n", "p", OF_APP("a"), "\"schedulerName\":\"default-scheduler\"", "Pending")},
     .want = "pod-waits-elsewhere"},
    {"it runs already", .steps = {POD("n", "p", OF_APP("a"), "\"nodeName\":\"n\"", "Running")}, .want = ""},
    /* ---- applications ---- */
    {"an application in two namespaces",
     .steps = {OURS, POD("n", "p", OF_APP("a"), BOUND, "Running"),
               POD("m", "q", OF_APP("a"), NAMED, "Pending")},
     .want = "application-in-namespaces"},
    {"its pods there have ended",
     .steps = {OURS, POD("n", "p", OF_APP("a"), BOUND, "Running"),
               POD("m", "q", OF_APP("a"), BOUND, "Succeeded")},
     .want = ""},
    {"the scope is the cluster", .defaults = "\"service.applicationScope\":\"cluster\"",
     .steps = {OURS, POD("n", "p", OF_APP("a"), BOUND, "Running"),
               POD("m", "q", OF_APP("a"), BOUND, "Running")},
     .want = ""},
    {"two applications",
     .steps = {OURS, POD("n", "p", OF_APP("a"), BOUND, "Running"),
               POD("m", "q", OF_APP("b"), BOUND, "Running")},
     .want = ""},
    {"placeholders alone", .steps = {OURS, POD("n", "p", OF_APP("a") PLACEHOLDER, BOUND, "Running")},
     .want = "placeholders-alone"},
    {"placeholders with a pod",
     .steps = {OURS, POD("n", "p", OF_APP("a") PLACEHOLDER, BOUND, "Running"),
               POD("n", "q", OF_APP("a"), NAMED, "Pending")},
     .want = ""},
    /* ---- REST ---- */
    {"a ConfigMap names the Service", .steps = {CONFIG_MAP("c", "targets: [yunikorn-service.yk:9080]")},
     .want = "rest-client"},
    {"it uses https", .steps = {CONFIG_MAP("c", "https://yunikorn-service:9080")}, .want = ""},
    {"one of both", .steps = {CONFIG_MAP("c", "https://yunikorn-service:9080 http://yunikorn-service:9080")},
     .want = "rest-client"},
    {"another name", .steps = {CONFIG_MAP("c", "yunikorn-service-account my-yunikorn-service")}, .want = ""},
    {"the scheduler's own", .steps = {CONFIG_MAP("yunikorn-configs", "yunikorn-service")}, .want = ""},
    {"REST stays open", .defaults = "\"service.web.access\":\"none\"",
     .steps = {CONFIG_MAP("c", "yunikorn-service:9080")}, .want = ""},
    {"the values open it", .values = "{rest: {access: none}}",
     .steps = {CONFIG_MAP("c", "yunikorn-service:9080")}, .want = ""},
    {"a variable names the Service",
     .steps = {TEMPLATE(YK_SUBJECT_STATEFUL_SET, "n", "", WITH_ENV("http://yunikorn-service:9080"))},
     .want = "rest-client-workload"},
    {"a variable with https",
     .steps = {TEMPLATE(YK_SUBJECT_STATEFUL_SET, "n", "", WITH_ENV("https://yunikorn-service:9080"))},
     .want = ""},
    {"an argument",
     .steps = {TEMPLATE(YK_SUBJECT_JOB, "n", "",
                        "\"containers\":[{\"args\":[\"-u\",\"yunikorn-service\"]}]")},
     .want = "rest-client-workload"},
    {"an Ingress", .steps = {INGRESS("yunikorn-service")}, .want = "ingress-to-rest"},
    {"an Ingress of something else", .steps = {INGRESS("other")}, .want = ""},
    {"a ServiceMonitor",
     .steps = {MONITOR(YK_SUBJECT_SERVICE_MONITOR, "endpoints", "\"app\":\"yunikorn\"", "")},
     .want = "scraped-over-http"},
    {"a PodMonitor",
     .steps = {MONITOR(YK_SUBJECT_POD_MONITOR, "podMetricsEndpoints", "\"component\":\"yunikorn-scheduler\"",
                       "\"scheme\":\"http\"")},
     .want = "scraped-over-http"},
    {"a ServiceMonitor with https",
     .steps = {MONITOR(YK_SUBJECT_SERVICE_MONITOR, "endpoints", "\"app\":\"yunikorn\"",
                       "\"scheme\":\"https\"")},
     .want = ""},
    {"a ServiceMonitor of something else",
     .steps = {MONITOR(YK_SUBJECT_SERVICE_MONITOR, "endpoints", "\"app\":\"x\"", "")}, .want = ""},
};

static void take(struct yk_migration *migration, enum yk_subject subject, const char *kind, const char *json,
                 const char *what)
{
    struct yk_err err = {0};
    if (yk_migration_take(migration, subject, kind, yk_str_from(json), &err) != YK_OK)
        fail_msg("%s: %s in %s", what, err.text, json);
}

static void tell_services(struct yk_migration *migration, enum service service)
{
    struct yk_webhook_service of;
    for (size_t i = 0; service != SERVICE_UNKNOWN && yk_migration_service(migration, i, &of); i++)
        yk_migration_take_service(migration, &of, service != SERVICE_GONE, service == SERVICE_SERVED);
}

static void take_defaults(struct yk_migration *migration, const char *data)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf map = {0};
    struct yk_err err = {0};
    yk_buf_printf(&map,
                  "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"yunikorn-"
                  "defaults\"},\"data\":{%s}}",
                  data);
    if (yk_migration_take_config(migration, yk_buf_view(&map), (struct yk_str){0}, &err) != YK_OK)
        fail_msg("%s: %s", data, err.text);
}

/* Everything in the order of cmd/migrate_cluster.c; webhooks are the last facts before their Services. */
static void run(struct yk_migration *migration, const struct test_case *c)
{
    struct yk_err err = {0};
    if (c->values != NULL && yk_migration_take_values(migration, yk_str_from(c->values), &err) != YK_OK)
        fail_msg("%s: %s", c->what, err.text);
    if (c->defaults != NULL)
        take_defaults(migration, c->defaults);
    for (size_t i = 0; i < STEPS_MAX && c->steps[i].json != NULL; i++) {
        take(migration, c->steps[i].subject, c->steps[i].kind, c->steps[i].json, c->what);
        tell_services(migration, c->service);
    }
    yk_migration_end(migration, !c->no_deployments);
    yk_findings_sort(yk_migration_findings(migration));
}

static void each_check_fires_and_does_not(void **state)
{
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_migration_freep) struct yk_migration *migration = yk_migration_new("yk", "yunikorn");
        char ids[IDS_MAX];
        run(migration, &cases[i]);
        put_ids(yk_migration_findings(migration), ids);
        if (strcmp(ids, cases[i].want) != 0)
            fail_msg("%s: '%s', not '%s'", cases[i].what, ids, cases[i].want);
    }
}

/* A row that no case fires would be a row that nothing tests. Those of values are in test_values.c. */
static void every_row_has_a_case(void **state)
{
    (void)state;
    for (size_t row = 0; row < yk_check_count; row++) {
        bool is_of_values = yk_checks[row].subjects == 1u << YK_SUBJECT_VALUES;
        bool is_seen = false;
        for (size_t i = 0; i < YK_COUNT(cases); i++)
            is_seen = is_seen || strstr(cases[i].want, yk_checks[row].id) != NULL;
        if (!is_seen && !is_of_values && yk_checks[row].look != NULL)
            fail_msg("no case for '%s'", yk_checks[row].id);
    }
}

static void ids_are_unique_and_rows_complete(void **state)
{
    (void)state;
    for (size_t i = 0; i < yk_check_count; i++) {
        const struct yk_check *row = &yk_checks[i];
        assert_true((row->look != NULL) == (row->subjects != 0));
        assert_true(row->meaning[0] != '\0' && row->mend[0] != '\0');
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(row->id, yk_checks[j].id);
        if (i > 0)
            assert_true(yk_checks[i - 1].severity >= row->severity);
    }
}

/* Fields of other types than Kubernetes has, and no objects at all. */
static void hostile_objects(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{}",
        "{\"metadata\":[]}",
        "{\"metadata\":{\"name\":{},\"namespace\":1,\"labels\":[1],\"annotations\":\"x\"},\"spec\":7,"
        "\"data\":[],\"webhooks\":{}}",
        "{\"metadata\":{\"name\":\"a\\u0000b\"},\"spec\":{\"template\":null,\"containers\":{},\"replicas\":"
        "\"x\"}}",
        "{\"webhooks\":[null,1,[],{\"name\":1,\"clientConfig\":[]}]}",
        "{\"spec\":{\"template\":{\"spec\":{\"containers\":[1,{\"env\":{},\"args\":[1,{},null]}]}},\"rules\":"
        "[1,{\"http\":{\"paths\":[2]}}]}}",
        "{\"gitVersion\":\"v1.\"}",
        "{\"subjects\":[null,{\"namespace\":[]}]}",
        "{\"spec\":{\"selector\":{\"matchLabels\":{\"app\":\"yunikorn\"}},\"endpoints\":[1,null]}}",
    };
    YK_CLEANUP(yk_migration_freep) struct yk_migration *migration = yk_migration_new("yk", "yunikorn");
    for (size_t t = 0; t < YK_COUNT(texts); t++) {
        for (int subject = 0; subject < YK_SUBJECT_VALUES; subject++)
            take(migration, (enum yk_subject)subject, NULL, texts[t], "hostile");
    }
    static const char *const none[] = {"", "[]", "1", "{\"a\":", "\xff"};
    struct yk_err err;
    for (size_t t = 0; t < YK_COUNT(none); t++)
        assert_int_not_equal(yk_migration_take(migration, YK_SUBJECT_POD, NULL, yk_str_from(none[t]), &err),
                             YK_OK);
    yk_migration_end(migration, true);
}

/* Placeholders of older releases have the id in another label. */
static void placeholders_are_deleted_by_their_label(void **state)
{
    (void)state;
    static const struct {
        const char *metadata, *want;
    } lone[] = {{OF_APP("a") PLACEHOLDER,
                 "kubectl -n n delete pods -l yunikorn.apache.org/app-id=a --field-selector "
                 "status.phase!=Succeeded,status.phase!=Failed"},
                {",\"labels\":{\"applicationId\":\"a\"}" PLACEHOLDER,
                 "kubectl -n n delete pods -l applicationId=a --field-selector "
                 "status.phase!=Succeeded,status.phase!=Failed"},
                {",\"annotations\":{\"yunikorn.apache.org/app-id\":\"a\","
                 "\"internal.yunikorn.apache.org/placeholder\":\"true\"}",
                 ""}};
    for (size_t i = 0; i < YK_COUNT(lone); i++) {
        YK_CLEANUP(yk_migration_freep) struct yk_migration *migration = yk_migration_new("yk", "yunikorn");
        char pod[512];
        (void)snprintf(pod, sizeof(pod),
                       "{\"metadata\":{\"namespace\":\"n\",\"name\":\"p\"%s},\"spec\":{" BOUND
                       "},\"status\":{\"phase\":\"Running\"}}",
                       lone[i].metadata);
        take(migration, YK_SUBJECT_POD, NULL, pod, "a placeholder");
        yk_migration_end(migration, true);
        const struct yk_findings *findings = yk_migration_findings(migration);
        const char *command = NULL;
        for (size_t j = 0; j < findings->count; j++) {
            if (strcmp(findings->items[j]->check->id, "placeholders-alone") == 0)
                command = findings->items[j]->command;
        }
        assert_non_null(command);
        assert_string_equal(command, lone[i].want);
    }
}

/* What a name can hold must not become part of a command. */
static void names_are_words_of_a_shell(void **state)
{
    (void)state;
    static const struct step service = {YK_SUBJECT_OWNED, "Service", "{" META("a;$(b)'c", "") "}"};
    YK_CLEANUP(yk_migration_freep) struct yk_migration *migration = yk_migration_new("yk", "it's");
    take(migration, service.subject, service.kind, service.json, "a name");
    const struct yk_findings *findings = yk_migration_findings(migration);
    assert_int_equal(findings->count, 1);
    assert_non_null(strstr(findings->items[0]->command, " 'service/a;$(b)'\\''c' "));
    assert_non_null(strstr(findings->items[0]->command, "release-name='it'\\''s' "));
}

/* Facts have bounds: the 50,001st pod takes what the others took. */
static void many_objects_take_bounded_memory(void **state)
{
    (void)state;
    YK_CLEANUP(yk_migration_freep) struct yk_migration *migration = yk_migration_new("yk", "yunikorn");
    struct yk_findings *findings = yk_migration_findings(migration);
    size_t after_first = 0;
    for (int i = 0; i < 1000; i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf json = {0};
        yk_buf_printf(&json,
                      "{\"metadata\":{\"namespace\":\"n\",\"name\":\"p%d\"" OF_APP("a") "},\"spec\":{}}", i);
        take(migration, YK_SUBJECT_POD, NULL, yk_buf_cstr(&json), "a pod");
        yk_buf_clear(&json);
        yk_buf_printf(
            &json,
            "{\"metadata\":{\"name\":\"c%d\"},\"webhooks\":[{\"name\":\"admission-webhook.yunikorn.%d\"}]}",
            i, i);
        take(migration, YK_SUBJECT_MUTATING, NULL, yk_buf_cstr(&json), "a webhook");
        if (i == YK_FINDINGS_PER_CHECK_MAX)
            after_first = yk_arena_bytes(&findings->arena);
    }
    assert_int_equal(findings->count, YK_FINDINGS_PER_CHECK_MAX);
    assert_int_equal(yk_findings_of(findings, YK_SEVERITY_WARNING), 1000);
    assert_int_equal(yk_arena_bytes(&findings->arena), after_first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_check_fires_and_does_not),
        cmocka_unit_test(every_row_has_a_case),
        cmocka_unit_test(ids_are_unique_and_rows_complete),
        cmocka_unit_test(hostile_objects),
        cmocka_unit_test(placeholders_are_deleted_by_their_label),
        cmocka_unit_test(names_are_words_of_a_shell),
        cmocka_unit_test(many_objects_take_bounded_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
