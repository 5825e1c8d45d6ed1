# SPDX-License-Identifier: Apache-2.0
yk_test(security/acl LINK base config security)
yk_test(security/users SOURCES lib/fake_directory.c LINK base config security)
yk_test(security/name_service SOURCES security/fake_settings.c LINK base config security)
yk_test(security/ldap_settings SOURCES security/fake_settings.c LINK base security)
yk_test(security/ldap_text LINK base security)
# Against a real slapd, which hack/test.sh installs.
yk_test(security/ldap SOURCES security/fake_settings.c security/slapd.c LINK base security)
set_tests_properties(security/ldap PROPERTIES SKIP_REGULAR_EXPRESSION "slapd is not installed")
