/* SPDX-License-Identifier: Apache-2.0 */
#include "whatif/question.h"

#include "base/clock.h"
#include "whatif/yaml_json.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void manifests_stand_for_questions(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        enum yk_whatif_kind kind;
        uint32_t count;
    } cases[] = {
        {"kind: Pod\nmetadata: {name: p}\n", YK_WHATIF_POD, 1},
        {"{\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\"}}", YK_WHATIF_POD, 1},
        {"kind: Pod\nmetadata:\n  annotations: {yunikorn.apache.org/task-groups: '[]'}\n", YK_WHATIF_GANG, 1},
        {"kind: Job\nmetadata: {name: j}\nspec: {parallelism: 7, template: {spec: {}}}\n", YK_WHATIF_JOB, 7},
        {"kind: Job\nspec: {parallelism: 7, completions: 2, template: {spec: {}}}\n", YK_WHATIF_JOB, 2},
        {"kind: Node\nmetadata: {name: n}\n", YK_WHATIF_NODE, 1},
        {"kind: ConfigMap\ndata: {queues.yaml: 'partitions: []'}\n", YK_WHATIF_QUEUES, 1},
        {"partitions:\n- name: default\n", YK_WHATIF_QUEUES, 1},
        {"kind: job\ncount: 3\npod: {metadata: {name: p}}\n", YK_WHATIF_JOB, 3},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_whatif_question question;
        struct yk_err err = {0};
        if (yk_whatif_question_parse(yk_str_from(cases[i].body), &question, &err) != YK_OK)
            fail_msg("%s: %s", cases[i].body, err.text);
        if (question.kind != cases[i].kind || question.count != cases[i].count)
            fail_msg("%s: kind %d, count %u", cases[i].body, (int)question.kind, question.count);
        assert_true(question.horizon_ns == YK_WHATIF_HORIZON_S * YK_NS_PER_S);
        yk_whatif_question_done(&question);
    }
}

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    static const struct {
        const char *body, *sentence;
    } cases[] = {
        {"", "the text is empty"},
        {"{", "not JSON"},
        {"a: [", "line 2"},
        {"kind: Job\nspec: {parallelism: 1000000000, template: {}}\n",
         "'count' is 1000000000; it must be from 1 to 1000"},
        {"{\"kind\":\"job\",\"count\":0,\"pod\":{}}", "from 1 to 1000"},
        {"{\"kind\":\"pod\",\"count\":2,\"pod\":{}}", "needs the kind job or gang"},
        {"{\"kind\":\"pod\",\"pod\":{},\"horizonSeconds\":1e9}", "must be an integer"},
        {"{\"kind\":\"pod\",\"pod\":{},\"horizonSeconds\":4000}", "from 0 to 3600"},
        {"{\"kind\":\"pod\",\"pod\":{},\"user\":7}", "'user' must be a string"},
        {"{\"kind\":\"pod\",\"pod\":{},\"user\":\"\"}", "and not empty"},
        {"{\"kind\":\"pod\",\"pod\":{},\"user\":\"u\",\"groups\":[\"\"]}", "entry 0 of 'groups'"},
        {"{\"kind\":\"pod\",\"pod\":{},\"surprise\":1}", "unknown member 'surprise'"},
        {"{\"kind\":\"pod\",\"pod\":{},\"action\":\"add\"}", "'action' is not for questions of the kind pod"},
        {"{\"kind\":\"pod\",\"pod\":{},\"taskGroups\":[]}", "is not for questions of the kind pod"},
        {"{\"kind\":\"queues\",\"queues\":\"\",\"user\":\"u\"}", "is not for questions of the kind queues"},
        {"{\"kind\":\"pod\",\"pod\":{},\"pod\":{}}", "duplicate object key"},
        {"kind: Pod\nmetadata: {name: a, name: b}\n", "line 2, column 21: the key 'name' stands twice"},
        {"kind: Job\nspec: {parallelism: -1, template: {}}\n", "Job: 'parallelism' is -1; it must be from 0"},
        {"kind: Job\nspec: {completions: '3', template: {}}\n", "Job: 'completions' must be an integer"},
        {"{\"kind\":\"pod\",\"pod\":{},\"groups\":[]}", "needs 'user'"},
        {"{\"kind\":\"pod\",\"pod\":{},\"user\":\"u\",\"groups\":[7]}", "entry 0 of 'groups'"},
        {"{\"kind\":\"node\",\"node\":{}}", "'action' must be one of: add, remove, cordon, uncordon, resize"},
        {"{\"kind\":\"queues\",\"queues\":\"a\\u0000b\"}", "NUL"},
        {"kind: ConfigMap\n", "'queues' must be a string"},
        {"kind: Deployment\n", "'kind' is 'Deployment'"},
        {"- 1\n", "must be a JSON object"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_whatif_question question;
        struct yk_err err = {0};
        enum yk_status st = yk_whatif_question_parse(yk_str_from(cases[i].body), &question, &err);
        if (st == YK_OK || strstr(err.text, cases[i].sentence) == NULL)
            fail_msg("%s: %s", cases[i].body, err.text);
        assert_null(question.root);
    }
}

static void yaml_scalars_are_what_they_look_like(void **state)
{
    (void)state;
    static const char yaml[] =
        "a: 1\nb: '1'\nc: 1Gi\nd: true\ne: yes\nf: ~\ng: 0.5\nh: 0x10\ni: -3\nj: &x [1, 2]\nk: *x\n";
    static const char want[] =
        "{\"a\":1,\"b\":\"1\",\"c\":\"1Gi\",\"d\":true,\"e\":\"yes\",\"f\":null,\"g\":0.5,"
        "\"h\":\"0x10\",\"i\":-3,\"j\":[1,2],\"k\":[1,2]}";
    json_t *tree = NULL;
    struct yk_err err = {0};
    if (yk_yaml_to_json(YK_STR(yaml), &tree, &err) != YK_OK)
        fail_msg("%s", err.text);
    char *text = json_dumps(tree, JSON_COMPACT);
    assert_string_equal(text, want);
    free(text);
    json_decref(tree);
}

/* Nine levels of nine aliases each are 400 million values. */
static void aliases_and_depth_are_bounded(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf bomb = {0}, deep = {0};
    json_t *tree = NULL;
    struct yk_err err = {0};
    yk_buf_text(&bomb, "a0: &a0 [x,x,x,x,x,x,x,x,x]\n");
    for (int i = 1; i < 9; i++) {
        yk_buf_printf(&bomb, "a%d: &a%d [", i, i);
        for (int j = 0; j < 9; j++)
            yk_buf_printf(&bomb, "%s*a%d", j > 0 ? "," : "", i - 1);
        yk_buf_text(&bomb, "]\n");
    }
    for (int i = 0; i < 1000; i++)
        yk_buf_char(&deep, '[');
    for (int i = 0; i < 1000; i++)
        yk_buf_char(&deep, ']');
    assert_int_equal(yk_yaml_to_json(yk_buf_view(&bomb), &tree, &err), YK_ERR_LIMIT);
    assert_int_not_equal(yk_yaml_to_json(yk_buf_view(&deep), &tree, &err), YK_OK);
    yk_buf_clear(&deep);
    yk_buf_text(&deep, "a0: &a0 x\n"); /* deep only through its aliases */
    for (int i = 1; i < 200; i++)
        yk_buf_printf(&deep, "a%d: &a%d [*a%d]\n", i, i, i - 1);
    assert_int_equal(yk_yaml_to_json(yk_buf_view(&deep), &tree, &err), YK_ERR_LIMIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(manifests_stand_for_questions),
        cmocka_unit_test(what_is_wrong_is_said),
        cmocka_unit_test(yaml_scalars_are_what_they_look_like),
        cmocka_unit_test(aliases_and_depth_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
