/* SPDX-License-Identifier: Apache-2.0 */
#include "security/acl.h"

#include "base/log.h"
#include "config/config.h"

static void add_names(struct yk_str list, bool (*valid)(struct yk_str), struct yk_strmap *names)
{
    struct yk_str name;
    while (yk_str_split(&list, ',', &name)) {
        if (name.len == 0)
            continue;
        if (valid(name))
            yk_strmap_put(names, name, (void *)(uintptr_t)name.p);
        else
            yk_warn(yk_log_security, "invalid name in acl ignored", KV("name", name));
    }
}

enum yk_status yk_acl_parse(struct yk_str text, struct yk_acl *ret_acl, struct yk_err *err)
{
    struct yk_acl acl = {0};
    struct yk_str fields[2] = {{0}}, rest = text, field;
    size_t count = 0;
    while (yk_str_split(&rest, ' ', &field)) {
        if (count == YK_COUNT(fields))
            return yk_fail(err, YK_ERR_INVALID,
                           "acl '" YK_STR_FMT
                           "' has more than two fields; it is 'users groups' with one space between",
                           YK_STR_ARG(text));
        fields[count++] = field;
    }
    if (yk_str_is(yk_str_trim(text), "*") || yk_str_is(fields[0], "*") || yk_str_is(fields[1], "*")) {
        acl.all = true;
        *ret_acl = acl;
        return YK_OK;
    }
    acl.text = yk_str_dup(text);
    for (size_t i = 0; i < count; i++)
        fields[i].p = acl.text + (fields[i].p - text.p);
    add_names(fields[0], yk_user_name_valid, &acl.users);
    add_names(fields[1], yk_acl_group_name_valid, &acl.groups);
    *ret_acl = acl;
    return YK_OK;
}

void yk_acl_done(struct yk_acl *acl)
{
    yk_strmap_done(&acl->users);
    yk_strmap_done(&acl->groups);
    free(acl->text);
    *acl = (struct yk_acl){0};
}

bool yk_acl_allows(const struct yk_acl *acl, const char *user, const char *const *groups, size_t group_count)
{
    if (acl->all)
        return true;
    if (user != NULL && yk_strmap_get(&acl->users, yk_str_from(user)) != NULL)
        return true;
    for (size_t i = 0; i < group_count; i++) {
        if (yk_strmap_get(&acl->groups, yk_str_from(groups[i])) != NULL)
            return true;
    }
    return false;
}
