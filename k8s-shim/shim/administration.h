/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests to the API server on behalf of REST: the user of a token, what that user may do, and a queue
 * configuration for the ConfigMap.
 *
 * The configuration is written into yunikorn-configs under <policy group>.yaml, guarded by the version of the
 * ConfigMap in the cache. It is packed if it was packed before, or if it would be too large otherwise. It
 * takes effect through the watch, like any other change of that ConfigMap.
 *
 * Thread: scheduling thread.
 * Source: docs/reference/queues.md, rules A8 and A10; docs/reference/kubernetes.md 4.1.
 */
#ifndef YK_BIND_ADMINISTRATION_H
#define YK_BIND_ADMINISTRATION_H

#include "api/access_review.h"
#include "api/server.h"
#include "cache/cache.h"

struct yk_admin_answer { /* borrowed for the call */
    int status;          /* 0: success; else an HTTP status code, with `text` */
    const char *text;
    const struct yk_token_review *review; /* of a successful token review */
    bool allowed;                         /* answer of a successful access review */
};

struct yk_admin_question {
    struct yk_api_server *api; /* borrowed until the answer */
    void *asker;               /* for `done` */
    uint64_t ticket;
    /* Called once, later. */
    void (*done)(void *asker, uint64_t ticket, const struct yk_admin_answer *answer);
};

/* Asks to which user `token` belongs. `audiences`: see yk_token_review_encode(); a token for none of them
 * belongs to no user. The answer comes through question->done; all else is copied, here and in the next
 * functions. */
void yk_admin_review_token(const struct yk_admin_question *question, const char *token,
                           struct yk_str audiences);

/* Asks whether a user is allowed to do something. */
void yk_admin_review_access(const struct yk_admin_question *question,
                            const struct yk_access_question *access);

struct yk_admin_config {
    const struct yk_config_map *map; /* from the cache; NULL: it does not exist */
    const char *namespace_;
    const char *policy_group;
    struct yk_str text;
    bool refresh; /* changes take effect while running */
};
/* Writes the configuration config->text into the ConfigMap. Errors: YK_ERR_LIMIT, it is too large to be read
 * back; no request is sent then, and there is no answer. */
YK_NODISCARD enum yk_status yk_admin_write_config(const struct yk_admin_question *question,
                                                  const struct yk_admin_config *config, struct yk_err *err);

#endif
