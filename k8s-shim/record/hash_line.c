/* SPDX-License-Identifier: Apache-2.0 */
#include "record/hash_line.h"

#include "api/json_reader.h"
#include "api/object_json.h"
#include "api/pod_keys.h"
#include "app/placeholder_pod.h"
#include "cache/config_merge.h"
#include "config/setting_table.h"
#include "record/line.h"

#include <jansson.h>

struct placeholder {
    char *key; /* owned; namespace, "/" and name */
    char name[YK_PLACEHOLDER_NAME_MAX + 1];
};

/* ---- texts ---- */

static void put(struct yk_line_hasher *hasher, struct yk_str text, enum yk_pseudonym_text of,
                struct yk_buf *out)
{
    if (hasher->learns)
        yk_pseudonyms_learn(hasher->pseudonyms, text, of);
    else
        yk_pseudonyms_rewrite(hasher->pseudonyms, text, of, out);
}

static json_t *text_of(const struct yk_buf *text)
{
    return json_stringn_nocheck(text->len > 0 ? text->p : "", text->len);
}

static json_t *hash_text(struct yk_line_hasher *hasher, struct yk_str text, enum yk_pseudonym_text of)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
    put(hasher, text, of, &out);
    return text_of(&out);
}

static struct yk_str view_of(const json_t *text)
{
    return (struct yk_str){json_string_value(text), json_string_length(text)};
}

/* Whether the text has the form of the UIDs that API servers make. */
static bool is_uid(struct yk_str text)
{
    static const char digits[] = "0123456789abcdefABCDEF-";
    for (size_t i = 0; i < text.len; i++) {
        if (strchr(digits, text.p[i]) == NULL || text.p[i] == '\0')
            return false;
    }
    return text.len == 36;
}

static bool is_one_of(const char *key, const char *const *keys, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(key, keys[i]) == 0)
            return true;
    }
    return false;
}

/* Whether the field is a map with keys that users choose. */
static bool is_map(const char *key)
{
    static const char *const keys[] = {
        "labels",   "annotations", "matchLabels", "nodeSelector",       "data", "allocatable", "capacity",
        "requests", "limits",      "overhead",    "allocatedResources",
    };
    return is_one_of(key, keys, YK_COUNT(keys));
}

static bool is_sentence(const char *key)
{
    static const char *const keys[] = {"message", "reason", "fault", "failure", "end"};
    return is_one_of(key, keys, YK_COUNT(keys));
}

static bool is_setting(const char *key)
{
    for (size_t i = 0; i < yk_setting_row_count; i++) {
        if (strcmp(key, yk_setting_rows[i].key) == 0)
            return true;
    }
    return false;
}

/* ---- trees ---- */

static json_t *hash_value(struct yk_line_hasher *hasher, const char *key, const json_t *value);

/* Learns or rewrites an entry of `binaryData` of a ConfigMap: the text of a compressed configuration. */
static json_t *hash_binary(struct yk_line_hasher *hasher, struct yk_str key, struct yk_str base64)
{
    YK_CLEANUP(yk_buf_done)
    struct yk_buf bytes = {0}, text = {.max = 4 << 20}, hashed = {0}, packed = {0}, out = {0};
    if (yk_base64_decode(base64, &bytes, NULL) != YK_OK || !yk_config_key_is_packed(key) ||
        yk_gunzip(yk_buf_view(&bytes), &text, NULL) != YK_OK)
        return json_string(""); /* such an entry has no effect on the scheduler */
    put(hasher, yk_buf_view(&text), YK_PSEUDONYM_NAME, &hashed);
    if (hasher->learns)
        return json_string("");
    yk_gzip(yk_buf_view(&hashed), &packed);
    yk_base64_encode(yk_buf_view(&packed), &out);
    return text_of(&out);
}

static json_t *hash_object(struct yk_line_hasher *hasher, const char *key, const json_t *object)
{
    bool has_binaries = strcmp(key, "binaryData") == 0, is_keyed = has_binaries || is_map(key);
    json_t *out = json_object(), *value;
    const char *member;
    json_object_foreach((json_t *)(uintptr_t)object, member, value)
    {
        YK_CLEANUP(yk_buf_done) struct yk_buf name = {0};
        struct yk_str text = yk_str_from(member);
        bool is_renamed = is_keyed && !is_setting(member);
        if (is_renamed)
            put(hasher, text, YK_PSEUDONYM_NAME, &name);
        json_t *hashed = has_binaries ? hash_binary(hasher, text, view_of(value))
                                      : hash_value(hasher, is_keyed ? "" : member, value);
        (void)json_object_set_new_nocheck(out, is_renamed ? yk_buf_cstr(&name) : member,
                                          hashed); /* fails only if memory is exhausted */
    }
    return out;
}

static json_t *hash_array(struct yk_line_hasher *hasher, const char *key, const json_t *array)
{
    json_t *out = json_array(), *value;
    size_t index;
    json_array_foreach(array, index, value)(void)
        json_array_append_new(out, hash_value(hasher, key, value)); /* fails only if memory is exhausted */
    return out;
}

/* Learns the texts of `value`, or rewrites them. `key`: the key of the field with this value. The caller
 * drops the reference of the result. */
static json_t *hash_value(struct yk_line_hasher *hasher, const char *key, const json_t *value)
{
    struct yk_str text = view_of(value);
    if (json_is_object(value))
        return hash_object(hasher, key, value);
    if (json_is_array(value))
        return hash_array(hasher, key, value);
    if (!json_is_string(value))
        return json_incref((json_t *)(uintptr_t)value);
    if (strcmp(key, "uid") == 0 && is_uid(text))
        return json_incref((json_t *)(uintptr_t)value);
    return hash_text(hasher, text, is_sentence(key) ? YK_PSEUDONYM_SENTENCE : YK_PSEUDONYM_NAME);
}

/* ---- placeholders ---- */

static struct yk_str key_of(struct yk_str namespace_, struct yk_str name, struct yk_buf *key)
{
    yk_buf_str(key, namespace_);
    yk_buf_char(key, '/');
    yk_buf_str(key, name);
    return yk_buf_view(key);
}

static struct yk_str application_of(const struct yk_object *object)
{
    static const char *const keys[] = {YK_KEY_APP_ID, YK_KEY_OLD_APP_ID, YK_KEY_SPARK};
    for (size_t i = 0; i < 2 * YK_COUNT(keys); i++) {
        const struct yk_pairs *pairs = i % 2 == 0 ? &object->labels : &object->annotations;
        struct yk_str id = yk_pairs_get(pairs, keys[i / 2]);
        if (!yk_str_empty(id))
            return id;
    }
    return (struct yk_str){0};
}

/* Sets `*ret` to the number of the pod in its task group, from which the name of a placeholder is derived.
 * False: no number gives the name of this pod. */
static bool find_member(const struct yk_pod *pod, const char *application, const char *owner,
                        const char *group, uint32_t *ret)
{
    for (uint32_t member = 0; member <= YK_GANG_MEMBERS_MAX; member++) {
        char name[YK_PLACEHOLDER_NAME_MAX + 1];
        yk_placeholder_name(application, owner, group, member, name);
        if (yk_str_is(pod->object.name, name)) {
            *ret = member;
            return true;
        }
    }
    return false;
}

static char *hashed_text(struct yk_line_hasher *hasher, struct yk_str text)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
    yk_pseudonyms_rewrite(hasher->pseudonyms, text, YK_PSEUDONYM_NAME, &out);
    return yk_buf_take(&out);
}

static void name_placeholder(struct yk_line_hasher *hasher, const struct yk_pod *pod, struct placeholder *to)
{
    const struct yk_owner_ref *owner = yk_placeholder_owner(pod);
    YK_CLEANUP(yk_freep) char *application = yk_str_dup(application_of(&pod->object));
    YK_CLEANUP(yk_freep) char *group = yk_str_dup(yk_pod_task_group(pod));
    YK_CLEANUP(yk_freep) char *uid = yk_str_dup(owner != NULL ? owner->uid : (struct yk_str){0});
    YK_CLEANUP(yk_freep) char *new_application = hashed_text(hasher, yk_str_from(application));
    YK_CLEANUP(yk_freep) char *new_group = hashed_text(hasher, yk_str_from(group));
    uint32_t member;
    if (owner != NULL && find_member(pod, application, uid, group, &member))
        yk_placeholder_name(new_application, uid, new_group, member, to->name);
}

static void learn_placeholder(struct yk_line_hasher *hasher, const struct yk_pod *pod)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    struct yk_str key = key_of(pod->object.namespace_, pod->object.name, &text);
    if (hasher->learns || !yk_pod_is_placeholder(pod) || yk_strmap_get(&hasher->placeholders, key) != NULL)
        return;
    struct placeholder *placeholder = yk_new0(struct placeholder);
    name_placeholder(hasher, pod, placeholder);
    placeholder->key = yk_buf_take(&text);
    (void)yk_strmap_put(&hasher->placeholders, yk_str_from(placeholder->key), placeholder); /* a new key */
}

void yk_line_hasher_put_name(const struct yk_line_hasher *hasher, struct yk_str namespace_,
                             struct yk_str name, struct yk_buf *out)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf key = {0};
    const struct placeholder *placeholder =
        yk_strmap_get(&hasher->placeholders, key_of(namespace_, name, &key));
    if (placeholder != NULL && placeholder->name[0] != '\0')
        yk_buf_text(out, placeholder->name);
    else
        yk_pseudonyms_rewrite(hasher->pseudonyms, name, YK_PSEUDONYM_NAME, out);
}

static void put_new_name(const struct yk_line_hasher *hasher, const struct yk_object *object, json_t *tree)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf name = {0};
    yk_line_hasher_put_name(hasher, object->namespace_, object->name, &name);
    (void)json_object_set_new_nocheck(json_object_get(tree, "metadata"), "name",
                                      text_of(&name)); /* fails only if memory is exhausted */
}

/* ---- objects ---- */

/* A new tree of the object, with the fields that the scheduler reads. NULL: the text of the object is too
 * long. */
static json_t *tree_of(const struct yk_object *object)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = YK_RECORD_LINE_MAX};
    struct yk_json json;
    json_t *tree = NULL;
    yk_json_init(&json, &text);
    yk_object_to_json(object, &json);
    if (text.failed || yk_json_parse(yk_buf_view(&text), &tree, NULL) != YK_OK)
        return NULL;
    return tree;
}

static enum yk_status add_object(struct yk_line_hasher *hasher, const json_t *line, json_t *out,
                                 struct yk_err *err)
{
    const json_t *given = json_object_get(line, "object");
    enum yk_kind kind;
    struct yk_object *object = NULL;
    if (given == NULL)
        return YK_OK;
    if (!yk_record_kind_of(json_string_value(json_object_get(line, "kind")), &kind))
        return yk_fail(err, YK_ERR_INVALID, "'kind' is not known");
    enum yk_status st = yk_object_from_tree(kind, given, &object, err);
    if (st != YK_OK)
        return yk_fail_in(err, st, "object");
    json_t *tree = tree_of(object);
    if (tree == NULL)
        st = yk_fail(err, YK_ERR_LIMIT, "the object is too large for a line");
    if (st == YK_OK && kind == YK_KIND_POD)
        learn_placeholder(hasher, (const struct yk_pod *)(const void *)object);
    if (st == YK_OK) {
        json_t *hashed = hash_value(hasher, "object", tree);
        if (!hasher->learns)
            put_new_name(hasher, object, hashed);
        (void)json_object_set_new(out, "object", hashed); /* fails only if memory is exhausted */
    }
    json_decref(tree);
    yk_object_free(object);
    return st;
}

/* ---- lines ---- */

/* Members of lines, except "object", "name", "body" and "hash", in the order in which they are written: those that
 * say what a line is come first (docs/record.md, "The file"). */
static const struct {
    const char *key;
    bool is_named; /* the value contains names; false: it is a number, a boolean, or a word of the recorder */
} members[] = {
    {"recording", false},  {"step", false},
    {"event", false},      {"answer", false},
    {"groups", false},     {"configuration", false},
    {"order", false},      {"timers", false},
    {"work", false},       {"turns", false},
    {"do", false},         {"end", true},
    {"program", false},    {"wall", false},
    {"mono", false},       {"namespace", true},
    {"hostname", true},    {"seed", false},
    {"standby", false},    {"noReservations", false},
    {"readsAside", false}, {"directory", true},
    {"kind", false},       {"read", false},
    {"fault", true},       {"result", false},
    {"status", false},     {"now", false},
    {"reason", true},      {"retryAfter", false},
    {"of", true},          {"failure", true},
    {"number", false},     {"uid", true},
    {"node", true},        {"decisions", false},
};

/* A value without names. Arrays, objects and texts that do not look like a word of the recorder become null,
 * because they could contain names. */
static json_t *plain_value(const json_t *value)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .-+";
    const char *text = json_string_value(value);
    bool is_word = text != NULL && strlen(text) <= 64 && strspn(text, allowed) == strlen(text);
    if (json_is_object(value) || json_is_array(value) || (text != NULL && !is_word))
        return json_null();
    return json_incref((json_t *)(uintptr_t)value);
}

static void add_members(struct yk_line_hasher *hasher, const json_t *line, json_t *out)
{
    for (size_t i = 0; i < YK_COUNT(members); i++) {
        const json_t *value = json_object_get(line, members[i].key);
        if (value == NULL)
            continue;
        json_t *hashed = members[i].is_named ? hash_value(hasher, members[i].key, value) : plain_value(value);
        (void)json_object_set_new(out, members[i].key, hashed); /* fails only if memory is exhausted */
    }
}

/* Adds the member "name" of a decision, which may be the name of a placeholder. */
static void add_name(struct yk_line_hasher *hasher, const json_t *line, json_t *out)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    const json_t *name = json_object_get(line, "name");
    if (!json_is_string(name))
        return;
    if (hasher->learns)
        yk_pseudonyms_learn(hasher->pseudonyms, view_of(name), YK_PSEUDONYM_NAME);
    else
        yk_line_hasher_put_name(hasher, view_of(json_object_get(line, "namespace")), view_of(name), &text);
    (void)json_object_set_new(out, "name", text_of(&text)); /* fails only if memory is exhausted */
}

static enum yk_status hash_line(struct yk_line_hasher *hasher, const json_t *line, json_t *out,
                                struct yk_err *err)
{
    add_members(hasher, line, out);
    add_name(hasher, line, out);
    return add_object(hasher, line, out, err);
}

enum yk_status yk_line_hasher_learn(struct yk_line_hasher *hasher, const json_t *line, struct yk_err *err)
{
    json_t *out = json_object();
    enum yk_status st = hash_line(hasher, line, out, err);
    json_decref(out);
    return st;
}

enum yk_status yk_line_hasher_seal(struct yk_line_hasher *hasher, struct yk_err *err)
{
    hasher->learns = false;
    return yk_pseudonyms_seal(hasher->pseudonyms, err);
}

enum yk_status yk_line_hasher_write(struct yk_line_hasher *hasher, const json_t *line, struct yk_buf *out,
                                    struct yk_err *err)
{
    json_t *hashed = json_object();
    enum yk_status st = hash_line(hasher, line, hashed, err);
    char *text = st == YK_OK ? json_dumps(hashed, JSON_COMPACT) : NULL;
    if (st == YK_OK && text == NULL)
        st = yk_fail(err, YK_ERR_INVALID, "a text is not UTF-8");
    yk_buf_text(out, text != NULL ? text : "");
    free(text);
    json_decref(hashed);
    return st;
}

/* ---- life ---- */

void yk_line_hasher_init(struct yk_line_hasher *hasher)
{
    *hasher = (struct yk_line_hasher){.pseudonyms = yk_pseudonyms_new(), .learns = true};
}

void yk_line_hasher_done(struct yk_line_hasher *hasher)
{
    struct placeholder *placeholder;
    yk_strmap_foreach (placeholder, &hasher->placeholders) {
        free(placeholder->key);
        free(placeholder);
    }
    yk_strmap_done(&hasher->placeholders);
    yk_pseudonyms_free(hasher->pseudonyms);
}
