/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whose token is whose, for a short while: so that a script with a hundred requests is one question.
 *
 * A token is known by its SHA-256 only. Somebody is remembered for a minute (so long a revoked token may
 * still work), nobody for ten seconds, and never more than YK_CALLERS_MAX of both: the oldest goes.
 * Thread: scheduling thread. Source: docs/reference/rest.md 12.4.
 */
#ifndef YK_WEB_CALLERS_H
#define YK_WEB_CALLERS_H

#include "base/list.h"
#include "base/map.h"
#include "http/caller.h"

enum { YK_CALLERS_MAX = 512, YK_TOKEN_DIGEST_LEN = 32 };
#define YK_CALLER_KNOWN_NS  (60 * INT64_C(1000000000))
#define YK_CALLER_NOBODY_NS (10 * INT64_C(1000000000))

struct yk_callers {
    struct yk_strmap by_digest;
    struct yk_list by_age; /* oldest first */
};

void yk_callers_init(struct yk_callers *callers);
void yk_callers_done(struct yk_callers *callers);
/* False: the digest could not be made, the token is to be refused. */
bool yk_token_digest(struct yk_str token, char ret_digest[YK_TOKEN_DIGEST_LEN]);
/* Borrowed until the next put, with user NULL for a token that is nobody's; NULL: not known. */
const struct yk_caller *yk_callers_get(const struct yk_callers *callers,
                                       const char digest[YK_TOKEN_DIGEST_LEN], int64_t now_mono_ns);
/* Copied. */
void yk_callers_put(struct yk_callers *callers, const char digest[YK_TOKEN_DIGEST_LEN],
                    const struct yk_caller *caller, int64_t now_mono_ns);

#endif
