/* SPDX-License-Identifier: Apache-2.0 */
#include "security/ldap_text.h"

#include <ldap.h>

static bool must_be_escaped(char c)
{
    /* The characters that RFC 4515 names, and all that are not printable ASCII. */
    return c == '*' || c == '(' || c == ')' || c == '\\' || c < ' ' || c > '~';
}

static void add_escaped(struct yk_buf *to, const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        if (must_be_escaped(*c))
            yk_buf_printf(to, "\\%02x", (unsigned)(unsigned char)*c);
        else
            yk_buf_char(to, *c);
    }
}

void yk_ldap_filter(const char *filter, const char *user, struct yk_buf *ret_filter)
{
    const char *at;
    while ((at = strstr(filter, "%s")) != NULL) {
        yk_buf_add(ret_filter, filter, (size_t)(at - filter));
        add_escaped(ret_filter, user);
        filter = at + 2;
    }
    yk_buf_text(ret_filter, filter);
}

static bool can_be_a_name(struct yk_str value)
{
    for (size_t i = 0; i < value.len; i++) {
        if ((unsigned char)value.p[i] < ' ' || value.p[i] == 0x7f)
            return false;
    }
    return value.len > 0;
}

bool yk_ldap_first_value(struct yk_str dn, struct yk_buf *ret_value)
{
    YK_CLEANUP(yk_freep) char *text = yk_str_dup(dn); /* terminated */
    LDAPDN parts = NULL;
    if (strlen(text) != dn.len || ldap_str2dn(text, &parts, LDAP_DN_FORMAT_LDAPV3) != LDAP_SUCCESS)
        return false;
    bool found = false;
    if (parts != NULL && parts[0] != NULL && parts[0][0] != NULL &&
        (parts[0][0]->la_flags & LDAP_AVA_BINARY) == 0) {
        struct yk_str first =
            yk_str_trim((struct yk_str){parts[0][0]->la_value.bv_val, parts[0][0]->la_value.bv_len});
        found = can_be_a_name(first);
        if (found)
            yk_buf_str(ret_value, first);
    }
    ldap_dnfree(parts);
    return found && !ret_value->failed;
}
