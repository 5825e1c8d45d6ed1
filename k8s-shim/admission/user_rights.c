/* SPDX-License-Identifier: Apache-2.0 */
#include "admission/user_rights.h"

#include "api/pod_keys.h"
#include "api/user_info.h"
#include "base/json_writer.h"
#include "base/log.h"

static struct yk_str group_at(const struct yk__request *request, size_t i)
{
    const json_t *group = json_array_get(request->groups, i);
    return (struct yk_str){json_string_value(group), json_string_length(group)};
}

bool yk__is_system_user(const struct yk_admission_settings *settings, const struct yk__request *request)
{
    return yk_patterns_match(settings->system_users, request->user);
}

static bool is_listed(const struct yk_admission_settings *settings, const struct yk__request *request)
{
    if (settings->trust_controllers && yk__is_system_user(settings, request))
        return true;
    if (yk_patterns_match(settings->external_users, request->user))
        return true;
    if (yk_patterns_empty(settings->external_groups))
        return false;
    size_t count = YK_MIN(json_array_size(request->groups), (size_t)YK_USER_INFO_GROUPS_MAX);
    for (size_t i = 0; i < count; i++) {
        if (yk_patterns_match(settings->external_groups, group_at(request, i)))
            return true;
    }
    return false;
}

static void put_groups(const struct yk__request *request, struct yk_buf *out)
{
    for (size_t i = 0; i < json_array_size(request->groups); i++) {
        if (i > 0)
            yk_buf_char(out, ',');
        yk_buf_str(out, group_at(request, i));
    }
}

static void encode(const struct yk__request *request, struct yk_buf *out)
{
    struct yk_json writer, *json = &writer;
    size_t count = YK_MIN(json_array_size(request->groups), (size_t)YK_USER_INFO_GROUPS_MAX);
    yk_json_init(json, out);
    yk_json_object_begin(json);
    if (!yk_str_empty(request->user)) {
        yk_json_key(json, "user");
        yk_json_str(json, request->user);
    }
    if (count > 0) {
        yk_json_key(json, "groups");
        yk_json_array_begin(json);
        for (size_t i = 0; i < count; i++)
            yk_json_str(json, group_at(request, i));
        yk_json_array_end(json);
    }
    yk_json_object_end(json);
}

/* Whether `value` is what yk__user_info_add() would set for this request. */
static bool is_own_user_info(const struct yk__request *request, struct yk_str value)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = YK_USER_INFO_BYTES_MAX};
    encode(request, &text);
    return !text.failed && yk_str_eq(yk_buf_view(&text), value);
}

bool yk__may_set_user_info(const struct yk_admission_settings *settings, const struct yk__request *request,
                           struct yk_str value, struct yk__verdict *verdict)
{
    struct yk_err err = {0};
    YK_CLEANUP(yk_user_info_done) struct yk_user_info info = {0};
    if (is_own_user_info(request, value))
        return true;
    if (!is_listed(settings, request)) {
        YK_CLEANUP(yk_buf_done) struct yk_buf groups = {.max = YK__VERDICT_TEXT_MAX};
        put_groups(request, &groups);
        yk__deny(verdict, "user " YK_STR_FMT " with groups [%s] is not allowed to set user annotation",
                 YK_STR_ARG(request->user), yk_buf_cstr(&groups));
        return false;
    }
    if (yk_user_info_parse(value, &info, &err) == YK_OK)
        return true;
    yk__deny(verdict, "the user annotation is not valid: %s", err.text);
    return false;
}

void yk__user_info_add(const struct yk__request *request, struct yk__meta *meta, struct yk__verdict *verdict)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = YK_USER_INFO_BYTES_MAX};
    size_t count = json_array_size(request->groups);
    if (count > YK_USER_INFO_GROUPS_MAX)
        yk_warn(yk_log_admission, "a user has too many groups, the last ones are left out",
                KV("user", request->user), KV("count", count));
    encode(request, &text);
    if (text.failed)
        yk__deny(verdict, "name and groups of the user take more than %d bytes", YK_USER_INFO_BYTES_MAX);
    else
        yk__meta_annotate(meta, &verdict->patch, YK_KEY_USER_INFO, yk_buf_view(&text));
}
