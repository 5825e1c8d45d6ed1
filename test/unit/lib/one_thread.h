/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For random tests of code that one thread runs. The thread sanitizer has little to look at there and is slow, and
 * more runs reach no more lines for the coverage: there, a part of the runs is enough. The others are done with the
 * address sanitizer.
 */
#ifndef TEST_LIB_ONE_THREAD_H
#define TEST_LIB_ONE_THREAD_H

#if defined(__SANITIZE_THREAD__) || defined(YK_COVERAGE)
enum { ONE_THREAD_PART = 20 };
#else
enum { ONE_THREAD_PART = 1 };
#endif

#endif
