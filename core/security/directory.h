/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the groups of a user come from, as an interface: the name services of this machine and LDAP
 * (security/name_service.h), or a test.
 *
 * Asking may take long, so it is done by message. A question is handed over with ask(), is filled in by
 * whoever answers, on whatever thread, and comes home through yk_question_answer() on the thread that asked.
 * The answer may come late or never, but not before ask() has returned.
 *
 * Thread: `name`, `type` and the answer belong to whoever holds the question; `lookup` to the one that asked.
 * Source: docs/reference/queues.md, rules A14 and R16.
 */
#ifndef YK_SECURITY_DIRECTORY_H
#define YK_SECURITY_DIRECTORY_H

#include "base/mailbox.h"
#include "base/str.h"

#include <stdatomic.h>

enum {
    YK_USER_GROUPS_MAX = 4096,            /* of one user */
    YK_USER_NAME_BYTES_MAX = 4096,        /* of a user's or a group's name */
    YK_USER_GROUPS_BYTES_MAX = 256 << 10, /* of the names of one user's groups that a directory gives */
};

struct yk_user {
    char *name;
    char **groups; /* in order; the first is the primary one */
    size_t group_count;
};

void yk_user_done(struct yk_user *user);
/* False, and nothing added, above one of the maxima; `bytes` sums up the names so far and starts at 0. */
bool yk_user_add_group(struct yk_user *user, struct yk_str group, size_t *bytes);

struct yk_lookup;

struct yk_question {
    struct yk_command command; /* first: a question travels through mailboxes */
    char *type;                /* owned: "os", "ldap", ... */
    struct yk_user user;       /* owned: the name is given, the groups are the answer */
    struct yk_err failure;     /* else: why there is none; not empty */
    _Atomic bool unwanted;     /* relaxed: nobody waits any more, the answer may be saved the trouble */
    struct yk_lookup *lookup;  /* who asked; NULL when it is gone */
};

/* Both texts are copied. */
struct yk_question *yk_question_new(const char *type, const char *user);
void yk_question_free(struct yk_question *question);
/* Ends the question with its groups, or with `failure` if that is set. The question is taken. */
void yk_question_answer(struct yk_question *question);

enum yk_directory_serves {
    YK_DIRECTORY_UNKNOWN = 0, /* no such type here */
    YK_DIRECTORY_SERVES,
    YK_DIRECTORY_UNUSABLE, /* it could, but lacks its settings: `err` says what */
};

struct yk_directory {
    void *context;
    /* Does not block. Any thread. */
    enum yk_directory_serves (*serves)(void *context, const char *type, struct yk_err *err);
    /* Takes the question. */
    void (*ask)(void *context, struct yk_question *question);
};

#endif
