/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/administration.h"

#include "api/encode.h"
#include "base/log.h"
#include "cache/config_merge.h"

#include <strings.h>

enum {
    /* of the largest ConfigMap without compression; the API server accepts 1 MiB */
    PLAIN_BYTES_MAX = 768 << 10,
    TEXT_MAX = YK_ERR_TEXT_MAX + 512,
};

/* A resourceVersion that no ConfigMap has. If the cache has no ConfigMap, the request names this version, and
 * so does not overwrite a ConfigMap that the cache does not know. */
static const char no_version[] = "1";

/* The context of a request. */
struct asked {
    struct yk_admin_question question;
    char *audiences; /* owned; of a token review */
    bool refresh;    /* of yk_admin_write_config() */
};

static struct yk_op *op_for(enum yk_op_kind kind, const struct yk_op_target *target,
                            const struct yk_admin_question *question, void (*done)(struct yk_op *op))
{
    struct yk_op *op = yk_op_new(kind, target);
    struct asked *asked = yk_new0(struct asked);
    asked->question = *question;
    op->context = asked;
    op->done = done;
    return op;
}

static void answer(struct yk_op *op, const struct yk_admin_answer *answer)
{
    struct asked *asked = op->context;
    asked->question.done(asked->question.asker, asked->question.ticket, answer);
    free(asked->audiences);
    free(asked);
    yk_op_free(op);
}

/* ---- the user of a token ---- */

static void reviewed(struct yk_op *op)
{
    char text[TEXT_MAX];
    if (op->result == YK_OP_OK) {
        const struct asked *asked = op->context;
        op->review->authenticated =
            op->review->authenticated && yk_token_review_is_for(op->review, yk_str_from(asked->audiences));
        answer(op, &(struct yk_admin_answer){.review = op->review});
        return;
    }
    if (op->result == YK_OP_INVALID || op->result == YK_OP_UNAUTHORIZED)
        yk_warn(yk_log_shim, "the API server does not review tokens for us", KV("err", yk_op_reason(op)));
    (void)snprintf(text, sizeof(text), "the API server cannot be asked whose token this is: %s",
                   yk_op_reason(op));
    answer(op, &(struct yk_admin_answer){.status = 503, .text = text});
}

void yk_admin_review_token(const struct yk_admin_question *question, const char *token,
                           struct yk_str audiences)
{
    struct yk_op *op = op_for(YK_OP_REVIEW_TOKEN, NULL, question, reviewed);
    ((struct asked *)op->context)->audiences = yk_str_dup(audiences);
    yk_token_review_encode(&op->body, token, audiences);
    yk_api_submit(question->api, op);
}

/* ---- what a user may do ---- */

static void access_reviewed(struct yk_op *op)
{
    char text[TEXT_MAX];
    struct yk_err err = {0};
    bool allowed = false;
    enum yk_status st = YK_ERR_UNAVAILABLE;
    if (op->result == YK_OP_OK)
        st = yk_access_review_read(yk_buf_view(&op->answer), &allowed, &err);
    if (st == YK_OK) {
        answer(op, &(struct yk_admin_answer){.allowed = allowed});
        return;
    }
    const char *why = op->result == YK_OP_OK ? err.text : yk_op_reason(op);
    if (op->result == YK_OP_INVALID || op->result == YK_OP_UNAUTHORIZED)
        yk_warn(yk_log_shim, "the API server does not review access for the scheduler", KV("err", why));
    (void)snprintf(text, sizeof(text), "the API server cannot be asked what this user may do: %s", why);
    answer(op, &(struct yk_admin_answer){.status = 503, .text = text});
}

void yk_admin_review_access(const struct yk_admin_question *question, const struct yk_access_question *access)
{
    struct yk_op *op = op_for(YK_OP_REVIEW_ACCESS, NULL, question, access_reviewed);
    yk_access_review_encode(&op->body, access);
    yk_api_submit(question->api, op);
}

/* ---- the configuration ---- */

static int refusal(const struct yk_op *op)
{
    switch (op->result) {
    case YK_OP_NOT_FOUND:
    case YK_OP_CONFLICT:
        return 409;
    case YK_OP_INVALID:
        return op->http_status == 422 || op->http_status == 413 ? 422 : 503;
    case YK_OP_OK:
    case YK_OP_GONE:
    case YK_OP_UNAUTHORIZED:
    case YK_OP_RETRY:
    case YK_OP_CANCELLED:
        break;
    }
    return 503;
}

static void written(struct yk_op *op)
{
    const struct asked *asked = op->context;
    char text[TEXT_MAX];
    char where[512];
    (void)snprintf(where, sizeof(where), "ConfigMap '%s/" YK_CONFIG_MAP_CONFIGS "'", op->namespace_);
    if (op->result == YK_OP_OK) {
        (void)snprintf(text, sizeof(text), "written to %s, takes effect %s", where,
                       asked->refresh ? "as soon as its change is seen"
                                      : "at the next start: hot refresh is off");
        answer(op, &(struct yk_admin_answer){.text = text});
        return;
    }
    if (op->result == YK_OP_NOT_FOUND)
        (void)snprintf(text, sizeof(text), "%s does not exist: it has to be created first", where);
    else if (op->result == YK_OP_CONFLICT)
        (void)snprintf(text, sizeof(text), "%s was changed by another client in the meantime", where);
    else
        (void)snprintf(text, sizeof(text), "%s could not be written%s: %s", where,
                       op->result == YK_OP_RETRY ? ", or it is not known whether it was" : "",
                       yk_op_reason(op));
    answer(op, &(struct yk_admin_answer){.status = refusal(op), .text = text});
}

/* Whether `key`, the key of a compressed entry, stands for the same file as `name`: it is that name with
 * ".gz". Such an entry would override the entry `name`. */
static bool hides(struct yk_str key, struct yk_str name)
{
    return key.len == name.len + 3 && memcmp(key.p, name.p, name.len) == 0 &&
           strncasecmp(key.p + name.len, ".gz", 3) == 0;
}

static size_t bytes_besides(const struct yk_config_map *map, struct yk_str name)
{
    size_t sum = 0;
    for (uint32_t i = 0; i < map->data.count; i++) {
        if (!yk_str_eq(map->data.items[i].key, name))
            sum += map->data.items[i].key.len + map->data.items[i].value.len;
    }
    for (uint32_t i = 0; i < map->binary_data.count; i++) {
        if (!hides(map->binary_data.items[i].key, name))
            sum += map->binary_data.items[i].key.len + map->binary_data.items[i].value.len;
    }
    return sum;
}

/* Sets `*ret` to a new array with the keys of the compressed entries for `name`; the caller frees the array.
 * Returns the number of keys. */
static size_t find_stale(const struct yk_config_map *map, struct yk_str name, struct yk_str **ret)
{
    size_t count = 0;
    *ret = yk_new0_array(struct yk_str, (size_t)map->binary_data.count + 1);
    for (uint32_t i = 0; i < map->binary_data.count; i++) {
        if (hides(map->binary_data.items[i].key, name))
            (*ret)[count++] = map->binary_data.items[i].key;
    }
    return count;
}

enum yk_status yk_admin_write_config(const struct yk_admin_question *question,
                                     const struct yk_admin_config *config, struct yk_err *err)
{
    static const struct yk_config_map none;
    const struct yk_config_map *map = config->map != NULL ? config->map : &none;
    YK_CLEANUP(yk_buf_done) struct yk_buf name = {0}, packed = {0};
    YK_CLEANUP(yk_freep) struct yk_str *stale = NULL;
    if (config->text.len > YK_CONFIG_UNPACKED_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "a configuration of %zu bytes (%d allowed)", config->text.len,
                       YK_CONFIG_UNPACKED_MAX);
    yk_buf_text(&name, config->policy_group);
    yk_buf_text(&name, ".yaml");
    struct yk_config_patch patch = {
        .resource_version =
            config->map != NULL ? config->map->object.resource_version : yk_str_from(no_version),
        .key = yk_buf_view(&name),
        .text = config->text,
    };
    patch.stale_count = find_stale(map, patch.key, &stale);
    patch.stale = stale;
    if (patch.stale_count > 0 || config->text.len + bytes_besides(map, patch.key) > PLAIN_BYTES_MAX) {
        yk_gzip(config->text, &packed);
        patch.packed = yk_buf_view(&packed);
    }
    const struct yk_op_target target = {.namespace_ = yk_str_from(config->namespace_),
                                        .name = YK_STR(YK_CONFIG_MAP_CONFIGS)};
    struct yk_op *op = op_for(YK_OP_PATCH_CONFIG_MAP, &target, question, written);
    ((struct asked *)op->context)->refresh = config->refresh;
    yk_encode_config_patch(&op->body, &patch);
    if (op->body.failed) {
        free(op->context);
        yk_op_free(op);
        return yk_fail(err, YK_ERR_LIMIT, "the configuration is too large for a ConfigMap");
    }
    yk_api_submit(question->api, op);
    return YK_OK;
}
