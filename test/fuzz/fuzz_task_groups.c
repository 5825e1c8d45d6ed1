/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as the annotations of a gang: refused with a sentence, or groups that are whole; and a
 * placeholder made from what was accepted is a document that can be read again.
 */
#include "api/json_reader.h"
#include "app/placeholder_pod.h"
#include "base/log.h"
#include "si.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_group(const struct yk_task_groups *groups, const struct yk_gang_group *group)
{
    if (group->name.len == 0 || group->min_member == 0 || group->min_member > YK_GANG_MEMBERS_MAX ||
        yk_task_groups_find(groups, group->name.p) != group)
        abort();
    static const struct yk_placeholder_look look = {.image = "pause"};
    struct yk_placeholder_draft draft = {.namespace_ = "ns",
                                         .application_id = group->name.p,
                                         .queue = "",
                                         .owner_name = "o",
                                         .owner_uid = "u",
                                         .user_label = "",
                                         .priority_class = "",
                                         .pull_secrets = "",
                                         .task_groups = "",
                                         .policy = "",
                                         .group = group,
                                         .look = &look};
    char name[YK_PLACEHOLDER_NAME_MAX + 1];
    struct yk_buf body = {.p = NULL};
    struct yk_object *object = NULL;
    yk_placeholder_name(draft.application_id, "u", group->name.p, group->min_member - 1, name);
    draft.name = name;
    yk_encode_placeholder(&body, &draft);
    /* What stands inside tolerations and affinity may have other types than ours: then it is refused. */
    if (!body.failed && yk_object_from_json(YK_KIND_POD, yk_buf_view(&body), &object, NULL) == YK_OK &&
        !yk_pod_is_placeholder(yk_pod_of(object)))
        abort();
    yk_object_free(object);
    yk_buf_done(&body);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct yk_str text = {(const char *)data, size};
    struct yk_task_groups groups = {.count = 0};
    struct yk_gang_policy policy;
    struct yk_err err = {0};
    uint64_t members = 0;
    yk_log_set_stream(NULL);
    YK_CLEANUP(yk_buf_done) struct yk_buf wrong = {.max = 1024};
    yk_gang_policy_parse(text, &policy, &wrong);
    if (policy.timeout_ns < 0)
        abort();
    if (yk_task_groups_parse(text, YK_STR(""), &groups, &err) != YK_OK) {
        if (err.text[0] == '\0' || groups.count != 0)
            abort();
        return 0;
    }
    for (size_t i = 0; i < groups.count; i++) {
        members += groups.items[i].min_member;
        if (i < 8) /* all would take long */
            check_group(&groups, &groups.items[i]);
    }
    if (members != groups.members || members > YK_GANG_MEMBERS_MAX || yk_resvec_has_negative(&groups.total) ||
        (uint64_t)yk_resvec_get(&groups.total, YK_RESTYPE_PODS) != members)
        abort();
    yk_task_groups_done(&groups);
    return 0;
}
