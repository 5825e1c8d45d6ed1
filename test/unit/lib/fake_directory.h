/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A directory of users' groups (security/directory.h) that answers when the test says so. It serves the types
 * "test", "os" and "ldap" in the same way.
 */
#ifndef TEST_LIB_FAKE_DIRECTORY_H
#define TEST_LIB_FAKE_DIRECTORY_H

#include "base/vec.h"
#include "security/directory.h"

struct fake_directory {
    struct yk_directory directory;
    struct yk_vec open;   /* struct yk_question, owned: those without an answer, oldest first */
    size_t asked;         /* number of questions so far */
    const char *unusable; /* a type whose settings are missing; NULL: none. The test sets it */
};

/* Makes a directory without questions. The caller ends it with fake_directory_done(). */
void fake_directory_init(struct fake_directory *fake);
/* Frees the open questions without answering them. */
void fake_directory_done(struct fake_directory *fake);
/* Answers the oldest open question about `user`; `groups` are separated by commas. False: there is none. */
bool fake_directory_answer(struct fake_directory *fake, const char *user, const char *groups);
/* Like fake_directory_answer(), but the lookup fails with the sentence `why`. */
bool fake_directory_fail(struct fake_directory *fake, const char *user, const char *why);
/* Answers all open questions from a fixed table of users; a user who is not in it gets a failure. */
void fake_directory_answer_all(struct fake_directory *fake);

#endif
