/* SPDX-License-Identifier: Apache-2.0 */
/* The two texts that LDAP and we must agree on: a filter with a name in it, and a group's name out of a DN.
 */
#ifndef YK_SECURITY_LDAP_TEXT_H
#define YK_SECURITY_LDAP_TEXT_H

#include "base/str.h"

/*
 * `filter` with `user` for each %s. The name is escaped (RFC 4515), so whatever it holds it stays a value.
 * Above the maximum of `*ret_filter` that has `failed` set.
 */
void yk_ldap_filter(const char *filter, const char *user, struct yk_buf *ret_filter);

/*
 * The value of the first part of a distinguished name (RFC 4514): "CN=a\, b,OU=x" gives "a, b". False when it
 * is none, or a value that cannot be a name: empty, or with control characters.
 */
bool yk_ldap_first_value(struct yk_str dn, struct yk_buf *ret_value);

#endif
