/* SPDX-License-Identifier: Apache-2.0 */
#include "api/application_id.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void ids_are_generated_from_namespace_and_uid(void **state)
{
    (void)state;
    static const struct {
        const char *what, *space, *uid, *want; /* uid NULL: of the namespace */
    } cases[] = {
        {"of a namespace", "dev", NULL, "yunikorn-dev-autogen"},
        {"no namespace is 'default'", "", NULL, "yunikorn-default-autogen"},
        {"cut at 63 bytes", "n2345678901234567890123456789012345678901234567890123456789012x", NULL,
         "yunikorn-n23456789012345678901234567890123456789012345678901234"},
        {"of a pod", "dev", "1-2-3", "dev-1-2-3"},
        {"26 bytes of the namespace", "abcdefghijklmnopqrstuvwxyz-0123", YK_UNIQUE_ID_WORD,
         "abcdefghijklmnopqrstuvwxyz-uniqueautogen"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf id = {0};
        if (cases[i].uid != NULL)
            yk_application_id_unique(yk_str_from(cases[i].space), yk_str_from(cases[i].uid), &id);
        else
            yk_application_id_of_namespace(yk_str_from(cases[i].space), &id);
        if (!yk_str_is(yk_buf_view(&id), cases[i].want))
            fail_msg("%s: got %s", cases[i].what, yk_buf_cstr(&id));
        if (cases[i].uid == NULL && !yk_application_id_looks_generated(yk_buf_view(&id)))
            fail_msg("%s: %s does not look generated", cases[i].what, yk_buf_cstr(&id));
    }
    assert_false(yk_application_id_looks_generated(YK_STR("yunikorn-mine")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ids_are_generated_from_namespace_and_uid)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
