/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The source of the groups of a user, as an interface: the name services of this machine and LDAP
 * (security/name_service.h), or a test.
 *
 * A lookup may take long, so it is a message. The caller hands a question over with ask(). The directory
 * fills it in on any thread, and yk_question_answer() returns it on the thread that asked. The answer may
 * come late or never, but not before ask() has returned.
 *
 * Thread: `name`, `type` and the answer belong to the thread that holds the question, `lookup` to the one
 * that asked.
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
    YK_USER_GROUPS_BYTES_MAX = 256 << 10, /* of the names of all groups of a user in a directory */
};

struct yk_user {
    char *name;
    char **groups; /* in order; the first is the primary one */
    size_t group_count;
};

void yk_user_done(struct yk_user *user);
/* Adds a copy of `group` to the user. `*bytes`: total size of the names so far, 0 at first. False: one of the
 * maxima would be exceeded, and nothing is added. */
bool yk_user_add_group(struct yk_user *user, struct yk_str group, size_t *bytes);

struct yk_lookup;

struct yk_question {
    struct yk_command command; /* first: a question travels through mailboxes */
    char *type;                /* owned: "os", "ldap", ... */
    struct yk_user user;       /* owned: the name is the question, the groups are the answer */
    struct yk_err failure;     /* else: why there is no answer; not empty */
    _Atomic bool unwanted;     /* relaxed: the answer is not needed, the lookup can be skipped */
    struct yk_lookup *lookup;  /* the lookup that asked; NULL when it is gone */
    /* Written by: the directory, the rest and `failure`. Called first with the answer, on the thread that asked. NULL: not called. */
    void (*answered)(void *context, const struct yk_question *question);
    void *answered_context;
    uint64_t number; /* the directory's */
};

/* Makes a question about the groups of `user` with resolver `type`. Both texts are copied. The caller sets
 * `lookup`, and passes the question to `ask` of a directory or frees it. */
struct yk_question *yk_question_new(const char *type, const char *user);
void yk_question_free(struct yk_question *question);
/* Ends the question with its groups, or with `failure` if that is set. Takes the question. */
void yk_question_answer(struct yk_question *question);

enum yk_directory_serves {
    YK_DIRECTORY_UNKNOWN = 0, /* no such type */
    YK_DIRECTORY_SERVES,
    YK_DIRECTORY_UNUSABLE, /* the type is known, but its settings are missing: `err` names them */
};

struct yk_directory {
    void *context;
    /* Does not block. Any thread. */
    enum yk_directory_serves (*serves)(void *context, const char *type, struct yk_err *err);
    /* Takes the question. */
    void (*ask)(void *context, struct yk_question *question);
};

#endif
