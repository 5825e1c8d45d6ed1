/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of LDAP: a filter with a name in it, and the name of a group in a DN. Thread: any. */
#ifndef YK_SECURITY_LDAP_TEXT_H
#define YK_SECURITY_LDAP_TEXT_H

#include "base/str.h"

/* Replaces each %s of `filter` by `user`. The name is escaped (RFC 4515), so it can only be a value.
 * `*ret_filter` has `failed` set above its maximum. */
void yk_ldap_filter(const char *filter, const char *user, struct yk_buf *ret_filter);

/* The value of the first part of a distinguished name (RFC 4514): "CN=a\, b,OU=x" gives "a, b". False: not
 * a distinguished name, or the value cannot be a name: empty, or with control characters. */
bool yk_ldap_first_value(struct yk_str dn, struct yk_buf *ret_value);

#endif
