/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The users of tokens, for a short while: so that a script with a hundred requests is one question.
 *
 * A token is known by its SHA-256 only. A user is remembered for a minute (so long a revoked token may still
 * work), a token that belongs to no user for ten seconds. Thread: scheduling thread. Source:
 * docs/reference/rest.md 12.4.
 */
#ifndef YK_WEB_CALLERS_H
#define YK_WEB_CALLERS_H

#include "http/caller.h"
#include "web/digest_cache.h"

enum { YK_CALLERS_MAX = 512 };
#define YK_CALLER_KNOWN_NS  (60 * INT64_C(1000000000))
#define YK_CALLER_NOBODY_NS (10 * INT64_C(1000000000))

struct yk_callers {
    struct yk_digest_cache cache; /* of struct yk_caller */
};

void yk_callers_init(struct yk_callers *callers);
void yk_callers_done(struct yk_callers *callers);
/* Borrowed until the next put, with user NULL for a token of no user; NULL: not known. */
const struct yk_caller *yk_callers_get(const struct yk_callers *callers, const char digest[YK_DIGEST_LEN],
                                       int64_t now_mono_ns);
/* Copied. */
void yk_callers_put(struct yk_callers *callers, const char digest[YK_DIGEST_LEN],
                    const struct yk_caller *caller, int64_t now_mono_ns);

#endif
