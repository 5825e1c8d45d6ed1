/* SPDX-License-Identifier: Apache-2.0 */
#include "admission/settings.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define P "admissionController."

static void apply(struct yk_admission_settings *settings, const char *key, const char *value,
                  struct yk_config_errors *faults)
{
    struct yk_pair pair = {yk_str_from(key), yk_str_from(value)};
    const struct yk_config_map map = {.data = {&pair, 1}};
    struct yk_merged_config merged;
    yk_config_merge(NULL, &map, &merged);
    yk_admission_settings_apply(settings, &merged, faults);
    yk_merged_config_done(&merged);
}

static void defaults_are_those_of_1_9(void **state)
{
    (void)state;
    struct yk_admission_settings settings;
    yk_admission_settings_init(&settings);
    assert_string_equal(settings.service_name, "yunikorn-admission-controller-service");
    assert_true(yk_patterns_empty(settings.process) && yk_patterns_empty(settings.label));
    assert_true(yk_patterns_empty(settings.no_label) && yk_patterns_empty(settings.external_users));
    assert_true(yk_patterns_empty(settings.external_groups));
    assert_true(yk_patterns_match(settings.bypass, YK_STR("kube-system")));
    assert_false(yk_patterns_match(settings.bypass, YK_STR("kube-systems")));
    assert_true(yk_patterns_match(settings.system_users, YK_STR("system:serviceaccount:kube-system:x")));
    assert_false(settings.generate_unique_app_id || settings.bypass_auth);
    assert_true(settings.trust_controllers && settings.hot_refresh && settings.fails_closed);
    yk_admission_settings_done(&settings);
}

static void a_faulty_value_keeps_the_old_one(void **state)
{
    (void)state;
    struct yk_config_errors faults = {0};
    struct yk_admission_settings settings;
    yk_admission_settings_init(&settings);
    apply(&settings, P "accessControl.bypassAuth", "true", &faults);
    assert_true(settings.bypass_auth);
    apply(&settings, P "accessControl.bypassAuth", "yes", &faults);
    assert_true(settings.bypass_auth);
    assert_int_equal(faults.count, 1);
    assert_true(yk_str_is(faults.items[0].text, P "accessControl.bypassAuth: 'yes': not a boolean"));
    apply(&settings, "other", "x", &faults); /* it is not there: the default */
    assert_false(settings.bypass_auth);
    apply(&settings, P "webHook.amServiceName", "Not A Name", &faults);
    assert_string_equal(settings.service_name, "yunikorn-admission-controller-service");
    apply(&settings, P "filtering.bypassNamespaces", "a,[", &faults);
    assert_true(yk_patterns_match(settings.bypass, YK_STR("kube-system")));
    assert_int_equal(faults.count, 3);
    apply(&settings, P "filtering.bypassNamespaces", "", &faults);
    assert_true(yk_patterns_empty(settings.bypass));
    assert_int_equal(faults.count, 3);
    apply(&settings, P "webHook.failurePolicy", "Ignore", &faults);
    assert_false(settings.fails_closed);
    apply(&settings, P "webHook.failurePolicy", "Never", &faults);
    assert_false(settings.fails_closed);
    assert_int_equal(faults.count, 4);
    yk_config_errors_done(&faults);
    yk_admission_settings_done(&settings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(defaults_are_those_of_1_9),
                                       cmocka_unit_test(a_faulty_value_keeps_the_old_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
