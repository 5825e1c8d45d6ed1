/* SPDX-License-Identifier: Apache-2.0 */
/* yk_manifests_read(): the ConfigMaps in a text, whatever form it has. */
#include "config/manifest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define MAP(name) "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " name "}\n"

/* "name@line data(key@line=value ...) binary(...)", one map after the other. */
static void put_entries(struct yk_buf *out, const char *what, const struct yk_manifest_entries *entries)
{
    yk_buf_printf(out, " %s(", what);
    for (uint32_t i = 0; i < entries->count; i++)
        yk_buf_printf(out, "%s" YK_STR_FMT "@%u=" YK_STR_FMT, i > 0 ? " " : "",
                      YK_STR_ARG(entries->items[i].key), entries->items[i].line,
                      YK_STR_ARG(entries->items[i].value));
    yk_buf_char(out, ')');
}

static void put_manifests(struct yk_buf *out, const struct yk_manifests *manifests)
{
    for (uint32_t i = 0; i < manifests->count; i++) {
        const struct yk_manifest *map = &manifests->items[i];
        yk_buf_printf(out, "%s" YK_STR_FMT "@%u", i > 0 ? "; " : "", YK_STR_ARG(map->name), map->line);
        put_entries(out, "data", &map->data);
        if (map->binary_data.count > 0)
            put_entries(out, "binary", &map->binary_data);
    }
    if (manifests->count == 0)
        yk_buf_text(out, manifests->of_kubernetes ? "no ConfigMap" : "queues");
}

static void forms(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text, *want;
    } cases[] = {
        {"one manifest", MAP("a") "data:\n  q: |\n    x\n  s: '1'\n", "a@1 data(q@5=x\n s@7=1)"},
        {"without a name", "kind: ConfigMap\ndata: {q: x}\n", "@1 data(q@2=x)"},
        {"packed", MAP("a") "binaryData: {q.gz: aGk=}\n", "a@1 data() binary(q.gz@4=aGk=)"},
        {"no data", MAP("a") "data:\n", "a@1 data()"},
        {"data that is null", MAP("a") "data: null\n", "a@1 data()"},
        {"several documents", "---\n" MAP("a") "data: {q: x}\n---\n# none\n---\n" MAP("b") "data: {r: y}\n",
         "a@2 data(q@5=x); b@9 data(r@12=y)"},
        {"objects of other kinds between them",
         "apiVersion: v1\nkind: Secret\ndata: {q: x}\n---\n" MAP("a") "data: {q: y}\n", "a@5 data(q@8=y)"},
        {"a list",
         "apiVersion: v1\nkind: List\nitems:\n- {kind: Pod, apiVersion: v1}\n- kind: ConfigMap\n"
         "  metadata: {name: a}\n  data: {q: x}\n",
         "a@5 data(q@7=x)"},
        {"a list of ConfigMaps in JSON",
         "{\"kind\": \"ConfigMapList\", \"items\": [{\"kind\": \"ConfigMap\", \"data\": {\"q\": "
         "\"a\\nb\"}}]}",
         "@1 data(q@1=a\nb)"},
        {"a list of ConfigMaps as the API server writes it",
         "{\"kind\": \"ConfigMapList\", \"apiVersion\": \"v1\", \"items\": [{\"metadata\": {\"name\": "
         "\"a\"}, "
         "\"data\": {\"q\": \"x\"}}, {\"metadata\": {\"name\": \"b\"}}]}",
         "a@1 data(q@1=x); b@1 data()"},
        {"items of another kind", "kind: ConfigMapList\nitems: [x, {kind: Secret, data: {q: x}}]\n",
         "no ConfigMap"},
        {"a list of any kind", "kind: List\nitems: [{data: {q: x}}]\n", "no ConfigMap"},
        {"an anchor", "kind: ConfigMap\nmetadata: {name: &n a}\ndata: {q: *n}\n", "a@1 data(q@2=a)"},
        {"other kinds only", "apiVersion: v1\nkind: Secret\ndata: {q: x}\n", "no ConfigMap"},
        {"an empty list", "kind: List\n", "no ConfigMap"},
        {"queues", "partitions:\n- name: default\n", "queues"},
        {"a kind, but no object", "kind: Secret\n", "queues"},
        {"a list of values", "- kind: ConfigMap\n", "queues"},
        {"no YAML", "kind: ConfigMap\n\t: [", "queues"},
        {"nothing", "", "queues"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_manifests_done) struct yk_manifests manifests;
        YK_CLEANUP(yk_buf_done) struct yk_buf got = {.max = 4096};
        struct yk_err err = {0};
        if (yk_manifests_read(yk_str_from(cases[i].text), &manifests, &err) != YK_OK)
            fail_msg("%s: refused: %s", cases[i].what, err.text);
        put_manifests(&got, &manifests);
        if (strcmp(yk_buf_cstr(&got), cases[i].want) != 0)
            fail_msg("%s: got '%s'", cases[i].what, yk_buf_cstr(&got));
    }
}

static void refusals(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text, *want;
    } cases[] = {
        {"an entry that is no text", MAP("a") "data:\n  q: {partitions: []}\n",
         "line 5, column 6: entry 'q' of the ConfigMap must be a text, not a mapping"},
        {"data that is no mapping", MAP("a") "data: [q]\n",
         "line 4, column 7: 'data' of the ConfigMap must be"},
        {"data that is a text", MAP("a") "data: foo\n", "line 4, column 7: 'data' of the ConfigMap must be"},
        {"lists within lists",
         "{kind: List, items: [{kind: List, items: [{kind: List, items: [{kind: List, "
         "items: [{kind: List, items: [{kind: List, items: [{kind: List, items: [{kind: "
         "List, items: [{kind: List}]}]}]}]}]}]}]}]}",
         "more than 8 lists"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_manifests_done) struct yk_manifests manifests;
        struct yk_err err = {0};
        enum yk_status st = yk_manifests_read(yk_str_from(cases[i].text), &manifests, &err);
        if (st == YK_OK || strstr(err.text, cases[i].want) == NULL)
            fail_msg("%s: got '%s'", cases[i].what, err.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(forms), cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
