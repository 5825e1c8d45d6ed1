/* SPDX-License-Identifier: Apache-2.0 */
#include "web/access.h"

enum yk_guard_kind yk_access_guard(enum yk_web_access access, const struct yk_route *route)
{
    if (route->guard == YK_GUARD_LOCAL && access != YK_WEB_ACCESS_OPEN)
        return YK_GUARD_READER;
    if (route->guard != YK_GUARD_OPEN || route->is_probe || route->is_public || access == YK_WEB_ACCESS_OPEN)
        return route->guard;
    return YK_GUARD_READER;
}

const char *yk_access_group(const struct yk_route *route)
{
    switch (route->guard) {
    case YK_GUARD_LOCAL:
        return "local callers, readers";
    case YK_GUARD_CALLER:
        return "administrators of the queue";
    case YK_GUARD_SCHEDULER:
        return "administrators of the scheduler";
    case YK_GUARD_OPEN:
    case YK_GUARD_READER:
        break;
    }
    if (route->is_probe || route->is_public)
        return "everybody";
    return route->tenant != YK_TENANT_NONE ? "readers, tenants" : "readers";
}

bool yk_access_is_master(const struct yk_caller *caller)
{
    for (size_t i = 0; i < caller->group_count; i++) {
        if (strcmp(caller->groups[i], "system:masters") == 0)
            return true;
    }
    return false;
}

/* Appends a text with its NUL, so that different questions never have the same bytes. */
static void add(struct yk_buf *bytes, const char *text)
{
    yk_buf_text(bytes, text);
    yk_buf_char(bytes, '\0');
}

bool yk_access_digest(const struct yk_web_access_question *question, char ret_digest[YK_DIGEST_LEN])
{
    YK_CLEANUP(yk_buf_done) struct yk_buf bytes = {0};
    add(&bytes, question->queue != NULL ? "queue" : "path");
    add(&bytes, question->queue != NULL ? question->queue : question->path);
    add(&bytes, question->verb);
    add(&bytes, question->caller->user);
    for (size_t i = 0; i < question->caller->group_count; i++)
        add(&bytes, question->caller->groups[i]);
    return yk_digest_make(yk_buf_view(&bytes), ret_digest);
}

static bool allowed_value = true, denied_value = false;

static void keep_value(void *value)
{
    (void)value; /* static: allowed_value or denied_value */
}

void yk_access_decisions_init(struct yk_digest_cache *decisions)
{
    yk_digest_cache_init(decisions, YK_DECISIONS_MAX, keep_value);
}

int yk_access_decisions_get(const struct yk_digest_cache *decisions, const char digest[YK_DIGEST_LEN],
                            int64_t now_mono_ns)
{
    const bool *value = yk_digest_cache_get(decisions, digest, now_mono_ns);
    return value == NULL ? -1 : *value;
}

void yk_access_decisions_put(struct yk_digest_cache *decisions, const char digest[YK_DIGEST_LEN],
                             bool allowed, int64_t now_mono_ns)
{
    yk_digest_cache_put(decisions, digest, allowed ? &allowed_value : &denied_value,
                        now_mono_ns + YK_DECISION_NS);
}
