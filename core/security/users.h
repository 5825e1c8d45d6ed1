/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The user and the groups of an application, from its submission and from a directory.
 *
 * A directory is slow, so the result may be "pending": the caller then registers a struct yk_user_wait and is
 * called back. All waits for one user share one question, and are called back in slices. Nothing here blocks.
 * Answers are kept in the order in which they expire.
 *
 * Owns:      the resolver type of one partition, its cache of answers, its open questions.
 * Borrows:   the directory and the timers, for life; waits, until they are called back or cancelled.
 * Thread:    scheduling thread only.
 * Invariant: an open lookup has at least one wait.
 * Source:    docs/reference/queues.md, rules A13 to A15 and R16.
 */
#ifndef YK_SECURITY_USERS_H
#define YK_SECURITY_USERS_H

#include "base/list.h"
#include "base/timer.h"
#include "security/directory.h"

#define YK_USER_NOBODY   "nobody"
#define YK_GROUP_NOGROUP "nogroup"

enum {
    YK_USERS_CACHED_MAX = 10000,          /* answers of each kind; the oldest is dropped first */
    YK_USERS_CACHED_BYTES_MAX = 32 << 20, /* of their names */
};

/* How long to wait for an answer. What runs already cannot wait long. */
#define YK_USERS_PATIENCE_NS        (300 * YK_NS_PER_S)
#define YK_USERS_FORCED_PATIENCE_NS (30 * YK_NS_PER_S)

struct yk_users;

struct yk_users_options {
    struct yk_timers *timers;
    const struct yk_directory *directory; /* NULL: none, every type acts as "" */
};

/* A submission. `user` may be NULL or "", `groups` empty. */
struct yk_user_request {
    const char *user;
    const char *const *groups;
    size_t group_count;
    bool forced; /* for what runs already and must be placed whatever its user */
};

enum yk_user_outcome {
    YK_USER_KNOWN = 0,
    YK_USER_PENDING, /* the directory has to be asked: yk_users_wait() */
    YK_USER_REFUSED,
};

/* A wait for a user; part of a struct of its owner. */
struct yk_user_wait {
    /* Written by: its holder. KNOWN (`why` is NULL) or REFUSED (`why` is the sentence for the client). The wait has ended before
     * this call and may be freed in it; no other wait may begin or be cancelled in it. */
    void (*resolved)(struct yk_user_wait *wait, const struct yk_user *user, const char *why);
    /* Written by: security. */
    struct yk_list in_lookup, in_line;
    struct yk_lookup *lookup;
    int64_t until_mono_ns;
    bool forced;
};

/* Makes the users of a partition. `type` is the configured resolver; a type that the directory does not have
 * acts as "" (the only group is the name of the user). `options` are copied, what they point to is borrowed
 * for life. The caller frees the result. */
struct yk_users *yk_users_new(const struct yk_users_options *options, struct yk_str type);
/* Frees it. No wait is left. */
void yk_users_free(struct yk_users *users);
YK_DEFINE_FREEP(yk_users)

/* Sets the resolver type (R16): another type drops all answers, and asks again for all waits. May call back. */
void yk_users_set_type(struct yk_users *users, struct yk_str type);
/* Checks that a partition may have the resolver `type`. `directory` may be NULL. Errors: YK_ERR_INVALID, its
 * settings are missing. Any thread. */
YK_NODISCARD enum yk_status yk_users_check_type(const struct yk_directory *directory, struct yk_str type,
                                                struct yk_err *err);

/* Finds the user of a submission. YK_USER_KNOWN: `*ret_user` is set, and the caller ends it with
 * yk_user_done(). YK_USER_REFUSED: `err` has the sentence for the client. YK_USER_PENDING: neither is set. */
YK_NODISCARD enum yk_user_outcome yk_users_resolve(struct yk_users *users,
                                                   const struct yk_user_request *request,
                                                   struct yk_user *ret_user, struct yk_err *err);
/* After YK_USER_PENDING: `wait->resolved` is called, later, once the directory has answered or failed, or
 * the time is over. `request` is borrowed for the call, `wait` until then or until yk_users_cancel(). */
void yk_users_wait(struct yk_users *users, const struct yk_user_request *request, struct yk_user_wait *wait);
/* Cancels the wait: `resolved` is not called. */
void yk_users_cancel(struct yk_users *users, struct yk_user_wait *wait);

#endif
