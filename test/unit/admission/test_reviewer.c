/* SPDX-License-Identifier: Apache-2.0 */
/* Decisions about pods, workloads and configurations (docs/reference/admission.md), as an API server would
 * see them. */
#include "admission/reviewer.h"

#include "admission/apply_patch.h"
#include "cache/objects.h"

#include "cache/cmocka_headers.h"

#define USER_INFO "yunikorn.apache.org/user.info"
#define APP_ID    "yunikorn.apache.org/app-id"
#define QUEUE     "yunikorn.apache.org/queue"
#define PREEMPT   "yunikorn.apache.org/allow-preemption"
#define ENABLE    "yunikorn.apache.org/namespace.enableYuniKorn"
#define GENERATE  "yunikorn.apache.org/namespace.generateAppId"
#define ANN_INFO  "{\"user\":\"ann\",\"groups\":[\"staff\",\"system:authenticated\"]}"
#define CRON_USER "system:serviceaccount:kube-system:cronjob-controller"

static struct yk_reviewer *reviewer;
static int version;

static const char *next_version(void)
{
    static char text[16];
    (void)snprintf(text, sizeof(text), "%d", ++version);
    return text;
}

static void observe(void *object)
{
    struct yk_object *o = object;
    yk_reviewer_observe(reviewer, o->kind, YK_WATCH_UPSERT, o);
}

static void set(const char *key, const char *value)
{
    struct yk_config_map *map = make_config_map("yunikorn", "yunikorn-configs", next_version());
    add_pair(&map->object, &map->data, key, value);
    observe(map);
}

static void annotate_namespace(const char *name, const char *key, const char *value)
{
    struct yk_namespace *namespace_ = make_namespace(name, next_version());
    add_pair(&namespace_->object, &namespace_->object.annotations, key, value);
    observe(namespace_);
}

static int set_up(void **state)
{
    (void)state;
    reviewer = yk_reviewer_new("yunikorn");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    yk_reviewer_free(reviewer);
    return 0;
}

/* ---- a request and its answer ---- */

struct request {
    const char *what, *operation, *kind, *namespace_, *user, *object, *old_object;
};

struct answer {
    bool allowed, patched;
    char reason[1024];
    json_t *object; /* as it would be stored */
    json_t *json;
};

static void answer_done(struct answer *answer)
{
    json_decref(answer->object);
    json_decref(answer->json);
}

static struct answer parse(const char *what, struct yk_str text, json_t *object)
{
    struct answer answer = {.object = json_incref(object)};
    json_error_t why;
    answer.json = json_loadb(text.p, text.len, 0, &why);
    if (answer.json == NULL)
        fail_msg("%s: %s: " YK_STR_FMT, what, why.text, YK_STR_ARG(text));
    assert_string_equal(json_string_value(json_object_get(answer.json, "apiVersion")), "admission.k8s.io/v1");
    assert_string_equal(json_string_value(json_object_get(answer.json, "kind")), "AdmissionReview");
    const json_t *response = json_object_get(answer.json, "response");
    answer.allowed = json_is_true(json_object_get(response, "allowed"));
    const char *message = json_string_value(json_object_get(json_object_get(response, "status"), "message"));
    (void)snprintf(answer.reason, sizeof(answer.reason), "%s", message != NULL ? message : "");
    const char *encoded = json_string_value(json_object_get(response, "patch"));
    if (encoded == NULL)
        return answer;
    YK_CLEANUP(yk_buf_done) struct yk_buf patch = {0};
    struct yk_err err;
    assert_true(answer.allowed);
    assert_string_equal(json_string_value(json_object_get(response, "patchType")), "JSONPatch");
    assert_int_equal(yk_base64_decode(yk_str_from(encoded), &patch, &err), YK_OK);
    const char *wrong = apply_patch(&answer.object, yk_buf_view(&patch));
    if (wrong != NULL)
        fail_msg("%s: %s: %s", what, wrong, yk_buf_cstr(&patch));
    answer.patched = true;
    return answer;
}

static json_t *load(const char *what, const char *text)
{
    json_error_t why;
    if (text == NULL)
        return json_null();
    json_t *json = json_loads(text, 0, &why);
    if (json == NULL)
        fail_msg("%s: %s in %s", what, why.text, text);
    return json;
}

static struct answer ask_at(enum yk_review_path path, const struct request *request)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
    json_t *object = load(request->what, request->object);
    json_t *groups = json_pack("[ss]", "staff", "system:authenticated");
    const char *user = request->user != NULL ? request->user : "ann";
    json_t *review = json_pack(
        "{s:s, s:s, s:{s:s, s:{s:s, s:s, s:s}, s:s, s:s, s:{s:s, s:o}, s:O, s:o, s:b}}", "kind",
        "AdmissionReview", "apiVersion", "admission.k8s.io/v1", "request", "uid", "uid-1", "kind", "group",
        "", "version", "v1", "kind", request->kind != NULL ? request->kind : "Pod", "namespace",
        request->namespace_ != NULL ? request->namespace_ : "ns", "operation",
        request->operation != NULL ? request->operation : "CREATE", "userInfo", "username", user, "groups",
        groups, "object", object, "oldObject", load(request->what, request->old_object), "dryRun", 0);
    char *text = json_dumps(review, JSON_COMPACT);
    yk_reviewer_review(reviewer, path, yk_str_from(text), &out);
    struct answer answer = parse(request->what, yk_buf_view(&out), object);
    assert_string_equal(json_string_value(json_object_get(json_object_get(answer.json, "response"), "uid")),
                        "uid-1");
    free(text);
    json_decref(review);
    json_decref(object);
    return answer;
}

static struct answer ask(const struct request *request)
{
    return ask_at(YK_REVIEW_MUTATE, request);
}

static struct answer create(const char *object)
{
    return ask(&(struct request){.what = object, .object = object});
}

/* A text of the object; "" where there is none. `map`: "labels" or "annotations". */
static const char *entry(const struct answer *answer, const char *map, const char *key)
{
    const char *text = json_string_value(
        json_object_get(json_object_get(json_object_get(answer->object, "metadata"), map), key));
    return text != NULL ? text : "";
}

static const char *scheduler(const struct answer *answer)
{
    const char *text =
        json_string_value(json_object_get(json_object_get(answer->object, "spec"), "schedulerName"));
    return text != NULL ? text : "";
}

#define CHECK_POD(answer, scheduler_, app, old_app, user, preempt)                                           \
    do {                                                                                                     \
        assert_true((answer).allowed);                                                                       \
        assert_string_equal(scheduler(&(answer)), (scheduler_));                                             \
        assert_string_equal(entry(&(answer), "labels", APP_ID), (app));                                      \
        assert_string_equal(entry(&(answer), "labels", "applicationId"), (old_app));                         \
        assert_string_equal(entry(&(answer), "annotations", USER_INFO), (user));                             \
        assert_string_equal(entry(&(answer), "annotations", PREEMPT), (preempt));                            \
        answer_done(&(answer));                                                                              \
    } while (0)

/* ---- pods: CREATE (5.4) ---- */

static void a_plain_pod(void **state)
{
    (void)state;
    struct answer answer =
        create("{\"metadata\":{\"generateName\":\"p-\"},\"spec\":{\"schedulerName\":\"default-scheduler\"}}");
    CHECK_POD(answer, "yunikorn", "yunikorn-ns-autogen", "yunikorn-ns-autogen", ANN_INFO, "true");
    answer = create("{\"spec\":{}, \"metadata\":{\"labels\":null,\"annotations\":null}}");
    CHECK_POD(answer, "yunikorn", "yunikorn-ns-autogen", "yunikorn-ns-autogen", ANN_INFO, "true");
    answer =
        create("{\"metadata\":{\"labels\":{\"a/b\":\"1\"},\"annotations\":{\"c/d\":\"2\"}},\"spec\":{}}");
    assert_string_equal(entry(&answer, "labels", "a/b"), "1"); /* what was there stays */
    assert_string_equal(entry(&answer, "annotations", "c/d"), "2");
    CHECK_POD(answer, "yunikorn", "yunikorn-ns-autogen", "yunikorn-ns-autogen", ANN_INFO, "true");
}

static void names_that_a_pod_has(void **state)
{
    (void)state;
    struct answer answer =
        create("{\"metadata\":{\"labels\":{\"" APP_ID "\":\"x\",\"" QUEUE "\":\"root.q\"}},\"spec\":{}}");
    assert_string_equal(entry(&answer, "labels", "queue"), "root.q");
    CHECK_POD(answer, "yunikorn", "x", "x", ANN_INFO, "true");
    answer = create("{\"metadata\":{\"labels\":{\"applicationId\":\"old\"}},\"spec\":{}}");
    CHECK_POD(answer, "yunikorn", "", "old", ANN_INFO, "true");
    answer = create("{\"metadata\":{\"labels\":{\"spark-app-selector\":\"s\"}},\"spec\":{}}");
    CHECK_POD(answer, "yunikorn", "", "", ANN_INFO, "true");
    answer = create("{\"metadata\":{\"annotations\":{\"" APP_ID "\":\"a\"}},\"spec\":{}}");
    CHECK_POD(answer, "yunikorn", "", "", ANN_INFO, "true");
}

static void unique_ids(void **state)
{
    (void)state;
    set("admissionController.filtering.generateUniqueAppId", "true");
    struct answer answer = create("{\"metadata\":{},\"spec\":{}}");
    CHECK_POD(answer, "yunikorn", "ns-uniqueautogen", "ns-uniqueautogen", ANN_INFO, "true");
    answer = ask(&(struct request){.what = "long",
                                   .namespace_ = "a-namespace-with-a-name-of-forty-letters",
                                   .object = "{\"metadata\":{},\"spec\":{}}"});
    CHECK_POD(answer, "yunikorn", "a-namespace-with-a-name-of-uniqueautogen",
              "a-namespace-with-a-name-of-uniqueautogen", ANN_INFO, "true");
}

/* The API server names the namespace "" for objects without one. */
static void the_empty_namespace(void **state)
{
    (void)state;
    struct answer answer =
        ask(&(struct request){.what = "empty", .namespace_ = "", .object = "{\"metadata\":{},\"spec\":{}}"});
    CHECK_POD(answer, "yunikorn", "yunikorn-default-autogen", "yunikorn-default-autogen", ANN_INFO, "true");
}

static void own_pods_are_left_alone(void **state)
{
    (void)state;
    struct answer answer = create("{\"metadata\":{\"labels\":{\"app\":\"yunikorn\"}},\"spec\":{}}");
    assert_true(answer.allowed && !answer.patched);
    answer_done(&answer);
}

static void priority_classes_decide_about_preemption(void **state)
{
    (void)state;
    struct yk_priority_class *no = make_priority_class("no", next_version());
    add_pair(&no->object, &no->object.annotations, PREEMPT, "false");
    observe(no);
    struct yk_priority_class *odd = make_priority_class("odd", next_version());
    add_pair(&odd->object, &odd->object.annotations, PREEMPT, "False");
    observe(odd);
    static const struct {
        const char *object, *want;
    } cases[] = {
        {"{\"metadata\":{},\"spec\":{\"priorityClassName\":\"no\"}}", "false"},
        {"{\"metadata\":{},\"spec\":{\"priorityClassName\":\"odd\"}}", "true"},
        {"{\"metadata\":{},\"spec\":{\"priorityClassName\":\"unknown\"}}", "true"},
        {"{\"metadata\":{\"annotations\":{\"" PREEMPT
         "\":\"true\"}},\"spec\":{\"priorityClassName\":\"no\"}}",
         "true"},
        {"{\"metadata\":{\"annotations\":{\"" PREEMPT "\":\"yes\"}},\"spec\":{\"priorityClassName\":\"no\"}}",
         "false"},
        {"{\"metadata\":{\"annotations\":{\"" PREEMPT "\":\"false\"}},\"spec\":{}}", "false"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct answer answer = create(cases[i].object);
        assert_string_equal(entry(&answer, "annotations", PREEMPT), cases[i].want);
        answer_done(&answer);
    }
}

/* ---- namespaces (5.3) ---- */

static void namespaces_are_filtered(void **state)
{
    (void)state;
    static const struct {
        const char *key, *value; /* of the settings */
        const char *annotation, *said;
        const char *namespace_;
        bool processed, labelled;
    } cases[] = {
        {"a", "b", NULL, NULL, "ns", true, true},
        {"a", "b", NULL, NULL, "kube-system", false, false},
        {"a", "b", NULL, NULL, "kube-system-2", true, true},
        {"a", "b", ENABLE, "true", "kube-system", true, true},
        {"a", "b", ENABLE, "false", "ns", false, false},
        {"a", "b", ENABLE, "True", "ns", false, false},
        {"a", "b", ENABLE, "", "ns", false, false},
        {"a", "b", GENERATE, "false", "ns", true, false},
        {"a", "b", GENERATE, "true", "ns", true, true},
        {"admissionController.filtering.processNamespaces", "^dev-, ,^ns$", NULL, NULL, "ns", true, true},
        {"admissionController.filtering.processNamespaces", "^dev-, ,^ns$", NULL, NULL, "other", false,
         false},
        {"admissionController.filtering.processNamespaces", "^dev-", ENABLE, "true", "other", true, true},
        {"admissionController.filtering.bypassNamespaces", "^ns$", NULL, NULL, "ns", false, false},
        {"admissionController.filtering.bypassNamespaces", "", NULL, NULL, "kube-system", true, true},
        {"admissionController.filtering.bypassNamespaces", "(", NULL, NULL, "kube-system", false, false},
        {"admissionController.filtering.labelNamespaces", "^dev-", NULL, NULL, "ns", true, false},
        {"admissionController.filtering.labelNamespaces", "^dev-", NULL, NULL, "dev-1", true, true},
        {"admissionController.filtering.labelNamespaces", "^dev-", GENERATE, "true", "ns", true, true},
        {"admissionController.filtering.noLabelNamespaces", "s", NULL, NULL, "ns", true, false},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        assert_int_equal(tear_down(state), 0);
        assert_int_equal(set_up(state), 0);
        set(cases[i].key, cases[i].value);
        if (cases[i].annotation != NULL)
            annotate_namespace(cases[i].namespace_, cases[i].annotation, cases[i].said);
        struct answer answer = ask(&(struct request){.what = cases[i].key,
                                                     .namespace_ = cases[i].namespace_,
                                                     .object = "{\"metadata\":{},\"spec\":{}}"});
        bool processed = strcmp(scheduler(&answer), "yunikorn") == 0;
        bool labelled = *entry(&answer, "labels", APP_ID) != '\0';
        bool has_user = *entry(&answer, "annotations", USER_INFO) != '\0';
        if (!answer.allowed || processed != cases[i].processed || labelled != cases[i].labelled ||
            has_user != processed)
            fail_msg("case %zu: %s %s: %d %d %d", i, cases[i].key, cases[i].namespace_, processed, labelled,
                     has_user);
        answer_done(&answer);
    }
}

static void namespaces_and_settings_change(void **state)
{
    (void)state;
    const struct request request = {.what = "change", .object = "{\"metadata\":{},\"spec\":{}}"};
    annotate_namespace("ns", ENABLE, "false");
    struct answer answer = ask(&request);
    assert_false(answer.patched);
    answer_done(&answer);
    struct yk_namespace *gone = make_namespace("ns", next_version());
    yk_reviewer_observe(reviewer, YK_KIND_NAMESPACE, YK_WATCH_DELETED, &gone->object);
    answer = ask(&request);
    assert_true(answer.patched);
    answer_done(&answer);
    set("admissionController.filtering.bypassNamespaces", "ns");
    answer = ask(&request);
    assert_false(answer.patched);
    answer_done(&answer);
    set("other", "x");
    answer = ask(&request);
    assert_true(answer.patched);
    answer_done(&answer);
}

/* ---- users (5.4, 5.5) ---- */

#define FORGED                                                                                               \
    "{\"metadata\":{\"annotations\":{\"" USER_INFO "\":\"{\\\"user\\\":\\\"root\\\"}\"}},\"spec\":{}}"
#define BROKEN          "{\"metadata\":{\"annotations\":{\"" USER_INFO "\":\"root\"}},\"spec\":{}}"
#define TEMPLATE(inner) "{\"metadata\":{},\"spec\":{\"template\":" inner "}}"
#define CRON(inner)     "{\"metadata\":{},\"spec\":{\"jobTemplate\":{\"spec\":{\"template\":" inner "}}}}"
#define PLAIN           "{\"metadata\":{},\"spec\":{}}"
#define REFUSED         "is not allowed to set user annotation"

static void who_may_name_a_user(void **state)
{
    (void)state;
    static const struct {
        const char *key, *value;
        struct request request;
        const char *reason; /* NULL: allowed */
    } cases[] = {
        {"a",
         "b",
         {"a user", .object = FORGED},
         "user ann with groups [staff,system:authenticated] " REFUSED},
        {"a", "b", {"in kube-system as well", .namespace_ = "kube-system", .object = FORGED}, REFUSED},
        {"a",
         "b",
         {"with the label of own pods as well",
          .object = "{\"metadata\":{\"labels\":{\"app\":\"yunikorn\"},\"annotations\":{\"" USER_INFO
                    "\":\"{}\"}}}"},
         REFUSED},
        {"a", "b", {"a controller", .user = CRON_USER, .object = FORGED}, NULL},
        {"a", "b", {"a controller, broken", .user = CRON_USER, .object = BROKEN}, "is not valid"},
        {"admissionController.accessControl.trustControllers",
         "false",
         {"a controller", .user = CRON_USER, .object = FORGED},
         REFUSED},
        {"admissionController.accessControl.trustControllers",
         "nonsense",
         {"a controller", .user = CRON_USER, .object = FORGED},
         NULL},
        {"admissionController.accessControl.systemUsers",
         "^nobody$",
         {"a controller", .user = CRON_USER, .object = FORGED},
         REFUSED},
        {"admissionController.accessControl.externalUsers",
         "^ann$",
         {"a listed user", .object = FORGED},
         NULL},
        {"admissionController.accessControl.externalUsers",
         "^an$",
         {"another user", .object = FORGED},
         REFUSED},
        {"admissionController.accessControl.externalGroups",
         "^staff$",
         {"a listed group", .object = FORGED},
         NULL},
        {"admissionController.accessControl.bypassAuth", "true", {"no check", .object = BROKEN}, NULL},
        {"a", "b", {"a template", .kind = "Deployment", .object = TEMPLATE(FORGED)}, REFUSED},
        {"a", "b", {"a CronJob", .kind = "CronJob", .object = CRON(FORGED)}, REFUSED},
        {"a",
         "b",
         {"a template in kube-system", .kind = "Job", .namespace_ = "kube-system",
          .object = TEMPLATE(FORGED)},
         REFUSED},
        {"a",
         "b",
         {"a Job of a CronJob", .kind = "Job", .user = CRON_USER, .object = TEMPLATE(FORGED)},
         NULL},
        {"a",
         "b",
         {"a new user in a template", "UPDATE", "Deployment", NULL, NULL, TEMPLATE(FORGED), TEMPLATE(PLAIN)},
         REFUSED},
        {"a",
         "b",
         {"the same user in a template", "UPDATE", "Deployment", NULL, NULL, TEMPLATE(FORGED),
          TEMPLATE(FORGED)},
         NULL},
        {"a",
         "b",
         {"no user in a template any more", "UPDATE", "Deployment", NULL, NULL, TEMPLATE(PLAIN),
          TEMPLATE(FORGED)},
         NULL},
        {"a",
         "b",
         {"a new user in a CronJob", "UPDATE", "CronJob", NULL, NULL, CRON(FORGED), CRON(BROKEN)},
         REFUSED},
        {"admissionController.accessControl.bypassAuth",
         "true",
         {"no check", "UPDATE", "Deployment", NULL, NULL, TEMPLATE(FORGED), TEMPLATE(PLAIN)},
         NULL},
        {"a",
         "b",
         {"another user in a pod", "UPDATE", "Pod", NULL, NULL, FORGED, BROKEN},
         "user info annotation change is not allowed"},
        {"a",
         "b",
         {"a user in a pod without", "UPDATE", "Pod", NULL, NULL, FORGED, PLAIN},
         "change is not allowed"},
        {"a",
         "b",
         {"no user in a pod any more", "UPDATE", "Pod", NULL, NULL, PLAIN, FORGED},
         "change is not allowed"},
        {"a",
         "b",
         {"also in kube-system", "UPDATE", "Pod", "kube-system", NULL, FORGED, PLAIN},
         "change is not allowed"},
        {"a", "b", {"the same user in a pod", "UPDATE", "Pod", NULL, NULL, FORGED, FORGED}, NULL},
        {"admissionController.accessControl.bypassAuth",
         "true",
         {"no check", "UPDATE", "Pod", NULL, NULL, FORGED, PLAIN},
         NULL},
        {"a", "b", {"a deletion", "DELETE", "Pod", NULL, NULL, NULL, FORGED}, NULL},
        {"a", "b", {"another kind", .kind = "Service", .object = FORGED}, NULL},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        assert_int_equal(tear_down(state), 0);
        assert_int_equal(set_up(state), 0);
        set(cases[i].key, cases[i].value);
        struct answer answer = ask(&cases[i].request);
        bool allowed = cases[i].reason == NULL;
        if (answer.allowed != allowed || (!allowed && strstr(answer.reason, cases[i].reason) == NULL))
            fail_msg("%s (%s): %d %s", cases[i].request.what, cases[i].value, answer.allowed, answer.reason);
        answer_done(&answer);
    }
}

static void without_checks_no_user_is_written(void **state)
{
    (void)state;
    set("admissionController.accessControl.bypassAuth", "true");
    struct answer answer = create("{\"metadata\":{},\"spec\":{}}");
    CHECK_POD(answer, "yunikorn", "yunikorn-ns-autogen", "yunikorn-ns-autogen", "", "true");
    answer = ask(&(struct request){.what = "template", .kind = "Deployment", .object = TEMPLATE(PLAIN)});
    assert_true(answer.allowed && !answer.patched);
    answer_done(&answer);
}

static const char *template_user(const struct answer *answer, bool is_cron)
{
    const json_t *spec = json_object_get(answer->object, "spec");
    if (is_cron)
        spec = json_object_get(json_object_get(spec, "jobTemplate"), "spec");
    const json_t *metadata = json_object_get(json_object_get(spec, "template"), "metadata");
    const char *text =
        json_string_value(json_object_get(json_object_get(metadata, "annotations"), USER_INFO));
    return text != NULL ? text : "";
}

static void templates_get_the_user(void **state)
{
    (void)state;
    static const struct {
        struct request request;
        const char *want;
    } cases[] = {
        {{"Deployment", .kind = "Deployment", .object = TEMPLATE(PLAIN)}, ANN_INFO},
        {{"StatefulSet", .kind = "StatefulSet", .object = TEMPLATE(PLAIN)}, ANN_INFO},
        {{"DaemonSet", .kind = "DaemonSet", .object = TEMPLATE(PLAIN)}, ANN_INFO},
        {{"ReplicaSet", .kind = "ReplicaSet", .object = TEMPLATE(PLAIN)}, ANN_INFO},
        {{"Job", .kind = "Job", .object = TEMPLATE("{\"spec\":{}}")}, ANN_INFO},
        {{"CronJob", .kind = "CronJob", .object = CRON(PLAIN)}, ANN_INFO},
        {{"of a Deployment", .kind = "ReplicaSet",
          .user = "system:serviceaccount:kube-system:deployment-controller", .object = TEMPLATE(PLAIN)},
         ""},
        {{"not processed", .kind = "Deployment", .namespace_ = "kube-system", .object = TEMPLATE(PLAIN)}, ""},
        {{"own", .kind = "Deployment",
          .object = TEMPLATE("{\"metadata\":{\"labels\":{\"app\":\"yunikorn\"}},\"spec\":{}}")},
         ""},
        {{"no labels", .kind = "Deployment", .namespace_ = "bare", .object = TEMPLATE(PLAIN)}, ""},
        {{"no labels, with an id", .kind = "Deployment", .namespace_ = "bare",
          .object = TEMPLATE("{\"metadata\":{\"labels\":{\"" APP_ID "\":\"x\"}},\"spec\":{}}")},
         ANN_INFO},
        {{"an update", "UPDATE", "Deployment", NULL, NULL, TEMPLATE(PLAIN), TEMPLATE(PLAIN)}, ""},
        {{"no template", .kind = "Deployment", .object = "{\"spec\":{}}"}, ""},
        {{"no object in the template", .kind = "Deployment", .object = "{\"spec\":{\"template\":7}}"}, ""},
    };
    set("admissionController.filtering.noLabelNamespaces", "^bare$");
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct answer answer = ask(&cases[i].request);
        const char *user = template_user(&answer, strcmp(cases[i].request.kind, "CronJob") == 0);
        if (!answer.allowed || strcmp(user, cases[i].want) != 0)
            fail_msg("%s: %s %s", cases[i].request.what, user, answer.reason);
        answer_done(&answer);
    }
}

/* ---- configurations (5.6) ---- */

#define MAP(name, data)                                                                                      \
    "{\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" name                                                 \
    "\",\"namespace\":\"yunikorn\"},\"data\":{" data "}}"
#define QUEUES_YAML "\"queues.yaml\":\"partitions: [{name: default, queues: [{name: root}]}]\""

static void configurations_are_checked(void **state)
{
    (void)state;
    static const struct {
        const char *what, *namespace_, *object, *reason; /* NULL: allowed */
    } cases[] = {
        {"fine", "yunikorn", MAP("yunikorn-configs", QUEUES_YAML), NULL},
        {"no queues", "yunikorn", MAP("yunikorn-configs", ""), NULL},
        {"not YAML", "yunikorn", MAP("yunikorn-configs", "\"queues.yaml\":\"a: [\""), "queues.yaml: "},
        {"a faulty queue", "yunikorn",
         MAP("yunikorn-configs",
             "\"queues.yaml\":\"partitions: [{name: default, queues: [{name: 'a b'}]}]\""),
         "a b"},
        {"a faulty rule", "yunikorn",
         MAP("yunikorn-configs", "\"queues.yaml\":\"partitions: [{name: default, placementrules: [{name: "
                                 "none}], queues: [{name: root}]}]\""),
         "none"},
        {"in the defaults", "yunikorn", MAP("yunikorn-defaults", "\"queues.yaml\":\"a: [\""),
         "queues.yaml: "},
        {"a faulty setting", "yunikorn", MAP("yunikorn-configs", "\"service.web.port\":\"many\""),
         "service.web.port"},
        {"of another policy group", "yunikorn",
         MAP("yunikorn-configs", "\"service.policyGroup\":\"other\",\"queues.yaml\":\"a: [\""), NULL},
        {"the queues of the policy group", "yunikorn",
         MAP("yunikorn-configs", "\"service.policyGroup\":\"other\",\"other.yaml\":\"a: [\""),
         "other.yaml: "},
        {"another map", "yunikorn", MAP("other", "\"queues.yaml\":\"a: [\""), NULL},
        {"another namespace", "ns", MAP("yunikorn-configs", "\"queues.yaml\":\"a: [\""), NULL},
        {"not a ConfigMap", "yunikorn",
         "{\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"yunikorn-configs\"},\"data\":7}",
         "ConfigMap yunikorn/yunikorn-configs"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        const struct request request = {.what = cases[i].what,
                                        .kind = "ConfigMap",
                                        .namespace_ = cases[i].namespace_,
                                        .object = cases[i].object};
        struct answer answer = ask_at(YK_REVIEW_VALIDATE_CONF, &request);
        bool allowed = cases[i].reason == NULL;
        if (answer.allowed != allowed || (!allowed && strstr(answer.reason, cases[i].reason) == NULL) ||
            answer.patched)
            fail_msg("%s: %d %s", cases[i].what, answer.allowed, answer.reason);
        answer_done(&answer);
    }
}

/* A map is checked together with the other one, as the scheduler reads them. */
static void both_maps_count(void **state)
{
    (void)state;
    set("service.policyGroup", "other");
    struct request request = {.what = "hidden",
                              .kind = "ConfigMap",
                              .namespace_ = "yunikorn",
                              .object = MAP("yunikorn-defaults", "\"queues.yaml\":\"a: [\"")};
    struct answer answer = ask_at(YK_REVIEW_VALIDATE_CONF, &request);
    assert_true(answer.allowed);
    answer_done(&answer);
    request.object = MAP("yunikorn-defaults", "\"other.yaml\":\"a: [\"");
    answer = ask_at(YK_REVIEW_VALIDATE_CONF, &request);
    assert_false(answer.allowed);
    answer_done(&answer);
}

static void warnings_are_passed_on(void **state)
{
    (void)state;
    struct answer answer =
        ask_at(YK_REVIEW_VALIDATE_CONF,
               &(struct request){.what = "unknown",
                                 .kind = "ConfigMap",
                                 .namespace_ = "yunikorn",
                                 .object = MAP("yunikorn-configs", "\"service.unknown\":\"1\"")});
    const json_t *warnings = json_object_get(json_object_get(answer.json, "response"), "warnings");
    assert_true(answer.allowed);
    assert_int_equal(json_array_size(warnings), 1);
    assert_non_null(strstr(json_string_value(json_array_get(warnings, 0)), "service.unknown"));
    answer_done(&answer);
}

/* ---- hostile bodies ---- */

static struct answer send(const char *what, struct yk_str body)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
    yk_reviewer_review(reviewer, YK_REVIEW_MUTATE, body, &out);
    return parse(what, yk_buf_view(&out), NULL);
}

static void what_is_no_review_is_denied(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "",
        "{",
        "null",
        "[]",
        "7",
        "{}",
        "{\"request\":7}",
        "{\"request\":{}}",
        "{\"request\":{\"uid\":\"\"}}",
        "{\"request\":{\"uid\":7,\"kind\":{\"kind\":\"Pod\"},\"operation\":\"CREATE\"}}",
        "{\"request\":{\"uid\":\"u\",\"kind\":\"Pod\",\"operation\":\"CREATE\"}}",
        "{\"request\":{\"uid\":\"u\",\"kind\":{\"kind\":\"Pod\"}}}",
        "{\"request\":{\"uid\":\"u\",\"kind\":{\"kind\":\"Pod\"},\"operation\":\"CREATE\",\"userInfo\":{"
        "\"groups\":[7]}}}",
        "{\"request\":{\"uid\":\"u\",\"kind\":{\"kind\":\"Pod\"},\"operation\":\"CREATE\",\"userInfo\":{"
        "\"username\":\"a\\u0000b\"}}}",
        "{\"request\":{\"uid\":\"u\\u0000\",\"kind\":{\"kind\":\"Pod\"},\"operation\":\"CREATE\"}}",
    };
    for (size_t i = 0; i < YK_COUNT(bodies); i++) {
        struct answer answer = send(bodies[i], yk_str_from(bodies[i]));
        const char *uid = json_string_value(json_object_get(json_object_get(answer.json, "response"), "uid"));
        if (answer.allowed || strcmp(uid, "yunikorn-invalid-body") != 0 || answer.reason[0] == '\0')
            fail_msg("%s: %d %s %s", bodies[i], answer.allowed, uid, answer.reason);
        answer_done(&answer);
    }
    YK_CLEANUP(yk_buf_done) struct yk_buf deep = {0};
    for (int i = 0; i < 100000; i++)
        yk_buf_text(&deep, "{\"a\":[");
    struct answer answer = send("deep", yk_buf_view(&deep));
    assert_false(answer.allowed);
    answer_done(&answer);
    answer = send("bytes", (struct yk_str){"\xff\x00{", 3});
    assert_false(answer.allowed);
    answer_done(&answer);
}

/* Objects of other types than the API server sends. */
static void odd_objects(void **state)
{
    (void)state;
    static const char *const objects[] = {
        "{\"metadata\":7,\"spec\":{}}",
        "{\"metadata\":{\"labels\":[],\"annotations\":7},\"spec\":{}}",
        "{\"metadata\":{\"labels\":{\"app\":7,\"" APP_ID "\":{}},\"annotations\":{\"" USER_INFO
        "\":7}},\"spec\":{}}",
        "{\"metadata\":{},\"spec\":7}",
        "{}",
    };
    for (size_t i = 0; i < YK_COUNT(objects); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf body = {0}, out = {0};
        yk_buf_printf(&body,
                      "{\"request\":{\"uid\":\"u\",\"kind\":{\"kind\":\"Pod\"},\"operation\":\"CREATE\","
                      "\"object\":%s}}",
                      objects[i]);
        yk_reviewer_review(reviewer, YK_REVIEW_MUTATE, yk_buf_view(&body), &out);
        json_t *json = json_loads(yk_buf_cstr(&out), 0, NULL);
        assert_non_null(json);
        json_decref(json);
    }
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(a_plain_pod),
        CASE(names_that_a_pod_has),
        CASE(unique_ids),
        CASE(the_empty_namespace),
        CASE(own_pods_are_left_alone),
        CASE(priority_classes_decide_about_preemption),
        CASE(namespaces_are_filtered),
        CASE(namespaces_and_settings_change),
        CASE(who_may_name_a_user),
        CASE(without_checks_no_user_is_written),
        CASE(templates_get_the_user),
        CASE(configurations_are_checked),
        CASE(both_maps_count),
        CASE(warnings_are_passed_on),
        CASE(what_is_no_review_is_denied),
        CASE(odd_objects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
