/* SPDX-License-Identifier: Apache-2.0 */
/* The scenarios that `yunikorn simulate` runs without a file: examples/two-teams.yaml, and with --web
 * examples/live.yaml. The build puts them in. */
#ifndef YK_CMD_EXAMPLE_H
#define YK_CMD_EXAMPLE_H

#include <stddef.h>

extern const char yk_example_bytes[]; /* not terminated */
extern const size_t yk_example_len;
extern const char yk_live_example_bytes[]; /* not terminated */
extern const size_t yk_live_example_len;

#endif
