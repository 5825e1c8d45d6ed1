/* SPDX-License-Identifier: Apache-2.0 */
#include "api/encode.h"

#include "base/clock.h"
#include "base/json_writer.h"

#include <inttypes.h>

enum { NAME_BYTES_MAX = 253, NAME_SUFFIX_BYTES = 17 }; /* of a DNS subdomain; of "." and 16 hex digits */

/* The longest beginning of `text` that is at most `max_bytes` long as UTF-8, cut between characters. */
static struct yk_str cut(const char *text, size_t max_bytes)
{
    struct yk_str rest = yk_str_from(text);
    size_t written = 0;
    if (rest.len <= max_bytes / 3)
        return rest; /* short enough even if each byte becomes the three bytes of U+FFFD */
    while (rest.len > 0) {
        size_t len = yk_utf8_bytes(rest);
        written += len > 0 ? len : 3; /* a byte that is no character becomes U+FFFD */
        if (written > max_bytes)
            break;
        rest.p += YK_MAX(len, (size_t)1);
        rest.len -= YK_MAX(len, (size_t)1);
    }
    return (struct yk_str){text, (size_t)(rest.p - text)};
}

static void add_cut(struct yk_json *json, const char *key, const char *text, size_t max_bytes)
{
    if (text == NULL || text[0] == '\0')
        return;
    yk_json_key(json, key);
    yk_json_str(json, cut(text, max_bytes));
}

static void add_text(struct yk_json *json, const char *key, const char *text)
{
    add_cut(json, key, text, SIZE_MAX);
}

static void add_time(struct yk_json *json, const char *key, int64_t wall_ns, int digits)
{
    char text[YK_TIME_TEXT_MAX];
    yk_time_format(wall_ns, digits, text);
    add_text(json, key, text);
}

static void open_member(struct yk_json *json, const char *key)
{
    yk_json_key(json, key);
    yk_json_object_begin(json);
}

/* Adds "metadata":{"uid":...,"resourceVersion":...} to a patch. The API server refuses the patch (409) for
 * an object with other values. `uid` NULL or "" and `version` 0 are left out. */
static void add_guard(struct yk_json *json, const char *uid, uint64_t version)
{
    bool has_uid = uid != NULL && uid[0] != '\0';
    char text[24];
    if (!has_uid && version == 0)
        return;
    open_member(json, "metadata");
    if (has_uid)
        add_text(json, "uid", uid);
    if (version != 0) {
        snprintf(text, sizeof(text), "%" PRIu64, version);
        add_text(json, "resourceVersion", text);
    }
    yk_json_object_end(json);
}

void yk_encode_binding(struct yk_buf *body, const char *namespace_, const char *pod, const char *uid,
                       const char *node)
{
    struct yk_json writer, *json = &writer;
    yk_json_init(json, body);
    yk_json_object_begin(json);
    add_text(json, "apiVersion", "v1");
    add_text(json, "kind", "Binding");
    open_member(json, "metadata");
    add_text(json, "namespace", namespace_);
    add_text(json, "name", pod);
    add_text(json, "uid", uid);
    yk_json_object_end(json);
    open_member(json, "target");
    add_text(json, "apiVersion", "v1");
    add_text(json, "kind", "Node");
    add_text(json, "name", node);
    yk_json_object_end(json);
    yk_json_object_end(json);
}

void yk_encode_pod_condition(struct yk_buf *body, const struct yk_condition_patch *patch)
{
    struct yk_json writer, *json = &writer;
    yk_json_init(json, body);
    yk_json_object_begin(json);
    add_guard(json, patch->uid, patch->version);
    open_member(json, "status");
    yk_json_key(json, "conditions");
    yk_json_array_begin(json);
    yk_json_object_begin(json);
    add_text(json, "type", patch->type);
    add_text(json, "status", patch->status);
    if (patch->observed_generation != 0)
        yk_json_add_int(json, "observedGeneration", patch->observed_generation);
    if (patch->transition_wall_ns != 0)
        add_time(json, "lastTransitionTime", patch->transition_wall_ns, 0);
    add_cut(json, "reason", patch->reason, YK_EVENT_REASON_BYTES_MAX);
    add_cut(json, "message", patch->message, YK_CONDITION_MESSAGE_BYTES_MAX);
    yk_json_object_end(json);
    yk_json_array_end(json);
    yk_json_object_end(json);
    yk_json_object_end(json);
}

void yk_encode_pod_failed(struct yk_buf *body, const char *uid, const char *reason, const char *message)
{
    struct yk_json writer, *json = &writer;
    yk_json_init(json, body);
    yk_json_object_begin(json);
    add_guard(json, uid, 0);
    open_member(json, "status");
    add_text(json, "phase", "Failed");
    add_cut(json, "reason", reason, YK_EVENT_REASON_BYTES_MAX);
    add_cut(json, "message", message, YK_CONDITION_MESSAGE_BYTES_MAX);
    yk_json_object_end(json);
    yk_json_object_end(json);
}

void yk_encode_disruption_target(struct yk_buf *body, const char *uid, const char *message, int64_t wall_ns,
                                 int64_t generation)
{
    yk_encode_pod_condition(body, &(struct yk_condition_patch){.uid = uid,
                                                               .type = "DisruptionTarget",
                                                               .status = "True",
                                                               .reason = "PreemptionByScheduler",
                                                               .message = message,
                                                               .transition_wall_ns = wall_ns,
                                                               .observed_generation = generation});
}

void yk_encode_delete_options(struct yk_buf *body, const char *uid)
{
    struct yk_json writer, *json = &writer;
    yk_json_init(json, body);
    yk_json_object_begin(json);
    add_text(json, "apiVersion", "v1");
    add_text(json, "kind", "DeleteOptions");
    if (uid != NULL && uid[0] != '\0') {
        open_member(json, "preconditions");
        add_text(json, "uid", uid);
        yk_json_object_end(json);
    }
    yk_json_object_end(json);
}

static void add_regarding(struct yk_json *json, const struct yk_event_regarding *regarding)
{
    open_member(json, "regarding");
    add_text(json, "apiVersion", regarding->api_version);
    add_text(json, "kind", regarding->kind);
    add_text(json, "namespace", regarding->namespace_);
    add_text(json, "name", regarding->name);
    add_text(json, "uid", regarding->uid);
    add_text(json, "resourceVersion", regarding->resource_version);
    yk_json_object_end(json);
}

static void add_series(struct yk_json *json, uint32_t count, int64_t last_wall_ns)
{
    open_member(json, "series");
    yk_json_key(json, "count");
    yk_json_uint(json, count);
    add_time(json, "lastObservedTime", last_wall_ns, 6);
    yk_json_object_end(json);
}

void yk_encode_event(struct yk_buf *body, const struct yk_event_draft *event)
{
    struct yk_json writer, *json = &writer;
    yk_json_init(json, body);
    yk_json_object_begin(json);
    add_text(json, "apiVersion", "events.k8s.io/v1");
    add_text(json, "kind", "Event");
    open_member(json, "metadata");
    add_text(json, "namespace", event->namespace_);
    add_text(json, "name", event->name);
    yk_json_object_end(json);
    add_time(json, "eventTime", event->event_wall_ns, 6);
    add_text(json, "reportingController", event->controller);
    add_cut(json, "reportingInstance", event->instance, YK_EVENT_REASON_BYTES_MAX);
    add_cut(json, "action", event->action, YK_EVENT_REASON_BYTES_MAX);
    add_cut(json, "reason", event->reason, YK_EVENT_REASON_BYTES_MAX);
    add_regarding(json, &event->regarding);
    add_cut(json, "note", event->note, YK_EVENT_NOTE_BYTES_MAX);
    add_text(json, "type", event->type);
    if (event->series_count >= 2)
        add_series(json, event->series_count, event->series_last_wall_ns);
    yk_json_object_end(json);
}

void yk_encode_event_series(struct yk_buf *body, uint32_t count, int64_t last_wall_ns)
{
    struct yk_json writer, *json = &writer;
    yk_json_init(json, body);
    yk_json_object_begin(json);
    add_series(json, count, last_wall_ns);
    yk_json_object_end(json);
}

/* Base64 as in RFC 4648, section 4. */
static void add_base64(struct yk_json *json, struct yk_str bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    for (size_t at = 0; at < bytes.len; at += 3) {
        size_t left = YK_MIN(bytes.len - at, (size_t)3);
        uint32_t group = 0;
        for (size_t i = 0; i < 3; i++)
            group = group << 8 | (i < left ? (uint8_t)bytes.p[at + i] : 0u);
        for (size_t i = 0; i < 4; i++)
            yk_buf_char(&text, i <= left ? digits[group >> (18 - 6 * i) & 63] : '=');
    }
    yk_json_str(json, yk_buf_view(&text));
}

static void add_null(struct yk_json *json, struct yk_str key)
{
    yk_json_key_str(json, key);
    yk_json_null(json);
}

static void add_packed(struct yk_json *json, const struct yk_config_patch *patch)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf key = {0};
    yk_buf_str(&key, patch->key);
    yk_buf_text(&key, ".gz");
    open_member(json, "binaryData");
    for (size_t i = 0; i < patch->stale_count; i++) {
        if (patch->packed.p == NULL || !yk_str_eq(patch->stale[i], yk_buf_view(&key)))
            add_null(json, patch->stale[i]);
    }
    if (patch->packed.p != NULL) {
        yk_json_key_str(json, yk_buf_view(&key));
        add_base64(json, patch->packed);
    }
    yk_json_object_end(json);
}

void yk_encode_config_patch(struct yk_buf *body, const struct yk_config_patch *patch)
{
    struct yk_json writer, *json = &writer;
    yk_json_init(json, body);
    yk_json_object_begin(json);
    open_member(json, "metadata");
    yk_json_key(json, "resourceVersion");
    yk_json_str(json, patch->resource_version);
    yk_json_object_end(json);
    open_member(json, "data");
    yk_json_key_str(json, patch->key);
    if (patch->packed.p == NULL)
        yk_json_str(json, patch->text);
    else
        yk_json_null(json);
    yk_json_object_end(json);
    if (patch->packed.p != NULL || patch->stale_count > 0)
        add_packed(json, patch);
    yk_json_object_end(json);
}

static void add_str(struct yk_json *json, const char *key, struct yk_str text)
{
    if (text.len == 0)
        return;
    yk_json_key(json, key);
    yk_json_str(json, text);
}

/* Adds the metadata of a patch: the resourceVersion to compare, and the annotation `key` to set. `key`
 * NULL: no annotation. `value` absent: the annotation is removed. */
static void add_guarded_annotation(struct yk_json *json, struct yk_str resource_version, const char *key,
                                   struct yk_str value)
{
    open_member(json, "metadata");
    yk_json_key(json, "resourceVersion");
    yk_json_str(json, resource_version);
    if (key != NULL) {
        open_member(json, "annotations");
        yk_json_key(json, key);
        if (value.len > 0)
            yk_json_str(json, value);
        else
            yk_json_null(json);
        yk_json_object_end(json);
    }
    yk_json_object_end(json);
}

void yk_encode_claim_ref(struct yk_buf *body, const struct yk_claim_ref_patch *patch)
{
    struct yk_json writer, *json = &writer;
    yk_json_init(json, body);
    yk_json_object_begin(json);
    add_guarded_annotation(json, patch->resource_version,
                           patch->by_controller ? YK_ANNOTATION_BOUND_BY_CONTROLLER : NULL, YK_STR("yes"));
    open_member(json, "spec");
    open_member(json, "claimRef");
    add_text(json, "kind", "PersistentVolumeClaim");
    add_str(json, "namespace", patch->claim->namespace_);
    add_str(json, "name", patch->claim->name);
    add_str(json, "uid", patch->claim->uid);
    add_text(json, "apiVersion", "v1");
    add_str(json, "resourceVersion", patch->claim->resource_version);
    yk_json_object_end(json);
    yk_json_object_end(json);
    yk_json_object_end(json);
}

void yk_encode_selected_node(struct yk_buf *body, struct yk_str resource_version, struct yk_str node)
{
    struct yk_json writer, *json = &writer;
    yk_json_init(json, body);
    yk_json_object_begin(json);
    add_guarded_annotation(json, resource_version, YK_ANNOTATION_SELECTED_NODE, node);
    yk_json_object_end(json);
}

void yk_uuid_add(struct yk_buf *name, struct yk_random *random)
{
    uint64_t high = (yk_random_u64(random) & ~UINT64_C(0xf000)) | UINT64_C(0x4000);
    uint64_t low = (yk_random_u64(random) & (UINT64_MAX >> 2)) | UINT64_C(1) << 63;
    yk_buf_printf(name, "%08llx-%04llx-%04llx-%04llx-%012llx", (unsigned long long)(high >> 32),
                  (unsigned long long)(high >> 16 & 0xffff), (unsigned long long)(high & 0xffff),
                  (unsigned long long)(low >> 48), (unsigned long long)(low & UINT64_C(0xffffffffffff)));
}

void yk_event_name(struct yk_buf *name, const char *object, int64_t wall_ns, struct yk_random *random)
{
    if (strlen(object) + NAME_SUFFIX_BYTES > NAME_BYTES_MAX)
        yk_uuid_add(name, random);
    else
        yk_buf_printf(name, "%s.%llx", object, (unsigned long long)wall_ns);
}
