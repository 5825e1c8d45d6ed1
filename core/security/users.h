/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who submits: the user and the groups of an application, from what was submitted and from a resolver.
 *
 * Owns:   the resolver of one partition and its cache of answers.
 * Thread: scheduling thread only; nothing here asks a name service, so nothing blocks.
 * Source: docs/reference/queues.md, rules A13 to A15.
 */
#ifndef YK_SECURITY_USERS_H
#define YK_SECURITY_USERS_H

#include "base/str.h"

#define YK_USER_NOBODY   "nobody"
#define YK_GROUP_NOGROUP "nogroup"

enum {
    YK_USERS_CACHED_MAX = 10000,   /* users remembered; beyond that the cache starts anew */
    YK_USER_GROUPS_MAX = 4096,     /* of one user */
    YK_USER_NAME_BYTES_MAX = 4096, /* of a user's or a group's name */
};

struct yk_user {
    char *name;
    char **groups; /* in order; the first is the primary one */
    size_t group_count;
};

void yk_user_done(struct yk_user *user);

struct yk_users;

/*
 * `resolver` is the configured type. Only "" (groups = the user's own name) is there so far: any other type
 * logs a warning and acts as "".
 */
struct yk_users *yk_users_new(struct yk_str resolver);
void yk_users_free(struct yk_users *users);
YK_DEFINE_FREEP(yk_users)

/*
 * The user of a submission; `forced` is for pods that run already and must find their place whoever owns
 * them. `user` may be NULL or "", `groups` empty. `*ret_user` is to be done by the caller. Errors:
 * YK_ERR_INVALID with the sentence that goes to the client, YK_ERR_LIMIT.
 */
YK_NODISCARD enum yk_status yk_users_resolve(struct yk_users *users, int64_t now_mono_ns, const char *user,
                                             const char *const *groups, size_t group_count, bool forced,
                                             struct yk_user *ret_user, struct yk_err *err);

#endif
