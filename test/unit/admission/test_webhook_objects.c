/* SPDX-License-Identifier: Apache-2.0 */
/* docs/reference/admission-server.md, "Webhook configurations": what is compared, and what a repair keeps. */
#include "admission/webhook_objects.h"

#include <jansson.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const struct yk_webhook_settings
    plain = {.service = "webhook", .namespace_ = "team", .ca_bundle = {"PEM", 3}},
    guarding = {.service = "webhook", .namespace_ = "team", .ca_bundle = {"PEM", 3}, .is_guarding = true},
    outside = {
        .service = "webhook", .namespace_ = "team", .url = "https://10.0.0.1:9089", .ca_bundle = {"PEM", 3}};

/* The object that is to be written; NULL: nothing differs. */
static json_t *plan(enum yk_webhook_kind kind, const struct yk_webhook_settings *settings, json_t *current,
                    struct yk_err *why)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf body = {0};
    YK_CLEANUP(yk_freep) char *text = current != NULL ? json_dumps(current, 0) : NULL;
    struct yk_err err = {0};
    bool differs = false;
    if (yk_webhook_object_plan(kind, settings, yk_str_from(text), &differs, &body, why, &err) != YK_OK)
        fail_msg("%s", err.text);
    json_t *object = differs ? json_loads(yk_buf_cstr(&body), 0, NULL) : NULL;
    assert_true(differs == (object != NULL));
    return object;
}

/* As the API server would return it. */
static json_t *stored(enum yk_webhook_kind kind, const struct yk_webhook_settings *settings)
{
    struct yk_err why;
    json_t *object = plan(kind, settings, NULL, &why), *webhook;
    size_t i;
    json_object_set_new(json_object_get(object, "metadata"), "resourceVersion", json_string("7"));
    json_array_foreach(json_object_get(object, "webhooks"), i, webhook)
    {
        json_object_set_new(webhook, "timeoutSeconds", json_integer(10));
        json_object_set_new(webhook, "matchPolicy", json_string("Equivalent"));
        json_object_set_new(webhook, "namespaceSelector", json_object());
        json_object_set_new(webhook, "objectSelector", json_object());
    }
    return object;
}

/* By a path of keys and indexes: "webhooks/0/rules/0/apiGroups". */
static json_t *at(json_t *object, const char *path)
{
    struct yk_str rest = yk_str_from(path), part;
    while (object != NULL && yk_str_split(&rest, '/', &part)) {
        YK_CLEANUP(yk_freep) char *key = yk_str_dup(part);
        uint64_t index;
        object = yk_str_to_u64(part, &index) == YK_OK ? json_array_get(object, index)
                                                      : json_object_get(object, key);
    }
    return object;
}

static const char *text_at(json_t *object, const char *path)
{
    const char *text = json_string_value(at(object, path));
    return text != NULL ? text : "";
}

static void objects_are_those_of_1_9(void **state)
{
    (void)state;
    static const char mutating[] =
        "{'apiVersion': 'admissionregistration.k8s.io/v1', 'kind': 'MutatingWebhookConfiguration',"
        "'metadata': {'name': 'yunikorn-admission-controller-mutations', 'labels': {'app': 'yunikorn'}},"
        "'webhooks': [{'name': 'admission-webhook.yunikorn.mutate-pods', 'clientConfig': {'service': "
        "{'name': "
        "'webhook', 'namespace': 'team', 'path': '/mutate', 'port': 443}, 'caBundle': 'UEVN'},"
        "'rules': [{'operations': ['CREATE', 'UPDATE'], 'apiGroups': ['', 'apps', 'batch'], 'apiVersions': "
        "['v1'],"
        "'resources': ['pods', 'deployments', 'replicasets', 'statefulsets', 'daemonsets', 'jobs', "
        "'cronjobs'],"
        "'scope': '*'}], 'failurePolicy': 'Ignore', 'sideEffects': 'None', 'admissionReviewVersions': "
        "['v1']}]}";
    static const char validating[] =
        "{'apiVersion': 'admissionregistration.k8s.io/v1', 'kind': 'ValidatingWebhookConfiguration',"
        "'metadata': {'name': 'yunikorn-admission-controller-validations', 'labels': {'app': 'yunikorn'}},"
        "'webhooks': [{'name': 'admission-webhook.yunikorn.validate-conf', 'clientConfig': {'service': "
        "{'name': "
        "'webhook', 'namespace': 'team', 'path': '/validate-conf', 'port': 443}, 'caBundle': 'UEVN'},"
        "'rules': [{'operations': ['CREATE', 'UPDATE'], 'apiGroups': [''], 'apiVersions': ['v1'],"
        "'resources': ['configmaps'], 'scope': '*'}], 'failurePolicy': 'Ignore', 'sideEffects': 'None',"
        "'admissionReviewVersions': ['v1']}]}";
    static const char *const wants[] = {
        [YK_WEBHOOK_VALIDATING] = validating, [YK_WEBHOOK_MUTATING] = mutating};
    for (int kind = 0; kind < YK_WEBHOOK_KINDS; kind++) {
        YK_CLEANUP(yk_freep) char *text = yk_strdup(wants[kind]);
        for (char *c = text; *c != '\0'; c++)
            *c = *c == '\'' ? '"' : *c;
        struct yk_err why = {0};
        json_t *want = json_loads(text, 0, NULL), *got = plan((enum yk_webhook_kind)kind, &plain, NULL, &why);
        assert_non_null(want);
        if (!json_equal(want, got))
            fail_msg("%s", json_dumps(got, JSON_INDENT(1)));
        assert_string_equal(why.text, "it does not exist");
        json_decref(want);
        json_decref(got);
    }
}

static void a_guard_takes_what_the_other_one_leaves_out(void **state)
{
    (void)state;
    struct yk_err why;
    json_t *object = plan(YK_WEBHOOK_MUTATING, &guarding, NULL, &why);
    assert_int_equal(json_array_size(at(object, "webhooks")), 2);
    assert_string_equal(text_at(object, "webhooks/0/name"), "admission-webhook.yunikorn.guard-pods");
    assert_string_equal(text_at(object, "webhooks/0/failurePolicy"), "Fail");
    assert_string_equal(text_at(object, "webhooks/0/clientConfig/service/path"), "/mutate");
    assert_string_equal(text_at(object, "webhooks/1/name"), "admission-webhook.yunikorn.mutate-pods");
    assert_string_equal(text_at(object, "webhooks/1/failurePolicy"), "Ignore");
    const char *guard = text_at(object, "webhooks/0/matchConditions/0/expression");
    const char *other = text_at(object, "webhooks/1/matchConditions/0/expression");
    /* Of created objects: the same condition, negated. Updates are the guard's alone. */
    const char *created = strstr(guard, "request.operation == 'CREATE' ? "),
               *otherwise = strstr(guard, " : [");
    assert_non_null(created);
    assert_non_null(otherwise);
    const char *condition = created + strlen("request.operation == 'CREATE' ? ");
    char negated[8192];
    (void)snprintf(negated, sizeof(negated), "!%.*s%.*s)", (int)(created - guard), guard,
                   (int)(otherwise - condition), condition);
    assert_string_equal(other, negated);
    json_t *guards = json_deep_copy(at(object, "webhooks/0/rules/0"));
    assert_string_equal(text_at(guards, "operations/1"), "UPDATE");
    assert_int_equal(json_array_remove(json_object_get(guards, "operations"), 1), 0);
    assert_true(json_equal(guards, at(object, "webhooks/1/rules/0")));
    json_decref(guards);
    json_decref(object);
    object = plan(YK_WEBHOOK_VALIDATING, &guarding, NULL, &why);
    assert_int_equal(json_array_size(at(object, "webhooks")), 1);
    json_decref(object);
}

static void a_url_replaces_the_service(void **state)
{
    (void)state;
    struct yk_err why;
    json_t *object = plan(YK_WEBHOOK_MUTATING, &outside, NULL, &why);
    assert_string_equal(text_at(object, "webhooks/0/clientConfig/url"), "https://10.0.0.1:9089/mutate");
    assert_null(at(object, "webhooks/0/clientConfig/service"));
    json_t *before = stored(YK_WEBHOOK_MUTATING, &plain),
           *after = plan(YK_WEBHOOK_MUTATING, &outside, before, &why);
    assert_non_null(after);
    assert_null(at(after, "webhooks/0/clientConfig/service"));
    json_decref(before);
    json_decref(after);
    json_decref(object);
}

static void set(json_t *object, const char *path, const char *json)
{
    char parent[128];
    const char *slash = strrchr(path, '/'), *key = slash != NULL ? slash + 1 : path;
    (void)snprintf(parent, sizeof(parent), "%.*s", slash != NULL ? (int)(slash - path) : 0, path);
    json_t *in = slash != NULL ? at(object, parent) : object;
    uint64_t index;
    assert_non_null(in);
    if (json == NULL)
        assert_int_equal(json_object_del(in, key), 0);
    else if (yk_str_to_u64(yk_str_from(key), &index) == YK_OK)
        json_array_set_new(in, index, json_loads(json, JSON_DECODE_ANY, NULL));
    else
        json_object_set_new(in, key, json_loads(json, JSON_DECODE_ANY, NULL));
}

static void what_differs(void **state)
{
    (void)state;
    static const struct {
        const char *what, *path, *value; /* set in the stored object; NULL: deleted */
        const char *why;                 /* NULL: does not count */
    } cases[] = {
        {"a label of ours", "metadata/labels/app", "\"other\"", "the label app=yunikorn is missing"},
        {"no labels", "metadata/labels", NULL, "the label app=yunikorn is missing"},
        {"another label", "metadata/labels/team", "\"blue\"", NULL},
        {"an annotation", "metadata/annotations", "{\"a\": \"b\"}", NULL},
        {"no webhooks", "webhooks", NULL, "it has 0 webhooks instead of 1"},
        {"webhooks are no list", "webhooks", "{}", "it has 0 webhooks instead of 1"},
        {"a webhook is no object", "webhooks/0", "7", "name"},
        {"another name", "webhooks/0/name", "\"x.y.z\"", "name"},
        {"another service", "webhooks/0/clientConfig/service/name", "\"x\"", "clientConfig"},
        {"another namespace", "webhooks/0/clientConfig/service/namespace", "\"x\"", "clientConfig"},
        {"another path", "webhooks/0/clientConfig/service/path", "\"/\"", "clientConfig"},
        {"another port", "webhooks/0/clientConfig/service/port", "444", "clientConfig"},
        {"another authority", "webhooks/0/clientConfig/caBundle", "\"AAAA\"", "clientConfig"},
        {"a url instead", "webhooks/0/clientConfig", "{\"url\": \"https://x\"}", "clientConfig"},
        {"rules in another order", "webhooks/0/rules/0/apiGroups", "[\"apps\", \"\", \"batch\"]", "rules"},
        {"fewer operations", "webhooks/0/rules/0/operations", "[\"CREATE\"]", "rules"},
        {"fewer resources", "webhooks/0/rules/0/resources", "[\"pods\"]", "rules"},
        {"another failure policy", "webhooks/0/failurePolicy", "\"Fail\"", "failurePolicy"},
        {"other side effects", "webhooks/0/sideEffects", "\"NoneOnDryRun\"", "sideEffects"},
        {"other versions", "webhooks/0/admissionReviewVersions", "[\"v1beta1\"]", "admissionReviewVersions"},
        {"conditions that let everything pass", "webhooks/0/matchConditions",
         "[{\"name\": \"x\", \"expression\": \"false\"}]", "matchConditions"},
        {"an empty list of conditions", "webhooks/0/matchConditions", "[]", NULL},
        {"another time-out", "webhooks/0/timeoutSeconds", "5", NULL},
        {"a selector that a cluster adds", "webhooks/0/namespaceSelector",
         "{\"matchExpressions\": [{\"key\": \"control-plane\", \"operator\": \"DoesNotExist\"}]}", NULL},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_err why = {0}, none = {0};
        json_t *object = stored(YK_WEBHOOK_MUTATING, &plain);
        set(object, cases[i].path, cases[i].value);
        json_t *repaired = plan(YK_WEBHOOK_MUTATING, &plain, object, &why);
        if ((repaired != NULL) != (cases[i].why != NULL))
            fail_msg("%s: %s", cases[i].what, repaired != NULL ? why.text : "not noticed");
        if (repaired != NULL) {
            if (strstr(why.text, cases[i].why) == NULL)
                fail_msg("%s: %s", cases[i].what, why.text);
            if (strcmp(text_at(repaired, "metadata/resourceVersion"), "7") != 0)
                fail_msg("%s: not guarded by its version", cases[i].what);
            json_t *again = plan(YK_WEBHOOK_MUTATING, &plain, repaired, &none);
            if (again != NULL)
                fail_msg("%s: still differs: %s", cases[i].what, none.text);
        }
        json_decref(repaired);
        json_decref(object);
    }
}

static void a_repair_keeps_what_is_not_ours(void **state)
{
    (void)state;
    struct yk_err why;
    json_t *object = stored(YK_WEBHOOK_MUTATING, &plain);
    set(object, "metadata/annotations", "{\"team\": \"blue\"}");
    set(object, "metadata/labels/team", "\"blue\"");
    set(object, "webhooks/0/timeoutSeconds", "3");
    set(object, "webhooks/0/clientConfig/caBundle", "\"AAAA\"");
    /* From the ordinary webhook to two of them, and back. */
    json_t *two = plan(YK_WEBHOOK_MUTATING, &guarding, object, &why);
    assert_int_equal(json_array_size(at(two, "webhooks")), 2);
    assert_null(at(two, "webhooks/0/timeoutSeconds"));
    assert_int_equal(json_integer_value(at(two, "webhooks/1/timeoutSeconds")), 3);
    json_t *one = plan(YK_WEBHOOK_MUTATING, &plain, two, &why);
    assert_int_equal(json_array_size(at(one, "webhooks")), 1);
    assert_int_equal(json_integer_value(at(one, "webhooks/0/timeoutSeconds")), 3);
    assert_null(at(one, "webhooks/0/matchConditions"));
    assert_string_equal(text_at(one, "metadata/annotations/team"), "blue");
    assert_string_equal(text_at(one, "metadata/labels/team"), "blue");
    json_decref(one);
    json_decref(two);
    json_decref(object);
}

static void answers_that_are_no_object_are_errors(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "[]", "7", "{", "{}", "{\"metadata\": 7}", "null"};
    for (size_t i = 0; i < YK_COUNT(texts); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf body = {0};
        struct yk_err why = {0}, err = {0};
        bool differs = false;
        if (yk_webhook_object_plan(YK_WEBHOOK_VALIDATING, &plain, yk_str_from(texts[i]), &differs, &body,
                                   &why, &err) != YK_ERR_INVALID)
            fail_msg("'%s' was taken for an object", texts[i]);
        assert_non_null(strstr(err.text, "yunikorn-admission-controller-validations"));
        assert_int_equal(body.len, 0);
    }
}

static void versions_that_keep_conditions(void **state)
{
    (void)state;
    static const struct {
        const char *version;
        bool want;
    } cases[] = {
        {"", false},      {"v1.29.9", false}, {"v1.30.0", true}, {"v1.36.1-eks-1", true},
        {"v2.0.0", true}, {"1.36", false},    {"v1", false},     {"v0.0.0-master+$Format:%H$", false}};
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        if (yk_webhook_can_guard(cases[i].version) != cases[i].want)
            fail_msg("'%s'", cases[i].version);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_are_those_of_1_9),
        cmocka_unit_test(a_guard_takes_what_the_other_one_leaves_out),
        cmocka_unit_test(a_url_replaces_the_service),
        cmocka_unit_test(what_differs),
        cmocka_unit_test(a_repair_keeps_what_is_not_ours),
        cmocka_unit_test(answers_that_are_no_object_are_errors),
        cmocka_unit_test(versions_that_keep_conditions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
