/* SPDX-License-Identifier: Apache-2.0 */
/* yk_config_unpack(): a ConfigMap gives the queues in it, any other text stays what it is. */
#include "config/config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define HEAD "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: yunikorn-configs}\n"

static void texts(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text, *want; /* NULL: refused */
        uint32_t line;
    } cases[] = {
        {"a block", "# who\n" HEAD "data:\n  queues.yaml: |\n    partitions:\n      - name: x\n",
         "partitions:\n  - name: x\n", 6},
        {"before it a document marker", "---\n" HEAD "data:\n  queues.yaml: 'partitions: []'\n",
         "partitions: []", 6},
        {"JSON", "{\"kind\": \"ConfigMap\", \"data\": {\"queues.yaml\": \"a:\\n  b\"}}", "a:\n  b", 1},
        {"another policy group",
         HEAD "data:\n  service.policyGroup: blue\n  blue.yaml: x\n  queues.yaml: y\n", "x", 6},
        {"an empty entry is there", HEAD "data:\n  queues.yaml: ''\n", "", 5},
        {"no data", HEAD, NULL, 0},
        {"no such entry", HEAD "data:\n  other.yaml: x\n", NULL, 0},
        {"an entry that is no text", HEAD "data:\n  queues.yaml: {partitions: []}\n", NULL, 0},
        {"data that is no mapping", HEAD "data: [queues.yaml, x]\n", NULL, 0},
        {"queues", "partitions:\n  - name: default\n", "partitions:\n  - name: default\n", 0},
        {"another kind", "kind: Secret\ndata:\n  queues.yaml: x\n", "kind: Secret\ndata:\n  queues.yaml: x\n",
         0},
        {"a list", "- kind: ConfigMap\n", "- kind: ConfigMap\n", 0},
        {"a kind without a value", "kind:\n", "kind:\n", 0},
        {"no YAML", "kind: ConfigMap\n\t: [", "kind: ConfigMap\n\t: [", 0},
        {"nothing", "", "", 0},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = YK_CONFIG_BYTES_MAX};
        struct yk_err err = {0};
        uint32_t line = 0;
        yk_buf_text(&text, cases[i].text);
        enum yk_status status = yk_config_unpack(&text, &line, &err);
        const char *want = cases[i].want != NULL ? cases[i].want : cases[i].text;
        if ((status == YK_OK) != (cases[i].want != NULL) || line != cases[i].line ||
            strcmp(yk_buf_cstr(&text), want) != 0)
            fail_msg("%s: status %d (%s), line %u, text '%s'", cases[i].what, (int)status, err.text, line,
                     yk_buf_cstr(&text));
        assert_true(status == YK_OK || strstr(err.text, "no text 'queues.yaml'") != NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(texts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
