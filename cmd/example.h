/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The built-in scenarios of `yunikorn simulate`: the texts of examples/two-teams.yaml and, for --web, of
 * examples/live.yaml. The build embeds them.
 *
 * Thread: any; constants.
 */
#ifndef YK_CMD_EXAMPLE_H
#define YK_CMD_EXAMPLE_H

#include <stddef.h>

extern const char yk_example_bytes[]; /* `yk_example_len` bytes, without a NUL at the end */
extern const size_t yk_example_len;
extern const char yk_live_example_bytes[]; /* `yk_live_example_len` bytes, without a NUL at the end */
extern const size_t yk_live_example_len;

#endif
