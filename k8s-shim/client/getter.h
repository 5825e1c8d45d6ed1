/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads objects and lists of the API server, for commands of the command line. There is no watch and no
 * cache, and nothing is written.
 *
 * Each call returns when the answer is complete. A request that is answered 429 or 5xx is repeated a few
 * times. A request without a complete answer is also repeated, unless the server has never answered. A list
 * is read in pages, and only one item is in memory at a time. If a page has to be read twice and the list has
 * changed meanwhile, an item may be delivered twice or not at all.
 *
 * Owns:   connection, credentials, and an event loop if the options have none.
 * Thread: any. yk_getter_new() and yk_getter_free() are called while no other thread uses libcurl.
 */
#ifndef YK_CLIENT_GETTER_H
#define YK_CLIENT_GETTER_H

#include "api/list_reader.h"

struct yk_getter;
struct yk_io;

struct yk_getter_options {
    const char *kubeconfig;   /* the argument kubeconfig_path of yk_access_find(); may be NULL */
    const char *context;      /* the argument of yk_access_find(); may be NULL */
    unsigned page;            /* items of a page; 0 means 250 */
    int64_t request_limit_ns; /* time-out of one request; 0 means 60 s */
    unsigned tries;           /* how often a request is sent at most; 0 means 5 */
    int64_t pause_max_ns;     /* longest wait between tries; 0 means 30 s */
    /* the event loop that each call runs, borrowed for the life of the getter; NULL: the getter makes a
     * loop */
    struct yk_io *io;
};

/* Makes a getter, and sends nothing. `options` are copied. The caller frees `*ret_getter` with
 * yk_getter_free(). Errors: those of yk_access_find(), yk_identity_new(), yk_io_new(), yk_io_timers_init()
 * and yk_transport_new(). */
YK_NODISCARD enum yk_status yk_getter_new(const struct yk_getter_options *options,
                                          struct yk_getter **ret_getter, struct yk_err *err);
void yk_getter_free(struct yk_getter *getter);
YK_DEFINE_FREEP(yk_getter)
/* The namespace of the context of the kubeconfig, or of the pod; NULL if it is not given. Borrowed from the
 * getter. */
const char *yk_getter_namespace(const struct yk_getter *getter);

/*
 * Reads the answer to GET `path` into `ret_body`, which is emptied first. `path` is escaped and may have a
 * query, such as "/version". The caller has set ret_body->max. `accept`: the media type to ask for; NULL:
 * JSON.
 *
 * Errors: YK_ERR_NOT_FOUND (404), YK_ERR_DENIED (401, 403), YK_ERR_LIMIT (larger than ret_body->max),
 * YK_ERR_UNAVAILABLE (no complete answer, 429, 5xx), YK_ERR_INVALID (another refusal). The text of `err` is
 * the message of the server, if the server has sent one.
 */
YK_NODISCARD enum yk_status yk_getter_get(struct yk_getter *getter, const char *path, const char *accept,
                                          struct yk_buf *ret_body, struct yk_err *err);
/*
 * Reads the list at `path` and calls `sink` for each item. `path` may have a query, but without `limit` and
 * `continue`. `what`: the name of the list in messages, such as "pods". `accept`: the media type to ask for,
 * which must be a JSON format; NULL: JSON. If this function fails, items may have been delivered. `sink` must
 * not call functions of the getter.
 *
 * Errors: those of yk_getter_get(); also YK_ERR_INVALID (the answer is not a list) and YK_ERR_LIMIT (an item
 * is too large or too deep, or the list has too many pages).
 */
YK_NODISCARD enum yk_status yk_getter_list(struct yk_getter *getter, const char *path, const char *what,
                                           const char *accept, const struct yk_list_text_sink *sink,
                                           struct yk_err *err);

#endif
