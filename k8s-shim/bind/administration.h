/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What REST needs of the API server: the user of a token, what that user may do, and a queue configuration
 * kept in its ConfigMap.
 *
 * The configuration goes into yunikorn-configs under <policy group>.yaml, guarded by the version of the
 * ConfigMap that the cache has; what is kept packed there stays packed, and so does what would be too large
 * otherwise. It takes effect as any other change of that ConfigMap: through the watch.
 * Thread: scheduling thread. Source: docs/reference/queues.md, rules A8 and A10; docs/reference/kubernetes.md
 * 4.1.
 */
#ifndef YK_BIND_ADMINISTRATION_H
#define YK_BIND_ADMINISTRATION_H

#include "api/access_review.h"
#include "api/server.h"
#include "cache/cache.h"

struct yk_admin_answer { /* borrowed for the call */
    int status;          /* 0: it went well; else a status code of HTTP, with `text` */
    const char *text;
    const struct yk_token_review *review; /* of a token review that went well */
    bool allowed;                         /* the answer of an access review that went well */
};

struct yk_admin_question {
    struct yk_api_server *api; /* borrowed until the answer */
    void *asker;               /* for `done` */
    uint64_t ticket;
    /* Called once, later. */
    void (*done)(void *asker, uint64_t ticket, const struct yk_admin_answer *answer);
};

/* `audiences`, copied: as yk_token_review_encode() has it. A token that is for none of them is no user's. */
void yk_admin_review_token(const struct yk_admin_question *question, const char *token,
                           struct yk_str audiences);

/* Asks whether a user may do something. */
void yk_admin_review_access(const struct yk_admin_question *question,
                            const struct yk_access_question *access);

struct yk_admin_config {
    const struct yk_config_map *map; /* as the cache has it; NULL: it is not there */
    const char *namespace_;
    const char *policy_group;
    struct yk_str text;
    bool refresh; /* changes take effect while running */
};
/* Errors: YK_ERR_LIMIT, it could not be read back; nobody is asked then. */
YK_NODISCARD enum yk_status yk_admin_write_config(const struct yk_admin_question *question,
                                                  const struct yk_admin_config *config, struct yk_err *err);

#endif
