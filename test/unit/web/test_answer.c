/* SPDX-License-Identifier: Apache-2.0 */
/* Validators: which If-None-Match names an answer that the client has. */
#include "web/answer.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_client_has_what_a_validator_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
