/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a distinguished name, and, up to a zero, as a user's name in a filter. */
#include "security/ldap_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_value(struct yk_str dn)
{
    struct yk_buf value = {.max = 4096};
    bool found = yk_ldap_first_value(dn, &value);
    if (found && (value.len == 0 || memchr(value.p, '\0', value.len) != NULL))
        abort();
    yk_buf_done(&value);
}

/* Whatever the name is, the filter stays one comparison: what stands between its brackets has none. */
static void check_filter(const char *user)
{
    struct yk_buf filter = {0};
    yk_ldap_filter("(uid=%s)", user, &filter);
    if (filter.len < 6 || filter.p[filter.len - 1] != ')')
        abort();
    for (size_t i = 1; i + 1 < filter.len; i++) {
        if (strchr("()*", filter.p[i]) != NULL || filter.p[i] < ' ')
            abort();
    }
    yk_buf_done(&filter);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = yk_strndup((const char *)data, size);
    check_value((struct yk_str){(const char *)data, size});
    check_value(yk_str_from(text));
    check_filter(text);
    free(text);
    return 0;
}
