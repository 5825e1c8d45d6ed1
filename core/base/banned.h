/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that have a safer replacement in base/; naming one is a compile error. */
#ifndef YK_BASE_BANNED_H
#define YK_BASE_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#undef alloca
#pragma GCC poison strcpy strcat sprintf vsprintf strncpy strtok atoi atol strtol gmtime localtime srand     \
    alloca

#endif
