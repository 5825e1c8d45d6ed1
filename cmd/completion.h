/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scripts that `yunikorn completion` prints: the texts of cmd/completion.bash and cmd/completion.zsh,
 * which the build embeds.
 *
 * Thread: any; constants.
 */
#ifndef YK_CMD_COMPLETION_H
#define YK_CMD_COMPLETION_H

#include <stddef.h>

extern const char yk_completion_bash[]; /* `yk_completion_bash_len` bytes, without a NUL at the end */
extern const size_t yk_completion_bash_len;
extern const char yk_completion_zsh[]; /* `yk_completion_zsh_len` bytes, without a NUL at the end */
extern const size_t yk_completion_zsh_len;

#endif
