/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads objects and lists of the API server once, for commands that end. There is no watch and no cache, and
 * nothing is written.
 *
 * Each call returns when the answer is complete. A request that the server is too busy for, or that gets no
 * answer, is repeated a few times, unless the server has not answered any request. A list is read in pages,
 * and only one item of it is in memory at a time. An item that changed its place in the list because a page
 * was read twice may be delivered twice or not at all.
 *
 * Owns:   connection, credentials, and an event loop unless it is given one.
 * Thread: one at a time.
 */
#ifndef YK_CLIENT_GETTER_H
#define YK_CLIENT_GETTER_H

#include "api/list_reader.h"

struct yk_getter;
struct yk_io;

struct yk_getter_options {
    const char *kubeconfig;   /* NULL: as yk_access_find() */
    const char *context;      /* NULL: the current one */
    unsigned page;            /* items of a page; 0 reads as 250 */
    int64_t request_limit_ns; /* for one request; 0 reads as 60 s */
    unsigned tries;           /* of one request, the first one included; 0 reads as 5 */
    int64_t pause_max_ns;     /* between tries; 0 reads as 30 s */
    struct yk_io *io;         /* borrowed for life, and turned by each call; NULL: one of its own */
};

/* `*ret_getter`: the caller's. Errors: as yk_access_find() and yk_identity_new(). */
YK_NODISCARD enum yk_status yk_getter_new(const struct yk_getter_options *options,
                                          struct yk_getter **ret_getter, struct yk_err *err);
void yk_getter_free(struct yk_getter *getter);
YK_DEFINE_FREEP(yk_getter)
/* The namespace of the context; NULL if it has none. Borrowed. */
const char *yk_getter_namespace(const struct yk_getter *getter);

/*
 * Reads what is at `path` ("/version") into `ret_body`, which is emptied first and sets the maximum.
 * `accept`: NULL for JSON.
 *
 * Errors: YK_ERR_NOT_FOUND (404), YK_ERR_DENIED (401, 403), YK_ERR_LIMIT, YK_ERR_INVALID (another refusal),
 * YK_ERR_UNAVAILABLE (no answer).
 */
YK_NODISCARD enum yk_status yk_getter_get(struct yk_getter *getter, const char *path, const char *accept,
                                          struct yk_buf *ret_body, struct yk_err *err);
/*
 * Reads the list at `path`, which has no `limit` in its query. `what`: "pods", for messages. Items that were
 * delivered before an error stay delivered. `sink` must not use the getter.
 *
 * Errors: as yk_getter_get(); YK_ERR_INVALID and YK_ERR_LIMIT also for an answer that is no list or a hostile
 * one.
 */
YK_NODISCARD enum yk_status yk_getter_list(struct yk_getter *getter, const char *path, const char *what,
                                           const char *accept, const struct yk_list_text_sink *sink,
                                           struct yk_err *err);

#endif
