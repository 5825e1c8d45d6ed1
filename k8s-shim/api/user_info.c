/* SPDX-License-Identifier: Apache-2.0 */
#include "api/user_info.h"

#include "api/json_reader.h"

#include <jansson.h>

static enum yk_status take_user(const json_t *user, struct yk_user_info *info, struct yk_err *err)
{
    if (user == NULL)
        return YK_OK;
    if (!json_is_string(user))
        return yk_fail(err, YK_ERR_INVALID, "'user' is not a text");
    if (json_string_length(user) > 0)
        info->user = yk_strdup(json_string_value(user));
    return YK_OK;
}

/* Checks the groups. `*ret_bytes`: the bytes of all group names with their terminators. */
static enum yk_status measure_groups(const json_t *groups, size_t *ret_bytes, struct yk_err *err)
{
    size_t bytes = 0;
    if (!json_is_array(groups))
        return yk_fail(err, YK_ERR_INVALID, "'groups' is not a list");
    if (json_array_size(groups) > YK_USER_INFO_GROUPS_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "%zu groups (at most %d)", json_array_size(groups),
                       YK_USER_INFO_GROUPS_MAX);
    for (size_t i = 0; i < json_array_size(groups); i++) {
        const json_t *group = json_array_get(groups, i);
        if (!json_is_string(group) && !json_is_null(group))
            return yk_fail(err, YK_ERR_INVALID, "group %zu is not a text", i + 1);
        bytes += json_string_length(group) + 1;
    }
    *ret_bytes = bytes;
    return YK_OK;
}

static enum yk_status take_groups(const json_t *groups, struct yk_user_info *info, struct yk_err *err)
{
    size_t bytes = 0;
    if (groups == NULL)
        return YK_OK;
    enum yk_status st = measure_groups(groups, &bytes, err);
    if (st != YK_OK)
        return st;
    info->group_count = json_array_size(groups);
    info->group_texts = yk_alloc0(bytes + 1);
    info->groups = (const char **)yk_calloc(info->group_count + 1, sizeof(char *));
    char *at = info->group_texts;
    for (size_t i = 0; i < info->group_count; i++) {
        const json_t *group = json_array_get(groups, i);
        size_t len = json_string_length(group); /* 0 for null */
        if (len > 0)
            memcpy(at, json_string_value(group), len);
        info->groups[i] = at;
        at += len + 1;
    }
    return YK_OK;
}

static void json_freep(json_t **json)
{
    json_decref(*json);
}

enum yk_status yk_user_info_parse(struct yk_str text, struct yk_user_info *ret_info, struct yk_err *err)
{
    YK_CLEANUP(yk_user_info_done) struct yk_user_info info = {0};
    json_error_t why;
    if (text.len > YK_USER_INFO_BYTES_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "user information of %zu bytes (at most %d)", text.len,
                       YK_USER_INFO_BYTES_MAX);
    YK_CLEANUP(json_freep) json_t *root = json_loadb(text.p != NULL ? text.p : "", text.len, 0, &why);
    if (!json_is_object(root))
        return yk_fail(err, YK_ERR_INVALID, "%s", root == NULL ? why.text : "not a JSON object");
    enum yk_status st = take_user(yk_json_member_nocase(root, "user"), &info, err);
    if (st == YK_OK)
        st = take_groups(yk_json_member_nocase(root, "groups"), &info, err);
    if (st != YK_OK)
        return st;
    *ret_info = info;
    info = (struct yk_user_info){0}; /* owned by `*ret_info` now, so the cleanup must not free it */
    return YK_OK;
}

void yk_user_info_done(struct yk_user_info *info)
{
    free(info->user);
    free(info->groups);
    free(info->group_texts);
    *info = (struct yk_user_info){0};
}
