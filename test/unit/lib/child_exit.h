/* SPDX-License-Identifier: Apache-2.0 */
/* Code that ends the process, as running out of memory does, in a process of its own. */
#ifndef TEST_LIB_CHILD_EXIT_H
#define TEST_LIB_CHILD_EXIT_H

#include <stddef.h>

enum { CHILD_MESSAGE_MAX = 16 * 1024 }; /* sanitizers add warnings with a stack */

/*
 * Forks, and calls run(context) in the child. Returns the child's exit code: 0 if `run` returns, -1 if a
 * signal ended the child. `message` gets what it wrote to standard error, cut.
 */
int child_exit_code(void (*run)(const void *context), const void *context, char message[CHILD_MESSAGE_MAX]);

#endif
