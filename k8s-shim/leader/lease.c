/* SPDX-License-Identifier: Apache-2.0 */
#include "leader/lease.h"

#include "api/json_reader.h"
#include "base/clock.h"

#include <jansson.h>

/* ---- reading ---- */

static enum yk_status read_text(const json_t *spec, const char *key, char **ret_text, struct yk_err *err)
{
    const json_t *value = json_object_get(spec, key);
    if (value == NULL || json_is_null(value)) {
        *ret_text = yk_strdup("");
        return YK_OK;
    }
    const char *text = json_string_value(value);
    if (text == NULL || strlen(text) != json_string_length(value))
        return yk_fail(err, YK_ERR_INVALID, "spec.%s is not a string", key);
    *ret_text = yk_strdup(text);
    return YK_OK;
}

static enum yk_status read_i32(const json_t *spec, const char *key, int32_t *ret_value, struct yk_err *err)
{
    const json_t *value = json_object_get(spec, key);
    json_int_t number = 0;
    if (value != NULL && !json_is_null(value)) {
        number = json_integer_value(value);
        if (!json_is_integer(value) || number < 0 || number > INT32_MAX)
            return yk_fail(err, YK_ERR_INVALID, "spec.%s is not an integer from 0 to %d", key, INT32_MAX);
    }
    *ret_value = (int32_t)number;
    return YK_OK;
}

static enum yk_status read_spec(struct yk_lease *lease, struct yk_err *err)
{
    const json_t *spec = json_object_get(lease->tree, "spec");
    int32_t seconds = 0;
    if (!json_is_object(json_object_get(lease->tree, "metadata")))
        return yk_fail(err, YK_ERR_INVALID, "metadata is not an object");
    if (spec != NULL && !json_is_object(spec))
        return yk_fail(err, YK_ERR_INVALID, "spec is not an object");
    enum yk_status st = read_text(spec, "holderIdentity", &lease->holder, err);
    if (st == YK_OK)
        st = read_i32(spec, "leaseDurationSeconds", &seconds, err);
    if (st == YK_OK)
        st = read_i32(spec, "leaseTransitions", &lease->transitions, err);
    if (st != YK_OK)
        return st;
    lease->duration_ns = seconds * YK_NS_PER_S;
    lease->record = spec != NULL ? json_dumps(spec, JSON_COMPACT | JSON_SORT_KEYS) : yk_strdup("");
    return lease->record != NULL ? YK_OK : yk_fail(err, YK_ERR_INVALID, "spec cannot be written again");
}

enum yk_status yk_lease_read(struct yk_str text, struct yk_lease **ret_lease, struct yk_err *err)
{
    YK_CLEANUP(yk_lease_freep) struct yk_lease *lease = yk_new0(struct yk_lease);
    enum yk_status st = yk_json_parse(text, &lease->tree, err);
    if (st == YK_OK)
        st = read_spec(lease, err);
    if (st == YK_OK)
        *ret_lease = yk_move(lease);
    return st;
}

void yk_lease_free(struct yk_lease *lease)
{
    if (lease == NULL)
        return;
    json_decref(lease->tree);
    free(lease->record);
    free(lease->holder);
    free(lease);
}

bool yk_lease_same_record(const struct yk_lease *a, const struct yk_lease *b)
{
    return a != NULL && b != NULL && strcmp(a->record, b->record) == 0;
}

/* ---- writing ---- */

/* Fails only if `value` is NULL, because its text was not UTF-8. `object` does not change then. */
static void put(json_t *object, const char *key, json_t *value)
{
    (void)json_object_set_new(object, key, value);
}

static json_t *time_value(int64_t wall_ns)
{
    char text[YK_TIME_TEXT_MAX];
    yk_time_format(wall_ns, 6, text);
    return json_string(text);
}

static void put_claim(json_t *spec, const struct yk_lease_claim *claim, int32_t transitions)
{
    int64_t seconds = claim->duration_ns / YK_NS_PER_S + (claim->duration_ns % YK_NS_PER_S != 0);
    put(spec, "holderIdentity", json_string(claim->holder));
    put(spec, "leaseDurationSeconds", json_integer(YK_MAX(YK_MIN(seconds, INT32_MAX), 1)));
    put(spec, "renewTime", time_value(claim->now_wall_ns));
    if (claim->acquires)
        put(spec, "acquireTime", time_value(claim->now_wall_ns));
    if (claim->changes_hands)
        transitions += transitions < INT32_MAX;
    put(spec, "leaseTransitions", json_integer(transitions));
}

/* `tree` is taken. */
static void dump(struct yk_buf *body, json_t *tree)
{
    char *text = json_dumps(tree, JSON_COMPACT);
    if (text != NULL)
        yk_buf_text(body, text);
    free(text);
    json_decref(tree);
}

void yk_lease_write(struct yk_buf *body, const struct yk_lease *lease, const struct yk_lease_claim *claim)
{
    json_t *tree = json_deep_copy(lease->tree);
    if (json_object_get(tree, "spec") == NULL)
        put(tree, "spec", json_object());
    put_claim(json_object_get(tree, "spec"), claim, lease->transitions);
    dump(body, tree);
}

void yk_lease_write_new(struct yk_buf *body, const char *namespace_, const char *name,
                        const struct yk_lease_claim *claim)
{
    json_t *tree = json_object(), *meta = json_object(), *spec = json_object();
    put(tree, "apiVersion", json_string("coordination.k8s.io/v1"));
    put(tree, "kind", json_string("Lease"));
    put(meta, "name", json_string(name));
    put(meta, "namespace", json_string(namespace_));
    put(tree, "metadata", meta);
    put_claim(spec, claim, 0);
    put(tree, "spec", spec);
    dump(body, tree);
}
