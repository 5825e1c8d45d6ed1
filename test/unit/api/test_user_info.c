/* SPDX-License-Identifier: Apache-2.0 */
/* The annotation that says who a pod's user is (docs/reference/queues.md, A11). */
#include "api/user_info.h"

#include "lib/cmocka_headers.h"

static void parse(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text, *user, *groups; /* user NULL: not given; groups NULL: refused */
    } cases[] = {
        {"user and groups", "{\"user\":\"ann\",\"groups\":[\"dev\",\"ops\"]}", "ann", "dev,ops,"},
        {"names in any case", "{\"USER\":\"ann\",\"Groups\":[\"dev\"]}", "ann", "dev,"},
        {"the last of equal names", "{\"user\":\"ann\",\"User\":\"bob\"}", "bob", ""},
        {"nothing said", "{}", NULL, ""},
        {"nulls", "{\"user\":null,\"groups\":null}", NULL, ""},
        {"a null among the groups", "{\"groups\":[\"a\",null,\"b\"]}", NULL, "a,,b,"},
        {"an empty user", "{\"user\":\"\",\"groups\":[\"a\"]}", NULL, "a,"},
        {"no groups", "{\"user\":\"ann\",\"groups\":[]}", "ann", ""},
        {"other fields", "{\"user\":\"ann\",\"uid\":{\"a\":[1]}}", "ann", ""},
        {"characters of any script", "{\"user\":\"\\u00e9\"}", "é", ""},
        {"blanks around", " { \"user\" : \"ann\" } ", "ann", ""},
        {"nothing", "", NULL, NULL},
        {"not JSON", "ann", NULL, NULL},
        {"something after it", "{\"user\":\"ann\"} x", NULL, NULL},
        {"not an object", "[\"ann\"]", NULL, NULL},
        {"a user that is no text", "{\"user\":1}", NULL, NULL},
        {"groups that are no list", "{\"user\":\"ann\",\"groups\":\"a\"}", NULL, NULL},
        {"a group that is no text", "{\"groups\":[\"a\",1]}", NULL, NULL},
        {"a text that ends in the middle", "{\"user\":\"a\\u0000b\"}", NULL, NULL},
        {"not UTF-8", "{\"user\":\"\xff\"}", NULL, NULL},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_user_info info = {0};
        struct yk_err err = {0};
        YK_CLEANUP(yk_buf_done) struct yk_buf groups = {0};
        bool parsed = yk_user_info_parse(yk_str_from(cases[i].text), &info, &err) == YK_OK;
        for (size_t g = 0; g < info.group_count; g++)
            yk_buf_printf(&groups, "%s,", info.groups[g]);
        if (parsed != (cases[i].groups != NULL) || parsed == (err.text[0] != '\0'))
            fail_msg("%s: got %d, '%s'", cases[i].what, parsed, err.text);
        if ((info.user == NULL) != (cases[i].user == NULL) ||
            (info.user != NULL && strcmp(info.user, cases[i].user) != 0))
            fail_msg("%s: user '%s'", cases[i].what, info.user != NULL ? info.user : "(none)");
        if (parsed && strcmp(yk_buf_cstr(&groups), cases[i].groups) != 0)
            fail_msg("%s: groups '%s'", cases[i].what, yk_buf_cstr(&groups));
        yk_user_info_done(&info);
    }
}

static void bounds(void **state)
{
    (void)state;
    for (int extra = 0; extra < 2; extra++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
        struct yk_user_info info = {0};
        yk_buf_text(&text, "{\"groups\":[\"g\"");
        for (int i = 1; i < YK_USER_INFO_GROUPS_MAX + extra; i++)
            yk_buf_text(&text, ",\"g\"");
        yk_buf_text(&text, "]}");
        assert_int_equal(yk_user_info_parse(yk_buf_view(&text), &info, NULL),
                         extra == 0 ? YK_OK : YK_ERR_LIMIT);
        assert_int_equal(info.group_count, extra == 0 ? YK_USER_INFO_GROUPS_MAX : 0);
        yk_user_info_done(&info);
    }
    YK_CLEANUP(yk_freep) char *blanks = yk_alloc0(YK_USER_INFO_BYTES_MAX + 1);
    memset(blanks, ' ', YK_USER_INFO_BYTES_MAX + 1);
    struct yk_user_info info = {0};
    assert_int_equal(yk_user_info_parse((struct yk_str){blanks, YK_USER_INFO_BYTES_MAX + 1}, &info, NULL),
                     YK_ERR_LIMIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parse),
        cmocka_unit_test(bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
