/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bits in the rows of kubectl_rows.h: the flags that only some commands of `kubectl yunikorn` have.
 *
 * Thread: any; constants.
 */
#ifndef YK_CMD_KUBECTL_FLAGS_H
#define YK_CMD_KUBECTL_FLAGS_H

enum {
    FLAG_TREE = 1u << 0, /* --tree, and so on */
    FLAG_WATCH = 1u << 1,
    FLAG_TIMELINE = 1u << 2,
    FLAG_FOLLOW = 1u << 3,
    FLAG_QUEUE = 1u << 4,
    FLAG_STATE = 1u << 5,
    FLAG_LIMIT = 1u << 6,
    /* --file, --for, --restart, --hash-names, --from and --url; the command does not have --output. */
    FLAG_RECORD = 1u << 7,
    FLAG_COUNT = 1u << 8,
};

#endif
