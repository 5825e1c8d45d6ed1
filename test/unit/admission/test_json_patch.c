/* SPDX-License-Identifier: Apache-2.0 */
#include "admission/json_patch.h"

#include "lib/apply_patch.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static json_t *made(const struct yk_patch *patch)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    assert_true(yk_patch_base64(patch, &text));
    json_t *read = read_patch(yk_buf_cstr(&text));
    assert_non_null(read);
    return read;
}

static void keys_are_escaped_and_values_quoted(void **state)
{
    (void)state;
    YK_CLEANUP(yk_patch_done) struct yk_patch patch = {0};
    assert_true(yk_patch_empty(&patch));
    yk_patch_add_empty_object(&patch, "/a");
    yk_patch_add_member(&patch, "/a", "x/y~z", YK_STR("\"quoted\"\n\xff"));
    yk_patch_add_text(&patch, "/a/b", YK_STR(""));
    assert_false(yk_patch_empty(&patch));
    json_t *operations = made(&patch), *object = json_object();
    assert_string_equal(json_string_value(json_object_get(json_array_get(operations, 1), "path")),
                        "/a/x~1y~0z");
    assert_true(apply_patch(object, operations));
    json_t *wanted = json_pack("{s{ssss}}", "a", "x/y~z", "\"quoted\"\n\xef\xbf\xbd", "b", "");
    assert_true(json_equal(object, wanted));
    json_decref(wanted);
    json_decref(object);
    json_decref(operations);
    yk_patch_clear(&patch);
    assert_true(yk_patch_empty(&patch));
}

static void a_patch_is_bounded(void **state)
{
    (void)state;
    YK_CLEANUP(yk_patch_done) struct yk_patch patch = {0};
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0}, out = {0};
    memset(yk_buf_reserve(&text, 1 << 20), 'a', 1 << 20);
    text.len = 1 << 20;
    for (int i = 0; i < 5; i++)
        yk_patch_add_text(&patch, "/a", yk_buf_view(&text));
    assert_true(patch.text.failed);
    assert_false(yk_patch_base64(&patch, &out));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(keys_are_escaped_and_values_quoted),
                                       cmocka_unit_test(a_patch_is_bounded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
