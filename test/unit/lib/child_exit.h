/* SPDX-License-Identifier: Apache-2.0 */
/* Runs code that ends the process, for example because memory is exhausted, in a child process. */
#ifndef TEST_LIB_CHILD_EXIT_H
#define TEST_LIB_CHILD_EXIT_H

#include <stddef.h>

enum { CHILD_MESSAGE_MAX = 16 * 1024 }; /* bytes; sanitizers may add warnings with stack traces */

/*
 * Forks, and calls run(context) in the child. Returns the exit code of the child: 0 if `run` returns, -1 if a
 * signal ended the child. `message` gets what the child wrote to standard error, with a NUL; the rest is cut.
 */
int child_exit_code(void (*run)(const void *context), const void *context, char message[CHILD_MESSAGE_MAX]);

#endif
