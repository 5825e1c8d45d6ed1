/* SPDX-License-Identifier: Apache-2.0 */
#include "admission/request.h"

#include "api/user_info.h"

#include <jansson.h>

static bool is_in_external_group(const struct yk_admission_request *request)
{
    for (size_t i = 0; i < json_array_size(request->groups); i++) {
        if (yk_review_settings_match(request->settings, YK_EXTERNAL_GROUPS,
                                     yk_json_str_of(json_array_get(request->groups, i))))
            return true;
    }
    return false;
}

static bool is_trusted(const struct yk_admission_request *request)
{
    const struct yk_review_settings *settings = request->settings;
    return (settings->trust_controllers &&
            yk_review_settings_match(settings, YK_SYSTEM_USERS, request->user)) ||
           yk_review_settings_match(settings, YK_EXTERNAL_USERS, request->user) ||
           is_in_external_group(request);
}

static void deny(const struct yk_admission_request *request, struct yk_admission_decision *decision)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf groups = {0};
    for (size_t i = 0; i < json_array_size(request->groups); i++) {
        yk_buf_text(&groups, i > 0 ? "," : "");
        yk_buf_str(&groups, yk_json_str_of(json_array_get(request->groups, i)));
    }
    yk_admission_deny(decision, "user " YK_STR_FMT " with groups [%s] is not allowed to set user annotation",
                      YK_STR_ARG(request->user), yk_buf_cstr(&groups));
}

bool yk_submitter_may_set_user(const struct yk_admission_request *request, struct yk_str user_info,
                               struct yk_admission_decision *decision)
{
    YK_CLEANUP(yk_user_info_done) struct yk_user_info info = {0};
    struct yk_err err = {0};
    if (!is_trusted(request)) {
        deny(request, decision);
        return false;
    }
    if (yk_user_info_parse(user_info, &info, &err) != YK_OK) {
        yk_admission_deny(decision, "annotation yunikorn.apache.org/user.info is not valid: %s", err.text);
        return false;
    }
    return true;
}

void yk_submitter_user_info(const struct yk_admission_request *request, struct yk_buf *out)
{
    struct yk_json writer, *json = &writer;
    yk_json_init(json, out);
    yk_json_object_begin(json);
    yk_json_key(json, "user");
    yk_json_str(json, request->user);
    if (json_array_size(request->groups) > 0) {
        yk_json_key(json, "groups");
        yk_json_array_begin(json);
        for (size_t i = 0; i < json_array_size(request->groups); i++)
            yk_json_str(json, yk_json_str_of(json_array_get(request->groups, i)));
        yk_json_array_end(json);
    }
    yk_json_object_end(json);
}
