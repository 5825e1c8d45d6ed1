/* SPDX-License-Identifier: Apache-2.0 */
/* The scripts of `yunikorn completion`: cmd/completion.bash and cmd/completion.zsh, put in by the build. */
#ifndef YK_CMD_COMPLETION_H
#define YK_CMD_COMPLETION_H

#include <stddef.h>

extern const char yk_completion_bash[]; /* not terminated */
extern const size_t yk_completion_bash_len;
extern const char yk_completion_zsh[]; /* not terminated */
extern const size_t yk_completion_zsh_len;

#endif
