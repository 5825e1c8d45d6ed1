/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who sends a request: the name and the groups of a user, from a token or a client certificate.
 *
 * Thread: any.
 */
#ifndef YK_HTTP_CALLER_H
#define YK_HTTP_CALLER_H

#include "base/str.h"

/* Bytes of yk_http_peer.network, which is the same for all addresses that limits treat as one client. */
enum { YK_NETWORK_LEN = 9 };

struct yk_caller {
    char *user;         /* owned; NULL: anonymous, without groups */
    char **groups;      /* owned, like the names in it */
    size_t group_count; /* number of names in `groups` */
};

/* Sets `*ret_caller`, whose old contents are ignored, to copies of `user` and its `group_count` groups.
 * `user` NULL: anonymous, and the groups are ignored. The caller ends it with yk_caller_done(). */
void yk_caller_init(struct yk_caller *ret_caller, const char *user, const char *const *groups,
                    size_t group_count);
void yk_caller_done(struct yk_caller *caller);

#endif
