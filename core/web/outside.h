/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What REST needs of the world outside of the scheduler: the user of a token, what a user may do, and a place
 * where a configuration is kept. The process that runs the web server implements it over the API server.
 *
 * A question carries a ticket and is answered with yk_web_told(), later and on the scheduling thread, at most
 * once; an answer that comes after the question was given up is dropped. Thread: scheduling thread.
 */
#ifndef YK_WEB_OUTSIDE_H
#define YK_WEB_OUTSIDE_H

#include "http/caller.h"

struct yk_web;

/* May a user do something? Either `path` or `queue` is set. All texts are borrowed for the call. */
struct yk_web_access_question {
    const struct yk_caller *caller;
    const char *verb;
    const char *path;
    const char *queue; /* full path of a queue */
};

struct yk_web_outside {
    void *context;
    /* Errors: YK_ERR_UNAVAILABLE, nobody can be asked now. The texts are borrowed for the call. */
    enum yk_status (*review_token)(void *context, struct yk_web *web, uint64_t ticket, const char *token,
                                   struct yk_err *err);
    /* Errors: YK_ERR_UNAVAILABLE. */
    enum yk_status (*review_access)(void *context, struct yk_web *web, uint64_t ticket,
                                    const struct yk_web_access_question *question, struct yk_err *err);
    /* Keeps `config` as the queue configuration, from where it takes effect as any other change of it.
     * Errors: YK_ERR_UNAVAILABLE, YK_ERR_LIMIT. */
    enum yk_status (*write_config)(void *context, struct yk_web *web, uint64_t ticket, struct yk_str config,
                                   struct yk_err *err);
    /* Whether this process may change anything now. NULL: always. Errors: YK_ERR_UNAVAILABLE. */
    enum yk_status (*check_leads)(void *context, struct yk_err *err);
};

struct yk_web_word {  /* borrowed for the call */
    int status;       /* 0: it went well; else what the client is told, with `text` */
    const char *text; /* also when it went well: a sentence to go with the answer; may be NULL */
    bool allowed;     /* of an access review that went well */
    /* Of a token review that went well. */
    const char *user; /* NULL: the token belongs to no user */
    const char *const *groups;
    size_t group_count;
};

void yk_web_told(struct yk_web *web, uint64_t ticket, const struct yk_web_word *word);

#endif
