/* SPDX-License-Identifier: Apache-2.0 */
#include "security/ldap_settings.h"

#include "security/fake_settings.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void complete(void **state)
{
    const struct fake_settings *files = *state;
    struct yk_ldap_settings *settings = NULL;
    struct yk_err err = {0};
    fake_settings_put(files, "SSL", "true\n");
    if (yk_ldap_settings_read(files->folder, &settings, &err) != YK_OK)
        fail_msg("refused: %s", err.text);
    assert_string_equal(settings->host, "127.0.0.1"); /* white space is cut off */
    assert_int_equal(settings->port, 1);
    assert_string_equal(settings->attributes[0], "cn");
    assert_string_equal(settings->attributes[1], "MemberOf"); /* the group's attribute, in any case */
    assert_null(settings->attributes[2]);
    assert_true(settings->ssl);
    assert_false(settings->insecure);
    assert_null(settings->ca_file);
    yk_ldap_settings_free(settings);
    fake_settings_put(files, "ReturnAttr", "cn");
    fake_settings_put(files, "ca.crt", "");
    assert_int_equal(yk_ldap_settings_read(files->folder, &settings, &err), YK_OK);
    assert_string_equal(settings->attributes[1], "memberOf"); /* asked for, since it is looked at */
    assert_non_null(settings->ca_file);
    yk_ldap_settings_free(settings);
}

static void refused(void **state)
{
    static const struct {
        const char *what, *file, *value, *want;
    } cases[] = {
        {"no host", "Host", NULL, "'Host': the file"},
        {"a blank host", "Host", " \n", "missing or empty"},
        {"an empty host", "Host", "", "missing or empty"},
        {"a URI for a host", "Host", "ldap://h", "'Host': 'ldap://h'"},
        {"no port", "Port", NULL, "'Port': the file"},
        {"port 0", "Port", "0", "'Port': '0'"},
        {"a port that is too large", "Port", "65536", "'Port': '65536'"},
        {"a port with a sign", "Port", "-1", "'Port': '-1'"},
        {"no base", "BaseDN", NULL, "'BaseDN'"},
        {"no filter", "Filter", NULL, "'Filter': the file"},
        {"a filter without the name", "Filter", "(uid=x)", "'(uid=x)' has no %s"},
        {"an open bracket", "Filter", "((uid=%s)", "brackets"},
        {"brackets the wrong way round", "Filter", ")uid=%s(", "brackets"},
        {"no group attribute", "GroupAttr", NULL, "'GroupAttr'"},
        {"no attributes", "ReturnAttr", NULL, "'ReturnAttr'"},
        {"no user", "BindUser", NULL, "'BindUser'"},
        {"no password", "BindPassword", NULL, "'BindPassword'"},
        {"an odd flag", "SSL", "yes please", "'SSL': 'yes please'"},
        {"another odd flag", "Insecure", "2", "'Insecure': '2'"},
    };
    const struct fake_settings *files = *state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct fake_settings own;
        struct yk_ldap_settings *settings = NULL;
        struct yk_err err = {0};
        fake_settings_init(&own);
        fake_settings_put(&own, cases[i].file, cases[i].value);
        enum yk_status st = yk_ldap_settings_read(own.folder, &settings, &err);
        if (st != YK_ERR_INVALID || strstr(err.text, cases[i].want) == NULL)
            fail_msg("%s: status %d, '%s'", cases[i].what, (int)st, err.text);
        assert_null(settings);
        fake_settings_done(&own);
    }
    struct yk_err err = {0};
    struct yk_ldap_settings *settings = NULL;
    assert_int_equal(yk_ldap_settings_read("/nowhere/at/all", &settings, &err), YK_ERR_INVALID);
    assert_non_null(strstr(err.text, "/nowhere/at/all/Host"));
    char *huge = yk_alloc0(YK_LDAP_VALUE_BYTES_MAX + 2);
    memset(huge, 'x', YK_LDAP_VALUE_BYTES_MAX + 1);
    fake_settings_put(files, "BaseDN", huge);
    assert_int_equal(yk_ldap_settings_read(files->folder, &settings, &err), YK_ERR_INVALID);
    free(huge);
}

static int set_up(void **state)
{
    static struct fake_settings settings;
    fake_settings_init(&settings);
    *state = &settings;
    return 0;
}

static int tear_down(void **state)
{
    fake_settings_done(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(complete, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refused, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
