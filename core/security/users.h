/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The user and the groups of an application: from its submission, or else from a directory (directory.h).
 *
 * A directory is slow, so the result may be YK_USER_PENDING: the caller then registers a struct yk_user_wait
 * and is called back. All waits for one user share one question; after its answer, they are called back in
 * portions of at most 256. Answers are cached: groups for 300 s, failures for 30 s. Nothing here blocks.
 *
 * Owns:      the resolver type of one partition, its cache of answers, its open lookups. A lookup is a user
 *            whose groups were asked for, and the waits for the answer; the question itself belongs to the
 *            directory.
 * Borrows:   the directory and the timers, for the life of struct yk_users; waits, until they are called back
 *            or cancelled.
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
    /* Maximum number of cached answers with groups, and also of cached failures. Beyond it, the oldest one of
     * that kind is dropped. */
    YK_USERS_CACHED_MAX = 10000,
    /* Maximum size of all cached answers with groups, and of all cached failures, in bytes. Beyond it, the
     * oldest one of that kind is dropped, unless it is the only one. */
    YK_USERS_CACHED_BYTES_MAX = 32 << 20,
    YK_USERS_FAILED_BYTES_MAX = 4 << 20,
};

/* The longest wait for an answer: of ordinary requests, and of forced ones. */
#define YK_USERS_PATIENCE_NS        (300 * YK_NS_PER_S)
#define YK_USERS_FORCED_PATIENCE_NS (30 * YK_NS_PER_S)

struct yk_users;

struct yk_users_options {
    struct yk_timers *timers;
    const struct yk_directory *directory; /* NULL: there is none, and every resolver type acts as "" */
};

/* The user and the groups with which an application was submitted. */
struct yk_user_request {
    const char *user;          /* NULL or "": none was submitted, which is refused unless `forced` */
    const char *const *groups; /* the `group_count` submitted groups; a NULL in it is refused */
    size_t group_count;        /* 0: the groups have to be found out */
    /* The application runs already, so it has to be placed even if its user cannot be resolved. */
    bool forced;
};

enum yk_user_outcome {
    YK_USER_KNOWN = 0, /* the user and its groups are known */
    YK_USER_PENDING,   /* the directory has to be asked: call yk_users_wait() */
    YK_USER_REFUSED,   /* the application has to be refused */
};

/* A wait for a user. The caller embeds it in a struct of its own and sets `resolved`; the other fields need
 * no initial value. */
struct yk_user_wait {
    /* Written by: its holder. Called once with the outcome. `why` NULL: `user` is known, and borrowed for the
     * call. Else the application is refused, and `why` is the sentence for the client. The wait has ended
     * before the call, so this function may free it. It must not begin or cancel another wait. */
    void (*resolved)(struct yk_user_wait *wait, const struct yk_user *user, const char *why);
    /* Written by: security. */
    struct yk_list in_lookup, in_line;
    struct yk_lookup *lookup;
    int64_t until_mono_ns;
    bool forced;
};

/* Makes the users of a partition. `type`: the configured resolver, "os", "ldap" or ""; a type that the
 * directory does not have acts as "": the only group of a user has the name of the user. `options` are
 * copied; what they point to is borrowed for the life of the result. The caller frees it with
 * yk_users_free(). */
struct yk_users *yk_users_new(const struct yk_users_options *options, struct yk_str type);
/* Frees the users. Call it only after all waits were called back or cancelled. NULL is fine. */
void yk_users_free(struct yk_users *users);
YK_DEFINE_FREEP(yk_users)

/* Sets the resolver type (R16). As in yk_users_new(), a type that the directory does not have acts as "". If
 * the type in use changes, all cached answers are dropped, and the new resolver is asked for all waits. If
 * the type is "" now, up to 256 waits of each user are called back before the function returns, and the
 * others by a timer. */
void yk_users_set_type(struct yk_users *users, struct yk_str type);
/* Checks that a partition may have the resolver `type`. An unknown type is accepted, because it acts as
 * "". If `directory` is NULL, every type is accepted. Errors: YK_ERR_INVALID, the settings of the resolver
 * are missing or wrong. Any thread. */
YK_NODISCARD enum yk_status yk_users_check_type(const struct yk_directory *directory, struct yk_str type,
                                                struct yk_err *err);

/*
 * Finds the user of a submission. Submitted groups are used as they are, and cached for later submissions of
 * that user without groups.
 * YK_USER_KNOWN: `*ret_user` is set, and the caller ends it with yk_user_done(). A forced request without a
 * user counts as one of YK_USER_NOBODY. A forced request whose groups could not be found out gets
 * YK_GROUP_NOGROUP.
 * YK_USER_REFUSED: `err` has the sentence for the client. A forced request, too, is refused if a group is
 * NULL, YK_USER_GROUPS_MAX or YK_USER_NAME_BYTES_MAX is exceeded, or the name of its user has characters that
 * are not allowed. If no groups were submitted, these characters are checked only if the request is forced
 * and the directory has failed.
 * YK_USER_PENDING: neither `*ret_user` nor `err` is set.
 */
YK_NODISCARD enum yk_user_outcome yk_users_resolve(struct yk_users *users,
                                                   const struct yk_user_request *request,
                                                   struct yk_user *ret_user, struct yk_err *err);
/* Begins a wait. Call it at once after YK_USER_PENDING, with the same request. `wait->resolved` is called
 * once, after this function has returned: when the directory has answered or failed, or the longest wait
 * (YK_USERS_PATIENCE_NS, YK_USERS_FORCED_PATIENCE_NS) is over. `request` is borrowed for the call. `wait`
 * is borrowed until `resolved` or yk_users_cancel() is called. */
void yk_users_wait(struct yk_users *users, const struct yk_user_request *request, struct yk_user_wait *wait);
/* Ends a wait of these `users`; its `resolved` is then not called. Do not call it after `resolved` was
 * called. */
void yk_users_cancel(struct yk_users *users, struct yk_user_wait *wait);

#endif
