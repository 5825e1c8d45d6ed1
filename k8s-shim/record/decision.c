/* SPDX-License-Identifier: Apache-2.0 */
#include "record/decision.h"

#include "base/json_writer.h"

#include <openssl/evp.h>

enum { DIGEST_BYTES = 32, BODY_DIGEST_BYTES = 8 };

static const char *const op_names[] = {
    [YK_OP_BIND] = "bind",
    [YK_OP_PATCH_POD_STATUS] = "patch status",
    [YK_OP_DELETE_POD] = "delete",
    [YK_OP_CREATE_POD] = "create",
    [YK_OP_CREATE_EVENT] = "create event",
    [YK_OP_PATCH_EVENT] = "patch event",
    [YK_OP_PATCH_VOLUME] = "patch volume",
    [YK_OP_PATCH_CLAIM] = "patch claim",
};

/* ---- the hash ---- */

static EVP_MD_CTX *new_sha256(void)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool ok = context != NULL && EVP_DigestInit_ex(context, EVP_sha256(), NULL) == 1;
    (void)YK_ASSERT(ok); /* OpenSSL always has SHA-256 */
    return context;
}

void yk_decisions_init(struct yk_decisions *decisions)
{
    *decisions = (struct yk_decisions){.hash = new_sha256(), .body = new_sha256()};
}

void yk_decisions_done(struct yk_decisions *decisions)
{
    EVP_MD_CTX_free(decisions->hash);
    EVP_MD_CTX_free(decisions->body);
    decisions->hash = decisions->body = NULL;
}

void yk_decisions_add(struct yk_decisions *decisions, struct yk_str line)
{
    decisions->count++;
    EVP_DigestUpdate(decisions->hash, line.p, line.len);
    EVP_DigestUpdate(decisions->hash, "\n", 1);
}

/* Writes hexadecimal digits and a NUL. snprintf() would take as long as the digest. */
static void put_hex(const unsigned char *bytes, size_t count, char *text)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < count; i++) {
        text[2 * i] = digits[bytes[i] >> 4];
        text[2 * i + 1] = digits[bytes[i] & 15];
    }
    text[2 * count] = '\0';
}

void yk_decisions_hash(const struct yk_decisions *decisions, char ret_hash[YK_DECISION_HASH_TEXT])
{
    unsigned char digest[EVP_MAX_MD_SIZE] = {0};
    EVP_MD_CTX *copy = EVP_MD_CTX_new();
    bool ok = copy != NULL && EVP_MD_CTX_copy_ex(copy, decisions->hash) == 1 &&
              EVP_DigestFinal_ex(copy, digest, NULL) == 1;
    EVP_MD_CTX_free(copy);
    (void)YK_ASSERT(ok); /* OpenSSL always has SHA-256 */
    put_hex(digest, DIGEST_BYTES, ret_hash);
}

/* ---- a request ---- */

bool yk_decision_is(enum yk_op_kind kind)
{
    return (size_t)kind < YK_COUNT(op_names) && op_names[kind] != NULL;
}

static void add_text(struct yk_json *json, const char *key, const char *text)
{
    if (text != NULL && text[0] != '\0')
        yk_json_add_text(json, key, text);
}

/* Adds the digest of `body`. All digests use one context, because looking up SHA-256 in OpenSSL would take as
 * long as the digest. */
static void add_digest(struct yk_json *json, EVP_MD_CTX *context, const struct yk_buf *body)
{
    unsigned char digest[EVP_MAX_MD_SIZE] = {0};
    char text[2 * BODY_DIGEST_BYTES + 1];
    if (body->len == 0 || EVP_DigestInit_ex(context, NULL, NULL) != 1 ||
        EVP_DigestUpdate(context, body->p, body->len) != 1 || EVP_DigestFinal_ex(context, digest, NULL) != 1)
        return;
    put_hex(digest, BODY_DIGEST_BYTES, text);
    yk_json_add_text(json, "body", text);
}

void yk_decision_put(struct yk_decisions *decisions, uint64_t number, const struct yk_op *op,
                     struct yk_buf *line)
{
    struct yk_json json;
    yk_json_init(&json, line);
    yk_json_object_begin(&json);
    yk_json_add_text(&json, "do", op_names[op->kind]);
    yk_json_add_uint(&json, "number", number);
    add_text(&json, "namespace", op->namespace_);
    add_text(&json, "name", op->name);
    add_text(&json, "uid", op->uid);
    add_text(&json, "node", op->node);
    add_digest(&json, decisions->body, &op->body);
    yk_json_object_end(&json);
}
