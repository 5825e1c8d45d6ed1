/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of LDAP: a filter with a name in it, and the name of a group in a DN. Thread: any. */
#ifndef YK_SECURITY_LDAP_TEXT_H
#define YK_SECURITY_LDAP_TEXT_H

#include "base/str.h"

/* Appends to `ret_filter` the text `filter` with each %s replaced by `user`. The name is escaped (RFC 4515),
 * so it cannot change the structure of the filter. If the result exceeds the maximum of the buffer, its
 * `failed` is set. */
void yk_ldap_filter(const char *filter, const char *user, struct yk_buf *ret_filter);

/* Appends to `ret_value` the value of the first part of a distinguished name (RFC 4514): "CN=a\, b,OU=x"
 * gives "a, b". White space around it is removed. False, and nothing is appended: `dn` is no distinguished
 * name, the value is empty, binary or has control characters, or it exceeds the maximum of the buffer. */
bool yk_ldap_first_value(struct yk_str dn, struct yk_buf *ret_value);

#endif
