# SPDX-License-Identifier: Apache-2.0
pkg_check_modules(LDAP REQUIRED IMPORTED_TARGET ldap lber)
yk_module(core/security
  SOURCES acl.c directory.c ldap.c ldap_deadline.c ldap_settings.c ldap_text.c name_service.c os_groups.c users.c
  LINK base config
  LIBS PkgConfig::LDAP)
