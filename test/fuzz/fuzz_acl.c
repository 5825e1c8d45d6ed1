/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as an ACL and, after a newline, as the user that asks. */
#include "base/log.h"
#include "security/acl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct yk_acl acl = {0};
    struct yk_err err = {0};
    struct yk_str rest = {(const char *)data, size}, text;
    yk_log_set_stream(NULL);
    if (!yk_str_split(&rest, '\n', &text))
        return 0;
    if (yk_acl_parse(text, &acl, &err) != YK_OK)
        return err.text[0] != '\0' ? 0 : (abort(), 0);
    char *user = yk_str_dup(rest);
    const char *groups[] = {user, "g"};
    bool allowed = yk_acl_allows(&acl, user, groups, 2);
    if (allowed && !acl.all && text.len == 0) /* A1: an empty list grants nothing */
        abort();
    free(user);
    yk_acl_done(&acl);
    return 0;
}
