/* SPDX-License-Identifier: Apache-2.0 */
/* Recognises, by their names, settings and flags that may have a secret value, and hides the values. Thread:
 * any. */
#ifndef YK_WEB_SECRET_H
#define YK_WEB_SECRET_H

#include "base/str.h"

#define YK_SECRET_MASK "***"

/* Whether `name` contains one of the words password, passwd, secret, token, credential or privatekey, in any
 * case. Says nothing about a value that is secret under another name. */
bool yk_is_secret_name(struct yk_str name);
/*
 * Appends the flags in the arguments of a process to `out`, one per line and without dashes. In `arguments`,
 * each argument ends with a NUL, and the first is the program. "--name value" and "--name=value" become
 * "name=value", a flag without a value becomes "name". An argument that is neither a flag nor the value of
 * one is left out. Values of flags with secret names become YK_SECRET_MASK. A value that is an argument of
 * its own and begins with a dash counts as a flag, unless the name before it is secret.
 */
void yk_put_flags(struct yk_str arguments, struct yk_buf *out);

/* Replaces each character of the values of flags with secret names by '*', in place. `arguments`: `len` bytes
 * in the form of yk_put_flags(), which also says which values are found; the last argument may lack its
 * NUL. */
void yk_mask_secret_flags(char *arguments, size_t len);

#endif
