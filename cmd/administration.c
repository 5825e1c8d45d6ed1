/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/administration.h"

static void tell(void *asker, uint64_t ticket, const struct yk_admin_answer *answer)
{
    const struct yk_token_review *review = answer->review;
    struct yk_backend_reply word = {
        .status = answer->status, .text = answer->text, .allowed = answer->allowed};
    if (review != NULL && review->authenticated) {
        word.user = review->user;
        word.groups = (const char *const *)review->groups;
        word.group_count = review->group_count;
    }
    yk_web_replied(asker, ticket, &word);
}

static enum yk_status review_token(void *context, struct yk_web *web, uint64_t ticket, const char *token,
                                   struct yk_err *err)
{
    const struct yk_engine *engine = context;
    if (engine->shim == NULL)
        return yk_fail(err, YK_ERR_UNAVAILABLE, "the scheduler is starting");
    return yk_shim_review_token(engine->shim, &(struct yk_admin_question){NULL, web, ticket, tell}, token,
                                err);
}

static enum yk_status review_access(void *context, struct yk_web *web, uint64_t ticket,
                                    const struct yk_web_access_question *question, struct yk_err *err)
{
    const struct yk_engine *engine = context;
    const struct yk_access_question access = {
        .user = question->caller->user,
        .groups = (const char *const *)question->caller->groups,
        .group_count = question->caller->group_count,
        .verb = question->verb,
        .path = question->path,
        .queue = question->queue,
    };
    if (engine->shim == NULL)
        return yk_fail(err, YK_ERR_UNAVAILABLE, "the scheduler is starting");
    return yk_shim_review_access(engine->shim, &(struct yk_admin_question){NULL, web, ticket, tell}, &access,
                                 err);
}

static enum yk_status write_config(void *context, struct yk_web *web, uint64_t ticket, struct yk_str text,
                                   struct yk_err *err)
{
    const struct yk_engine *engine = context;
    if (engine->shim == NULL)
        return yk_fail(err, YK_ERR_UNAVAILABLE, "the scheduler is starting");
    return yk_shim_write_config(engine->shim, &(struct yk_admin_question){NULL, web, ticket, tell}, text,
                                err);
}

static enum yk_status check_leads(void *context, struct yk_err *err)
{
    const struct yk_engine *engine = context;
    if (engine->shim == NULL || yk_shim_leads(engine->shim))
        return YK_OK; /* while the scheduler starts, the functions above refuse */
    return yk_fail(
        err, YK_ERR_UNAVAILABLE,
        "this scheduler is a standby and changes nothing: ask the one that leads, the holder of the "
        "Lease");
}

/* A replay cannot repeat a change that comes over REST and not from the cluster, so the recording ends. */
static void changed(void *context, const char *what)
{
    yk_engine_cut_record(context, what);
}

struct yk_auth_backend yk_administration(struct yk_engine *engine)
{
    return (struct yk_auth_backend){engine, review_token, review_access, write_config, check_leads, changed};
}
