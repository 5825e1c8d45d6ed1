/* SPDX-License-Identifier: Apache-2.0 */
/* Questions of the command line get a namespace, as objects do that kubectl creates. */
#include "cmd/whatif_question.h"
#include "whatif/question.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static void the_namespace_of_a_question(void **state)
{
    (void)state;
    static const struct {
        const char *what, *question, *want; /* want NULL: the question does not change */
    } cases[] = {
        {"a pod", "kind: Pod\nmetadata: {name: p}\n",
         "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\",\"namespace\":\"team\"}}"},
        {"a pod in JSON", " {\"kind\":\"Pod\",\"metadata\":{\"namespace\":null}}",
         "{\"kind\":\"Pod\",\"metadata\":{\"namespace\":\"team\"}}"},
        {"a job; its template has none", "kind: Job\nspec: {template: {}}\n",
         "{\"kind\":\"Job\",\"spec\":{\"template\":{}},\"metadata\":{\"namespace\":\"team\"}}"},
        {"a ConfigMap", "kind: ConfigMap\nmetadata: {namespace: ''}\n",
         "{\"kind\":\"ConfigMap\",\"metadata\":{\"namespace\":\"team\"}}"},
        {"the pod of a question", "{\"kind\":\"gang\",\"count\":2,\"pod\":{\"metadata\":null}}",
         "{\"kind\":\"gang\",\"count\":2,\"pod\":{\"metadata\":{\"namespace\":\"team\"}}}"},
        {"it is the same", "kind: Pod\nmetadata: {namespace: team} # stays\n", NULL},
        {"a node has none", "kind: Node\nmetadata: {name: n}\n", NULL},
        {"the node of a question", "{\"kind\":\"node\",\"action\":\"remove\",\"node\":{\"name\":\"n\"}}",
         NULL},
        {"queues", "partitions: [{name: default}]\n", NULL},
        {"malformed metadata", "kind: Pod\nmetadata: 1\n", NULL},
        {"a malformed namespace", "kind: Pod\nmetadata: {namespace: 1}\n", NULL},
        {"malformed YAML", "kind: [Pod", NULL},
        {"YAML that begins as JSON does", "{kind: Pod}", NULL},
        {"a key that stands twice", "{\"kind\":\"Pod\",\"kind\":\"Pod\"}", NULL},
        {"no object", "[]", NULL},
        {"nothing", "", NULL},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf question = {.max = YK_WHATIF_BODY_MAX};
        const char *want = cases[i].want != NULL ? cases[i].want : cases[i].question;
        struct yk_err err = {0};
        yk_buf_text(&question, cases[i].question);
        if (yk_whatif_set_namespace(&question, "team", true, &err) != YK_OK)
            fail_msg("%s: %s", cases[i].what, err.text);
        if (strcmp(yk_buf_cstr(&question), want) != 0)
            fail_msg("%s: '%s'", cases[i].what, yk_buf_cstr(&question));
    }
}

static void another_namespace(void **state)
{
    (void)state;
    static const char *const questions[] = {
        "kind: Pod\nmetadata: {namespace: other}\n",
        "{\"kind\":\"Job\",\"metadata\":{\"namespace\":\"other\"}}",
        "{\"kind\":\"ConfigMap\",\"metadata\":{\"namespace\":\"other\"}}",
        "{\"kind\":\"pod\",\"pod\":{\"metadata\":{\"namespace\":\"other\"}}}",
    };
    for (size_t i = 0; i < YK_COUNT(questions); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf question = {.max = YK_WHATIF_BODY_MAX};
        struct yk_err err = {0};
        yk_buf_text(&question, questions[i]);
        assert_int_equal(yk_whatif_set_namespace(&question, "team", true, &err), YK_ERR_INVALID);
        assert_string_equal(err.text,
                            "the namespace 'other' of the object does not match the namespace 'team' of "
                            "--namespace; use --namespace=other, or change the object");
        /* The namespace of a context is only a default. */
        assert_int_equal(yk_whatif_set_namespace(&question, "team", false, &err), YK_OK);
        assert_string_equal(yk_buf_cstr(&question), questions[i]);
    }
}

static void a_question_that_becomes_too_long(void **state)
{
    (void)state;
    static const char text[] = "kind: Pod";
    YK_CLEANUP(yk_buf_done) struct yk_buf question = {.max = sizeof(text) - 1};
    struct yk_err err = {0};
    yk_buf_text(&question, text);
    assert_int_equal(yk_whatif_set_namespace(&question, "team", true, &err), YK_ERR_LIMIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_namespace_of_a_question),
        cmocka_unit_test(another_namespace),
        cmocka_unit_test(a_question_that_becomes_too_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
