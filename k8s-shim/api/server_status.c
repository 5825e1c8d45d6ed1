/* SPDX-License-Identifier: Apache-2.0 */
#include "api/server_status.h"

#include "api/json_priv.h"
#include "api/json_reader.h"
#include "api/protobuf_priv.h"
#include "api/protobuf_reader.h"

#include <jansson.h>

YK_LIST_CHECK(struct yk_server_status, causes, cause_count);

static const struct yk_field cause_fields[] = {
    YK_TEXT("reason", 1, struct yk_status_cause, reason),
    YK_TEXT("message", 2, struct yk_status_cause, message),
    YK_TEXT("field", 3, struct yk_status_cause, field),
};
static const struct yk_fields cause = YK_FIELDS(cause_fields, false);

static const struct yk_field details_fields[] = {
    YK_LIST("causes", 4, struct yk_server_status, causes, &cause),
    YK_I32("retryAfterSeconds", 5, struct yk_server_status, retry_after_s),
};
static const struct yk_fields details = YK_FIELDS(details_fields, true);

static const struct yk_field status_fields[] = {
    YK_TEXT("status", 2, struct yk_server_status, status),
    YK_TEXT("message", 3, struct yk_server_status, message),
    YK_TEXT("reason", 4, struct yk_server_status, reason),
    YK_NESTED("details", 5, 0, &details),
    YK_I32("code", 6, struct yk_server_status, code),
};
static const struct yk_fields status_table = YK_FIELDS(status_fields, false);

static enum yk_status take(yk_walk *walk, const void *source, struct yk_server_status *ret,
                           struct yk_err *err)
{
    struct yk_arena arena = {0};
    char *base = NULL;
    enum yk_status st = yk__read_block(walk, &status_table, source, sizeof(*ret), &arena, &base, err);
    if (st != YK_OK) {
        yk_arena_done(&arena);
        return yk_fail_in(err, st, "Status");
    }
    *ret = *(const struct yk_server_status *)(const void *)base;
    ret->arena = arena;
    return YK_OK;
}

enum yk_status yk__server_status_from_tree(const json_t *tree, struct yk_server_status *ret,
                                           struct yk_err *err)
{
    const char *kind = json_string_value(json_object_get(tree, "kind"));
    if (kind == NULL || strcmp(kind, "Status") != 0)
        return yk_fail(err, YK_ERR_INVALID, "'%s' is not a Status", kind != NULL ? kind : "");
    return take(yk__json_walk, tree, ret, err);
}

static enum yk_status read_json(struct yk_str bytes, struct yk_server_status *ret, struct yk_err *err)
{
    json_t *tree = NULL;
    enum yk_status st = yk_json_parse(bytes, &tree, err);
    if (st != YK_OK)
        return yk_fail_in(err, st, "Status");
    st = yk__server_status_from_tree(tree, ret, err);
    json_decref(tree);
    return st;
}

static enum yk_status read_protobuf(struct yk_str bytes, struct yk_server_status *ret, struct yk_err *err)
{
    struct yk_envelope envelope;
    if (bytes.len > YK_PROTOBUF_BYTES_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "Status of %zu bytes is larger than %d", bytes.len,
                       YK_PROTOBUF_BYTES_MAX);
    enum yk_status st = yk_envelope_open(bytes, &envelope, err);
    if (st != YK_OK)
        return yk_fail_in(err, st, "Status");
    if (!yk_str_is(envelope.kind, "Status"))
        return yk_fail(err, YK_ERR_INVALID, "'" YK_STR_FMT "' is not a Status", YK_STR_ARG(envelope.kind));
    return take(yk__protobuf_walk, &envelope.raw, ret, err);
}

enum yk_status yk_server_status_read(enum yk_wire_format format, struct yk_str bytes,
                                     struct yk_server_status *ret, struct yk_err *err)
{
    return format == YK_WIRE_JSON ? read_json(bytes, ret, err) : read_protobuf(bytes, ret, err);
}

void yk_server_status_done(struct yk_server_status *status)
{
    yk_arena_done(&status->arena);
    *status = (struct yk_server_status){0};
}

bool yk_server_status_has_cause(const struct yk_server_status *status, const char *reason, const char *field)
{
    for (uint32_t i = 0; i < status->cause_count; i++) {
        const struct yk_status_cause *c = &status->causes[i];
        if ((reason != NULL && yk_str_is(c->reason, reason)) || (field != NULL && yk_str_is(c->field, field)))
            return true;
    }
    return false;
}
