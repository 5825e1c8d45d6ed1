/* SPDX-License-Identifier: Apache-2.0 */
/* Validators: which If-None-Match names an answer that the client has; and the status codes of answers. */
#include "web/answer.h"

#include "web/server_stats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void the_client_has_what_a_validator_names(void **state)
{
    (void)state;
    static const struct {
        const char *what, *sent, *etag;
        bool known;
    } cases[] = {
        {"not sent", NULL, "\"a\"", false},
        {"empty", "", "\"a\"", false},
        {"the same", "\"a\"", "\"a\"", true},
        {"another", "\"b\"", "\"a\"", false},
        {"weak against strong", "W/\"a\"", "\"a\"", true},
        {"strong against weak", "\"a\"", "W/\"a\"", true},
        {"both weak", "W/\"a\"", "W/\"a\"", true},
        {"one of a list", "\"b\" , W/\"a\",\"c\"", "W/\"a\"", true},
        {"a star", " * ", "W/\"a\"", true},
        {"without its quotes", "a", "\"a\"", false},
        {"only commas", ",,,", "\"a\"", false},
        {"only the sign of a weak one", "W/", "\"a\"", false},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_str sent = {0};
        if (cases[i].sent != NULL)
            sent = yk_str_from(cases[i].sent);
        if (yk_answer_is_known(sent, cases[i].etag) != cases[i].known)
            fail_msg("%s", cases[i].what);
    }
}

static void only_plain_request_ids_are_sent_back(void **state)
{
    (void)state;
    char long_id[130];
    memset(long_id, 'a', sizeof(long_id));
    assert_true(yk_answer_is_request_id(YK_STR("req-1.2_3:4/5+6=")));
    assert_true(yk_answer_is_request_id((struct yk_str){long_id, 128}));
    assert_false(yk_answer_is_request_id((struct yk_str){long_id, 129}));
    assert_false(yk_answer_is_request_id((struct yk_str){0}));
    assert_false(yk_answer_is_request_id(YK_STR("")));
    assert_false(yk_answer_is_request_id(YK_STR("a b")));
    assert_false(yk_answer_is_request_id(YK_STR("a\"b")));
    assert_false(yk_answer_is_request_id(YK_STR("a\r\nX: y")));
    assert_false(yk_answer_is_request_id(YK_STR("\xc3\xa9")));
}

/* The metrics count an answer under its own status, not under the last one of the list. */
static void every_status_is_counted(void **state)
{
    (void)state;
    for (int status = 100; status < 600; status++) {
        bool is_counted = false;
        for (size_t i = 0; i < YK_WEB_CODES; i++)
            is_counted = is_counted || yk_web_codes[i] == status;
        if (is_counted != (strcmp(yk_answer_reason(status), "Status") != 0))
            fail_msg("%d", status);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_client_has_what_a_validator_names),
                                       cmocka_unit_test(only_plain_request_ids_are_sent_back),
                                       cmocka_unit_test(every_status_is_counted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
