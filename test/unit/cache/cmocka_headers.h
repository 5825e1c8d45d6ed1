/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_CACHE_CMOCKA_HEADERS_H
#define TEST_CACHE_CMOCKA_HEADERS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#endif
