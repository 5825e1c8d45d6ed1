/* SPDX-License-Identifier: Apache-2.0 */
/* Flags that only some commands of `kubectl yunikorn` have: bits of a row of kubectl_rows.h. */
#ifndef YK_CMD_KUBECTL_FLAGS_H
#define YK_CMD_KUBECTL_FLAGS_H

enum {
    FLAG_TREE = 1u << 0,
    FLAG_WATCH = 1u << 1,
    FLAG_TIMELINE = 1u << 2,
    FLAG_FOLLOW = 1u << 3,
    FLAG_QUEUE = 1u << 4,
    FLAG_STATE = 1u << 5,
    FLAG_LIMIT = 1u << 6,
    FLAG_RECORD = 1u << 7, /* instead of --output */
};

#endif
