/* SPDX-License-Identifier: Apache-2.0 */
/* cmocka.h and the headers that it needs before it. */
#ifndef TEST_LIB_CMOCKA_HEADERS_H
#define TEST_LIB_CMOCKA_HEADERS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#endif
