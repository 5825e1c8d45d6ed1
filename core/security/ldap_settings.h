/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The address of the LDAP server and the search: one file per setting, as in a mounted Secret.
 *
 * White space around values is removed.
 *
 * Thread: not the scheduling thread, because it reads files.
 * Source: docs/reference/queues.md, rule A14.
 */
#ifndef YK_SECURITY_LDAP_SETTINGS_H
#define YK_SECURITY_LDAP_SETTINGS_H

#include "base/str.h"

#define YK_LDAP_SETTINGS_FOLDER "/run/secrets/ldap"

enum { YK_LDAP_VALUE_BYTES_MAX = 16 << 10, YK_LDAP_ATTRIBUTES_MAX = 64 };

struct yk_ldap_settings {
    char *host, *base_dn, *filter, *group_attr, *bind_user, *bind_password; /* owned; all set and not empty */
    char *ca_file; /* owned; NULL: the system's certificate authorities */
    char *
        *attributes; /* owned texts, NULL at the end: ReturnAttr, and group_attr if that is not among them */
    uint16_t port;
    bool ssl;      /* TLS from the first byte (ldaps) */
    bool insecure; /* with ssl: any certificate is accepted */
};

/* Reads the settings in `folder`. The caller frees `*ret_settings`. Errors: YK_ERR_INVALID, naming folder and
 * file: a required one (Host, Port, BaseDN, Filter, GroupAttr, ReturnAttr, BindUser, BindPassword) is
 * missing, or one cannot be used. */
YK_NODISCARD enum yk_status yk_ldap_settings_read(const char *folder, struct yk_ldap_settings **ret_settings,
                                                  struct yk_err *err);
/* Overwrites the password. NULL has no effect. */
void yk_ldap_settings_free(struct yk_ldap_settings *settings);
YK_DEFINE_FREEP(yk_ldap_settings)

#endif
