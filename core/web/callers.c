/* SPDX-License-Identifier: Apache-2.0 */
#include "web/callers.h"

#include <openssl/evp.h>

struct known {
    struct yk_list by_age;
    char digest[YK_TOKEN_DIGEST_LEN];
    struct yk_caller caller;
    int64_t until_mono_ns;
};

static struct yk_str key_of(const char *digest)
{
    return (struct yk_str){digest, YK_TOKEN_DIGEST_LEN};
}

static void forget(struct yk_callers *callers, struct known *known)
{
    (void)yk_strmap_remove(&callers->by_digest, key_of(known->digest)); /* was there */
    yk_list_remove(&known->by_age);
    yk_caller_done(&known->caller);
    free(known);
}

void yk_callers_init(struct yk_callers *callers)
{
    *callers = (struct yk_callers){0};
    yk_list_init(&callers->by_age);
}

void yk_callers_done(struct yk_callers *callers)
{
    struct known *known;
    yk_list_foreach (known, &callers->by_age, struct known, by_age)
        forget(callers, known);
    yk_strmap_done(&callers->by_digest);
}

bool yk_token_digest(struct yk_str token, char ret_digest[YK_TOKEN_DIGEST_LEN])
{
    unsigned int len = 0;
    return EVP_Digest(token.p, token.len, (unsigned char *)ret_digest, &len, EVP_sha256(), NULL) == 1 &&
           len == YK_TOKEN_DIGEST_LEN;
}

const struct yk_caller *yk_callers_get(const struct yk_callers *callers,
                                       const char digest[YK_TOKEN_DIGEST_LEN], int64_t now_mono_ns)
{
    const struct known *known = yk_strmap_get(&callers->by_digest, key_of(digest));
    return known != NULL && now_mono_ns < known->until_mono_ns ? &known->caller : NULL;
}

void yk_callers_put(struct yk_callers *callers, const char digest[YK_TOKEN_DIGEST_LEN],
                    const struct yk_caller *caller, int64_t now_mono_ns)
{
    struct known *known = yk_strmap_get(&callers->by_digest, key_of(digest));
    if (known != NULL)
        forget(callers, known);
    if (callers->by_digest.count >= YK_CALLERS_MAX)
        forget(callers, yk_list_first(&callers->by_age, struct known, by_age));
    known = yk_new0(struct known);
    memcpy(known->digest, digest, YK_TOKEN_DIGEST_LEN);
    yk_caller_init(&known->caller, caller->user, (const char *const *)caller->groups, caller->group_count);
    known->until_mono_ns = now_mono_ns + (caller->user != NULL ? YK_CALLER_KNOWN_NS : YK_CALLER_NOBODY_NS);
    (void)yk_strmap_put(&callers->by_digest, key_of(known->digest), known); /* is new */
    yk_list_append(&callers->by_age, &known->by_age);
}
