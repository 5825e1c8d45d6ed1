/* SPDX-License-Identifier: Apache-2.0 */
/* Who sends a request: a name and groups, from a token or a certificate. Thread: that of its owner. */
#ifndef YK_HTTP_CALLER_H
#define YK_HTTP_CALLER_H

#include "base/str.h"

enum { YK_NETWORK_LEN = 9 }; /* bytes of what counts as one address (http/http_server.h) */

struct yk_caller {
    char *user; /* owned; NULL: anonymous */
    char **groups;
    size_t group_count;
};

/* Copies `user` (NULL: anonymous) and the groups. Ends with yk_caller_done(). */
void yk_caller_init(struct yk_caller *ret_caller, const char *user, const char *const *groups,
                    size_t group_count);
void yk_caller_done(struct yk_caller *caller);

#endif
