/* SPDX-License-Identifier: Apache-2.0 */
#include "config/setting_table.h"

#include "config/settings.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static bool is_choice(const struct yk_setting *row)
{
    for (size_t i = 0; i < YK_SETTING_CHOICES_MAX && row->choices[i] != NULL; i++) {
        if (strcmp(row->choices[i], row->text) == 0)
            return true;
    }
    return row->choices[0] == NULL;
}

/* A default is a value that the setting would take. */
static void defaults_are_allowed(void **state)
{
    (void)state;
    for (size_t i = 0; i < yk_setting_row_count; i++) {
        const struct yk_setting *row = &yk_setting_rows[i];
        bool is_number = row->kind == YK_SETTING_INT || (row->kind == YK_SETTING_DURATION && row->max > 0);
        if ((row->kind == YK_SETTING_TEXT) != (row->text != NULL))
            fail_msg("%s: only a text has a text as default", row->key);
        if (row->kind == YK_SETTING_TEXT && !is_choice(row))
            fail_msg("%s: the default is none of the choices", row->key);
        if (is_number && (row->number < row->min || row->number > row->max))
            fail_msg("%s: the default is out of range", row->key);
        if (row->offset >= sizeof(struct yk_settings))
            fail_msg("%s: no field", row->key);
    }
}

static void rows_are_described_and_different(void **state)
{
    (void)state;
    for (size_t i = 0; i < yk_setting_row_count; i++) {
        const char *help = yk_setting_rows[i].help;
        if (help == NULL || help[0] == '\0' || help[strlen(help) - 1] != '.')
            fail_msg("%s: no sentence", yk_setting_rows[i].key);
        for (size_t j = 0; j < i; j++) {
            if (strcmp(yk_setting_rows[i].key, yk_setting_rows[j].key) == 0)
                fail_msg("%s: two rows", yk_setting_rows[i].key);
        }
    }
}

/* The message about a text that is none of the choices names them all. */
static void choices_are_named(void **state)
{
    static const struct yk_pair pair = {YK_STR("service.trustUserInfo"), YK_STR("some")};
    struct yk_settings *settings = NULL;
    struct yk_err err = {0};
    (void)state;
    assert_int_equal(yk_settings_parse(&pair, 1, &settings, &err), YK_ERR_INVALID);
    assert_string_equal(err.text,
                        "setting 'service.trustUserInfo': 'some' is not 'any', 'webhook' or 'none'");
    assert_null(settings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_allowed),
        cmocka_unit_test(rows_are_described_and_different),
        cmocka_unit_test(choices_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
