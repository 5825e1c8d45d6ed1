/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The source of the groups of a user, as an interface: the name services of this machine and LDAP
 * (security/name_service.h), or a test.
 *
 * A lookup may take long, so a message is sent for it: a struct yk_question. The caller passes the question
 * to ask(). The directory writes the answer into the question on any thread, and calls yk_question_answer()
 * on the thread that asked. The answer may come late or never, but not before ask() has returned.
 *
 * Thread: functions of struct yk_user: any. yk_question_new(), ask() and yk_question_answer(): the thread
 * that asks. Between ask() and yk_question_answer(), `type`, `user` and `failure` belong to the directory;
 * `lookup` always belongs to the thread that asks.
 * Source: docs/reference/queues.md, rules A14 and R16.
 */
#ifndef YK_SECURITY_DIRECTORY_H
#define YK_SECURITY_DIRECTORY_H

#include "base/mailbox.h"
#include "base/str.h"

#include <stdatomic.h>

enum {
    YK_USER_GROUPS_MAX = 4096,     /* groups of one user */
    YK_USER_NAME_BYTES_MAX = 4096, /* bytes of the name of a user or group */
    /* Bytes of the names of all groups that a directory reports for a user. */
    YK_USER_GROUPS_BYTES_MAX = 256 << 10,
};

/* A user and the groups it is in. A zeroed one is empty; yk_user_done() frees the texts. */
struct yk_user {
    char *name;         /* owned */
    char **groups;      /* owned, like the names in it; the first is the primary group */
    size_t group_count; /* number of names in `groups` */
};

void yk_user_done(struct yk_user *user);
/* Appends a copy of `group` to the groups of the user. `*bytes`: size of all names appended so far, in bytes;
 * the caller sets it to 0 before the first call, and each call adds to it. False: one of the maxima above
 * would be exceeded, and nothing was appended. */
bool yk_user_add_group(struct yk_user *user, struct yk_str group, size_t *bytes);

struct yk_lookup; /* users.c */

/* A question for the groups of a user, and its answer. */
struct yk_question {
    struct yk_command command; /* first, so that a mailbox can transport the question */
    char *type;                /* owned: the resolver, "os" or "ldap" */
    struct yk_user user;       /* owned: the name is the question, the groups are the answer */
    struct yk_err failure;     /* why there is no answer; empty text: the groups are the answer */
    _Atomic bool unwanted;     /* the answer is not needed, so the directory need not look it up */
    struct yk_lookup *lookup;  /* the lookup that waits for the answer; NULL: none, the answer is dropped */
    /* Written by: the directory, like the fields below and `failure`. NULL, or called with the answer by
     * yk_question_answer() before anything else. */
    void (*answered)(void *context, const struct yk_question *question);
    void *answered_context;
    uint64_t number; /* free for use by the directory */
};

/* Makes a question for the groups of `user` with the resolver `type`, and sets `command.drop`, which frees
 * it. Both texts are copied. The caller sets `lookup` before it passes the question to `ask` of a directory,
 * or frees the question. */
struct yk_question *yk_question_new(const char *type, const char *user);
/* Frees a question that was not passed to a directory, or that no lookup waits for any longer (`lookup` is
 * NULL). A lookup that waits has a pointer to its question. NULL is fine. */
void yk_question_free(struct yk_question *question);
/* Ends the question: gives the groups in it, or `failure` if its text is not empty, to the lookup that asked,
 * if this lookup still exists. Calls `answered` first, if it is set. May call yk_user_wait.resolved. Takes
 * the question. Implemented in users.c. */
void yk_question_answer(struct yk_question *question);

/* Whether a directory can answer questions with a resolver. */
enum yk_directory_serves {
    YK_DIRECTORY_UNKNOWN = 0, /* there is no such resolver */
    YK_DIRECTORY_SERVES,      /* the directory can */
    /* The resolver exists, but its settings are missing or wrong: `err` says which. */
    YK_DIRECTORY_UNUSABLE,
};

/* A directory. The functions get `context` as their first argument. */
struct yk_directory {
    void *context;
    /* Whether the directory has the resolver `type`; sets `err` (may be NULL) for YK_DIRECTORY_UNUSABLE. Does
     * not block. Any thread. */
    enum yk_directory_serves (*serves)(void *context, const char *type, struct yk_err *err);
    /* Asks a question; takes it. Does not block. The directory answers the question later with
     * yk_question_answer(). A question that gets no answer is freed only after the struct yk_users that has
     * asked it was freed. */
    void (*ask)(void *context, struct yk_question *question);
};

#endif
