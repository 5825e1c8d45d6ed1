/* SPDX-License-Identifier: Apache-2.0 */
/* Which settings and flags may hold a secret, by their names. Thread: any. */
#ifndef YK_WEB_SECRET_H
#define YK_WEB_SECRET_H

#include "base/str.h"

#define YK_SECRET_MASK "***"

/* Whether `name` contains a word such as password, secret, token or credential, in any case. */
bool yk_is_secret_name(struct yk_str name);
/*
 * Appends one flag a line, without its dashes, from the arguments of a process: each ends with a NUL, the first
 * is the program. "--name value" and "--name=value" become "name=value", a flag without a value "name". Words
 * before the first flag are left out. Values of secret names are masked.
 */
void yk_put_flags(struct yk_str arguments, struct yk_buf *out);

/* Replaces each character of the values of flags with secret names by '*', in place. `arguments`: `len` bytes, as for
 * yk_put_flags(); the last one may end without a NUL. */
void yk_mask_secret_flags(char *arguments, size_t len);

#endif
