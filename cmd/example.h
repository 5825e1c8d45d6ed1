/* SPDX-License-Identifier: Apache-2.0 */
/* The scenario that `yunikorn simulate` runs by itself: examples/two-teams.yaml, put in by the build. */
#ifndef YK_CMD_EXAMPLE_H
#define YK_CMD_EXAMPLE_H

#include <stddef.h>

extern const char yk_example_bytes[]; /* not terminated */
extern const size_t yk_example_len;

#endif
