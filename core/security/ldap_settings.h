/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The settings of the LDAP resolver: the address of the server and what to search for. A folder has one file
 * per setting, as a mounted Secret does. White space around values is removed.
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
    char *host, *base_dn, *filter, *group_attr, *bind_user, *bind_password; /* owned; never NULL or "" */
    char *ca_file; /* owned: path of ca.crt in the folder; NULL: the certificate authorities of the system */
    /* Owned, like the texts in it: the attributes of ReturnAttr, group_attr if ReturnAttr does not have it,
     * and NULL at the end. */
    char **attributes;
    uint16_t port; /* not 0 */
    bool ssl;      /* TLS from the first byte (ldaps) */
    bool insecure; /* with ssl: any certificate is accepted */
};

/* Reads the settings in `folder`. The caller frees `*ret_settings`. Errors: YK_ERR_INVALID, a required file
 * (Host, Port, BaseDN, Filter, GroupAttr, ReturnAttr, BindUser, BindPassword) is missing or empty, a value
 * cannot be used, or a file cannot be read. */
YK_NODISCARD enum yk_status yk_ldap_settings_read(const char *folder, struct yk_ldap_settings **ret_settings,
                                                  struct yk_err *err);
/* Overwrites the password in memory and frees the settings. NULL is fine. */
void yk_ldap_settings_free(struct yk_ldap_settings *settings);
YK_DEFINE_FREEP(yk_ldap_settings)

#endif
