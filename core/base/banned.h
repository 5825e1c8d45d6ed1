/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that have a safer replacement in base/; naming one is a compile error. */
#ifndef YK_BASE_BANNED_H
#define YK_BASE_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* With _FORTIFY_SOURCE and clang, the C library defines some of the banned functions as macros. Clang warns
 * when it poisons a macro. */
#undef alloca
#undef sprintf
#undef vsprintf
#undef strcpy
#undef strcat
#undef strncpy
#pragma GCC poison strcpy strcat sprintf vsprintf strncpy strtok atoi atol strtol gmtime localtime srand     \
    alloca

#endif
