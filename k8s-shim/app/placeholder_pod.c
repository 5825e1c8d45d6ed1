/* SPDX-License-Identifier: Apache-2.0 */
#include "app/placeholder_pod.h"

#include "api/pod_keys.h"
#include "base/json_writer.h"
#include "base/map.h"
#include "cache/cache.h"

#include <ctype.h>

enum { APP_ID_CHARS = 28, GROUP_CHARS = 20, HASH_CHARS = 10, LABEL_VALUE_MAX = 63 };

/* ---- reading ---- */

static bool says_yes(struct yk_str flag, bool *ret)
{
    return !yk_str_empty(flag) && yk_str_to_bool(flag, ret) == YK_OK;
}

bool yk_pod_is_placeholder(const struct yk_pod *pod)
{
    const struct yk_object *meta = &pod->object;
    bool yes = false;
    if (says_yes(yk_pairs_get(&meta->annotations, YK_KEY_PLACEHOLDER), &yes))
        return yes;
    /* Other programs may use the older keys, too, so the pod must also have the name and the task group of
     * a placeholder. */
    if (!yk_str_starts(meta->name, "tg-") || yk_str_empty(yk_pod_task_group(pod)))
        return false;
    if (says_yes(yk_pairs_get(&meta->annotations, YK_KEY_OLD_PLACEHOLDER), &yes))
        return yes;
    return says_yes(yk_pairs_get(&meta->labels, "placeholder"), &yes) && yes;
}

struct yk_str yk_pod_task_group(const struct yk_pod *pod)
{
    return yk_pairs_get(&pod->object.annotations, YK_KEY_TASK_GROUP_NAME);
}

const struct yk_owner_ref *yk_placeholder_owner(const struct yk_pod *pod)
{
    for (uint32_t i = 0; i < pod->object.owner_count; i++) {
        const struct yk_owner_ref *owner = &pod->object.owners[i];
        if (yk_str_is(owner->kind, "Pod") && !yk_str_empty(owner->uid))
            return owner;
    }
    return NULL;
}

/* ---- the name ---- */

/* Adds bytes to a hash (FNV-1a), which is the same in each process. */
static uint64_t mix(uint64_t hash, const void *bytes, size_t len)
{
    const uint8_t *p = bytes;
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
    return mix(hash, text, strlen(text) + 1);
}

/* Appends at most `max` bytes of `text`, with characters replaced that are not allowed in the name of a
 * pod. */
static void add_part(struct yk_buf *name, const char *text, size_t max)
{
    for (size_t i = 0; i < max && text[i] != '\0'; i++) {
        int c = tolower((unsigned char)text[i]);
        yk_buf_char(name, (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? (char)c : '-');
    }
    yk_buf_char(name, '-');
}

void yk_placeholder_name(const char *application_id, const char *owner_uid, const char *group,
                         uint32_t member, char ret_name[YK_PLACEHOLDER_NAME_MAX + 1])
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    YK_CLEANUP(yk_buf_done) struct yk_buf name = {.max = 2 * YK_PLACEHOLDER_NAME_MAX};
    const uint8_t number[4] = {(uint8_t)member, (uint8_t)(member >> 8), (uint8_t)(member >> 16),
                               (uint8_t)(member >> 24)};
    uint64_t hash = mix_text(UINT64_C(0xcbf29ce484222325), owner_uid);
    hash = mix_text(mix_text(hash, application_id), group);
    hash = mix(hash, number, sizeof(number));
    hash = yk_hash_u64(hash);
    yk_buf_text(&name, "tg-");
    add_part(&name, application_id, APP_ID_CHARS);
    add_part(&name, group, GROUP_CHARS);
    for (int i = 0; i < HASH_CHARS; i++, hash /= 36)
        yk_buf_char(&name, digits[hash % 36]);
    memcpy(ret_name, yk_buf_cstr(&name), name.len + 1);
}

/* ---- the pod ---- */

static void add_text(struct yk_json *json, const char *key, const char *text)
{
    yk_json_key(json, key);
    yk_json_text(json, text);
}

static void add_some(struct yk_json *json, const char *key, const char *text)
{
    if (text[0] != '\0')
        add_text(json, key, text);
}

static void add_bool(struct yk_json *json, const char *key, bool truth)
{
    yk_json_key(json, key);
    yk_json_bool(json, truth);
}

static void add_number(struct yk_json *json, const char *key, int64_t number)
{
    if (number == 0)
        return;
    yk_json_key(json, key);
    yk_json_int(json, number);
}

static void open_object(struct yk_json *json, const char *key)
{
    yk_json_key(json, key);
    yk_json_object_begin(json);
}

static void add_raw(struct yk_json *json, const char *key, struct yk_str value)
{
    if (value.p == NULL)
        return;
    yk_json_key(json, key);
    yk_json_raw(json, value);
}

static bool is_ours(struct yk_str key, const char *const *ours, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (yk_str_is(key, ours[i]))
            return true;
    }
    return false;
}

static void add_pairs(struct yk_json *json, const struct yk_pairs *pairs, const char *const *ours,
                      size_t count)
{
    for (uint32_t i = 0; i < pairs->count; i++) {
        if (is_ours(pairs->items[i].key, ours, count))
            continue;
        yk_json_key_str(json, pairs->items[i].key);
        yk_json_str(json, pairs->items[i].value);
    }
}

static bool is_label_value(const char *text)
{
    size_t len = strlen(text);
    if (len == 0 || len > LABEL_VALUE_MAX || !isalnum((unsigned char)text[0]) ||
        !isalnum((unsigned char)text[len - 1]))
        return false;
    for (size_t i = 0; i < len; i++) {
        if (!isalnum((unsigned char)text[i]) && strchr("-_.", text[i]) == NULL)
            return false;
    }
    return true;
}

/* Adds the value as a label or, if it is not valid as the value of a label, as the annotation with the
 * same key, which is also read. `labels`: labels are being written; false: annotations. */
static void add_labelled(struct yk_json *json, const char *key, const char *value, bool labels)
{
    if (is_label_value(value) == labels)
        add_some(json, key, value);
}

static void add_labels(struct yk_json *json, const struct yk_placeholder_draft *draft)
{
    static const char *const ours[] = {YK_KEY_APP_ID, YK_KEY_QUEUE, YK_KEY_USERNAME};
    open_object(json, "labels");
    add_pairs(json, &draft->group->labels, ours, YK_COUNT(ours));
    add_labelled(json, YK_KEY_APP_ID, draft->application_id, true);
    add_labelled(json, YK_KEY_QUEUE, draft->queue, true);
    add_some(json, YK_KEY_USERNAME, draft->user_label);
    yk_json_object_end(json);
}

static void add_annotations(struct yk_json *json, const struct yk_placeholder_draft *draft)
{
    static const char *const ours[] = {YK_KEY_APP_ID,      YK_KEY_QUEUE,           YK_KEY_USER_INFO,
                                       YK_KEY_PLACEHOLDER, YK_KEY_TASK_GROUP_NAME, YK_KEY_TASK_GROUPS,
                                       YK_KEY_POLICY};
    open_object(json, "annotations");
    add_pairs(json, &draft->group->annotations, ours, YK_COUNT(ours));
    add_labelled(json, YK_KEY_APP_ID, draft->application_id, false);
    add_labelled(json, YK_KEY_QUEUE, draft->queue, false);
    add_text(json, YK_KEY_PLACEHOLDER, "true");
    yk_json_key(json, YK_KEY_TASK_GROUP_NAME);
    yk_json_str(json, draft->group->name);
    add_some(json, YK_KEY_TASK_GROUPS, draft->task_groups);
    add_some(json, YK_KEY_POLICY, draft->policy);
    yk_json_object_end(json);
}

static void add_owner(struct yk_json *json, const struct yk_placeholder_draft *draft)
{
    yk_json_key(json, "ownerReferences");
    yk_json_array_begin(json);
    yk_json_object_begin(json);
    add_text(json, "apiVersion", "v1");
    add_text(json, "kind", "Pod");
    add_text(json, "name", draft->owner_name);
    add_text(json, "uid", draft->owner_uid);
    add_bool(json, "controller", false);
    add_bool(json, "blockOwnerDeletion", true);
    yk_json_object_end(json);
    yk_json_array_end(json);
}

static void add_metadata(struct yk_json *json, const struct yk_placeholder_draft *draft)
{
    open_object(json, "metadata");
    add_text(json, "name", draft->name);
    add_text(json, "namespace", draft->namespace_);
    add_labels(json, draft);
    add_annotations(json, draft);
    add_owner(json, draft);
    yk_json_object_end(json);
}

static void add_resources(struct yk_json *json, const struct yk_pairs *resources)
{
    open_object(json, "resources");
    for (int i = 0; i < 2; i++) {
        open_object(json, i == 0 ? "requests" : "limits");
        add_pairs(json, resources, NULL, 0);
        yk_json_object_end(json);
    }
    yk_json_object_end(json);
}

static void add_container(struct yk_json *json, const struct yk_placeholder_draft *draft)
{
    yk_json_key(json, "containers");
    yk_json_array_begin(json);
    yk_json_object_begin(json);
    add_text(json, "name", "pause");
    add_text(json, "image", draft->look->image);
    add_text(json, "imagePullPolicy", "IfNotPresent");
    add_resources(json, &draft->group->resources);
    open_object(json, "securityContext");
    add_bool(json, "privileged", false);
    add_bool(json, "allowPrivilegeEscalation", false);
    add_bool(json, "readOnlyRootFilesystem", true);
    yk_json_key(json, "capabilities");
    yk_json_raw(json, YK_STR("{\"drop\":[\"ALL\"]}"));
    yk_json_object_end(json);
    yk_json_object_end(json);
    yk_json_array_end(json);
}

static void add_security_context(struct yk_json *json, const struct yk_placeholder_look *look)
{
    open_object(json, "securityContext");
    add_bool(json, "runAsNonRoot", true);
    yk_json_key(json, "seccompProfile");
    yk_json_raw(json, YK_STR("{\"type\":\"RuntimeDefault\"}"));
    add_number(json, "runAsUser", look->run_as_user);
    add_number(json, "runAsGroup", look->run_as_group);
    add_number(json, "fsGroup", look->fs_group);
    yk_json_object_end(json);
}

static void add_pull_secrets(struct yk_json *json, const char *secrets)
{
    struct yk_str rest = yk_str_from(secrets), name;
    if (yk_str_empty(rest))
        return;
    yk_json_key(json, "imagePullSecrets");
    yk_json_array_begin(json);
    while (yk_str_split(&rest, ',', &name)) {
        yk_json_object_begin(json);
        yk_json_key(json, "name");
        yk_json_str(json, name);
        yk_json_object_end(json);
    }
    yk_json_array_end(json);
}

static void add_spec(struct yk_json *json, const struct yk_placeholder_draft *draft)
{
    const struct yk_gang_group *group = draft->group;
    open_object(json, "spec");
    add_text(json, "schedulerName", YK_SCHEDULER_NAME);
    add_text(json, "restartPolicy", "Never");
    yk_json_key(json, "terminationGracePeriodSeconds");
    yk_json_int(json, 0);
    add_bool(json, "hostNetwork", false);
    add_bool(json, "automountServiceAccountToken", false);
    add_bool(json, "enableServiceLinks", false);
    add_some(json, "priorityClassName", draft->priority_class);
    add_pull_secrets(json, draft->pull_secrets);
    if (group->node_selector.count > 0) {
        open_object(json, "nodeSelector");
        add_pairs(json, &group->node_selector, NULL, 0);
        yk_json_object_end(json);
    }
    add_raw(json, "tolerations", group->tolerations);
    add_raw(json, "affinity", group->affinity);
    add_raw(json, "topologySpreadConstraints", group->spread);
    add_security_context(json, draft->look);
    add_container(json, draft);
    yk_json_object_end(json);
}

void yk_encode_placeholder(struct yk_buf *body, const struct yk_placeholder_draft *draft)
{
    struct yk_json writer, *json = &writer;
    yk_json_init(json, body);
    yk_json_object_begin(json);
    add_text(json, "apiVersion", "v1");
    add_text(json, "kind", "Pod");
    add_metadata(json, draft);
    add_spec(json, draft);
    yk_json_object_end(json);
}
