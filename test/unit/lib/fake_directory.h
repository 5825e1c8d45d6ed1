/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A directory in a test's hands: it answers when told to, or never. It serves the types "test", "os" and
 * "ldap", with the same answers.
 */
#ifndef TEST_LIB_FAKE_DIRECTORY_H
#define TEST_LIB_FAKE_DIRECTORY_H

#include "base/vec.h"
#include "security/directory.h"

struct fake_directory {
    struct yk_directory directory;
    struct yk_vec open;   /* struct yk_question, in the order in which they were asked */
    size_t asked;         /* so far */
    const char *unusable; /* type that lacks its settings */
};

/* Makes a directory without questions. */
void fake_directory_init(struct fake_directory *fake);
/* Drops what is open. */
void fake_directory_done(struct fake_directory *fake);
/* Answers the oldest open question about `user`; `groups` are separated by commas. False: there is none. */
bool fake_directory_answer(struct fake_directory *fake, const char *user, const char *groups);
/* Like fake_directory_answer(), with the error text `why`. */
bool fake_directory_fail(struct fake_directory *fake, const char *user, const char *why);
/* Answers all that is open from the fixed table of the type "test": user -> groups; others fail. */
void fake_directory_answer_all(struct fake_directory *fake);

#endif
