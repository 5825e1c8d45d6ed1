/* SPDX-License-Identifier: Apache-2.0 */
/* Pod disruption budgets: what they select, and when they protect (kubernetes.md S27). */
#include "cache/budgets.h"

#include "api/json_reader.h"

#include "lib/cmocka_headers.h"

static void nothing_listed(void *c, enum yk_kind k)
{
    (void)c, (void)k;
}
static const struct yk_cache_observer deaf = {.listed = nothing_listed};

struct label {
    const char *key, *value;
};
static const struct label labels_of_pod[] = {{"app", "web"}, {"tier", ""}, {NULL, NULL}};

static struct yk_str look_up(const void *labels, struct yk_str key)
{
    for (const struct label *label = labels; label->key != NULL; label++) {
        if (yk_str_is(key, label->key))
            return yk_str_from(label->value);
    }
    return (struct yk_str){0};
}

static struct yk_object *budget_from(const char *name, const char *namespace_, const char *version,
                                     const char *rest)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    struct yk_err err = {0};
    struct yk_object *object = NULL;
    yk_buf_printf(&text,
                  "{\"metadata\":{\"name\":\"%s\",\"namespace\":\"%s\",\"uid\":\"uid-%s-%s\","
                  "\"resourceVersion\":\"%s\"}%s}",
                  name, namespace_, namespace_, name, version, rest);
    if (yk_object_from_json(YK_KIND_DISRUPTION_BUDGET, yk_buf_view(&text), &object, &err) != YK_OK)
        fail_msg("%s: %s", yk_buf_cstr(&text), err.text);
    return object;
}

static bool is_protected(const struct yk_cache *cache, const char *namespace_)
{
    return yk_cache_is_protected(cache, yk_str_from(namespace_), look_up, labels_of_pod);
}

static void selectors(void **state)
{
    static const struct {
        const char *selector;
        bool matches;
    } cases[] = {
        {"", false},
        {",\"spec\":{\"selector\":{}}", true},
        {",\"spec\":{\"selector\":{\"matchLabels\":{\"app\":\"web\"}}}", true},
        {",\"spec\":{\"selector\":{\"matchLabels\":{\"app\":\"web\",\"tier\":\"\"}}}", true},
        {",\"spec\":{\"selector\":{\"matchLabels\":{\"app\":\"web\",\"x\":\"\"}}}", false},
        {",\"spec\":{\"selector\":{\"matchLabels\":{\"app\":\"db\"}}}", false},
#define EXPRESSION(what) ",\"spec\":{\"selector\":{\"matchExpressions\":[{" what "}]}}"
        {EXPRESSION("\"key\":\"app\",\"operator\":\"In\",\"values\":[\"db\",\"web\"]"), true},
        {EXPRESSION("\"key\":\"x\",\"operator\":\"In\",\"values\":[\"db\",\"web\"]"), false},
        {EXPRESSION("\"key\":\"app\",\"operator\":\"NotIn\",\"values\":[\"db\"]"), true},
        {EXPRESSION("\"key\":\"app\",\"operator\":\"NotIn\",\"values\":[\"web\"]"), false},
        {EXPRESSION("\"key\":\"x\",\"operator\":\"NotIn\",\"values\":[\"web\"]"), true},
        {EXPRESSION("\"key\":\"tier\",\"operator\":\"Exists\""), true},
        {EXPRESSION("\"key\":\"x\",\"operator\":\"Exists\""), false},
        {EXPRESSION("\"key\":\"x\",\"operator\":\"DoesNotExist\""), true},
        {EXPRESSION("\"key\":\"tier\",\"operator\":\"DoesNotExist\""), false},
        {EXPRESSION("\"key\":\"tier\",\"operator\":\"exists\""), false},
    };
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_cache cache;
        yk_cache_init(&cache, &deaf, "y");
        yk_cache_apply(&cache, YK_KIND_DISRUPTION_BUDGET, YK_WATCH_UPSERT,
                       budget_from("b", "ns", "1", cases[i].selector));
        if (is_protected(&cache, "ns") != cases[i].matches)
            fail_msg("'%s'", cases[i].selector);
        yk_cache_done(&cache);
    }
}

/* Budgets of one name in two namespaces; each counts in its own, while it allows nothing. */
static void while_nothing_is_allowed(void **state)
{
    static const char used_up[] = ",\"spec\":{\"selector\":{}},\"status\":{\"disruptionsAllowed\":0}";
    static const char open[] = ",\"spec\":{\"selector\":{}},\"status\":{\"disruptionsAllowed\":1}";
    struct yk_cache cache;
    (void)state;
    yk_cache_init(&cache, &deaf, "y");
    yk_cache_apply(&cache, YK_KIND_DISRUPTION_BUDGET, YK_WATCH_UPSERT, budget_from("b", "one", "1", used_up));
    yk_cache_apply(&cache, YK_KIND_DISRUPTION_BUDGET, YK_WATCH_UPSERT, budget_from("b", "two", "1", open));
    assert_true(is_protected(&cache, "one"));
    assert_false(is_protected(&cache, "two"));
    assert_false(is_protected(&cache, "three"));
    yk_cache_apply(&cache, YK_KIND_DISRUPTION_BUDGET, YK_WATCH_UPSERT, budget_from("b", "two", "2", used_up));
    assert_true(is_protected(&cache, "two"));
    yk_cache_apply(&cache, YK_KIND_DISRUPTION_BUDGET, YK_WATCH_DELETED,
                   budget_from("b", "one", "3", used_up));
    assert_false(is_protected(&cache, "one"));
    assert_true(is_protected(&cache, "two"));
    yk_cache_done(&cache);
}

static const void *labels_at(const void *context, size_t index)
{
    const bool *same_namespace = context;
    return same_namespace[index] ? labels_of_pod : NULL;
}

/* Pods that end as well use the budget up; those of another namespace do not. */
static void others_use_it_up(void **state)
{
    static const char two[] = ",\"spec\":{\"selector\":{}},\"status\":{\"disruptionsAllowed\":2}";
    static const bool same_namespace[] = {true, false, true};
    struct yk_cache cache;
    (void)state;
    yk_cache_init(&cache, &deaf, "y");
    yk_cache_apply(&cache, YK_KIND_DISRUPTION_BUDGET, YK_WATCH_UPSERT, budget_from("b", "ns", "1", two));
    for (size_t count = 0; count <= YK_COUNT(same_namespace); count++) {
        const struct yk_budget_users users = {count, labels_at, same_namespace};
        bool used_up = yk_cache_is_protected_with(&cache, yk_str_from("ns"), look_up, labels_of_pod, &users);
        assert_int_equal(used_up, count == 3);
    }
    yk_cache_done(&cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(selectors),
                                       cmocka_unit_test(while_nothing_is_allowed),
                                       cmocka_unit_test(others_use_it_up)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
