/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests to the API server on behalf of REST: to whom a token belongs, what a user may do, and writing a
 * queue configuration to the ConfigMap.
 *
 * The configuration is written to yunikorn-configs: as text to the key <policy group>.yaml of `data`, or
 * compressed to the key <policy group>.yaml.gz of `binaryData`. The other key is removed. The text is
 * compressed if the former text is compressed, or if the ConfigMap would be too large without compression.
 * The request fails if the ConfigMap has another version than the one in the cache. The configuration takes
 * effect through the watch, like any other change of that ConfigMap.
 *
 * Thread: scheduling thread.
 * Source: docs/reference/rest.md 12.4, 12.5; docs/reference/queues.md, rule A10; docs/reference/kubernetes.md
 *         4.1.
 */
#ifndef YK_SHIM_ADMINISTRATION_H
#define YK_SHIM_ADMINISTRATION_H

#include "api/access_review.h"
#include "api/server.h"
#include "cache/cache.h"

/* Borrowed for the call of `done`. */
struct yk_admin_answer {
    int status;       /* 0: success; else an HTTP status code for the client of REST */
    const char *text; /* a sentence about a failure, or about a configuration that was written; or NULL */
    /* The result of a successful token review; otherwise NULL. `authenticated` says whether the token belongs
     * to a user. */
    const struct yk_token_review *review;
    bool allowed; /* the answer of a successful access review */
};

struct yk_admin_question {
    struct yk_api_server *api; /* borrowed until the answer */
    void *asker;               /* passed to `done`, like `ticket` */
    uint64_t ticket;
    /* Gets the answer once, after the function that asks has returned. */
    void (*done)(void *asker, uint64_t ticket, const struct yk_admin_answer *answer);
};

/* Each of the following functions copies its arguments, and sends one request unless it returns an error. The
 * answer comes to `question->done`. If the request fails, the `status` of the answer is not 0. */

/* Asks to which user `token` belongs. `audiences`: as in yk_token_review_encode(). A token that is for none
 * of them counts as if it belonged to no user: answer->review->authenticated is false. */
void yk_admin_review_token(const struct yk_admin_question *question, const char *token,
                           struct yk_str audiences);

/* Asks whether a user may do what `access` describes. */
void yk_admin_review_access(const struct yk_admin_question *question,
                            const struct yk_access_question *access);

struct yk_admin_config {
    const struct yk_config_map *map; /* yunikorn-configs in the cache; NULL: it does not exist */
    const char *namespace_;          /* of the ConfigMap */
    const char *policy_group;        /* the key is this text and ".yaml", or ".yaml.gz" if compressed */
    struct yk_str text;              /* the configuration */
    bool refresh;                    /* changes need no restart; used only for the text of the answer */
};
/* Writes the configuration `config->text` to the ConfigMap. The text is not checked. If the ConfigMap does
 * not exist or has changed, the answer has the status 409. Errors: YK_ERR_LIMIT, the text is too large; no
 * request is sent, and `question->done` is not called. */
YK_NODISCARD enum yk_status yk_admin_write_config(const struct yk_admin_question *question,
                                                  const struct yk_admin_config *config, struct yk_err *err);

#endif
