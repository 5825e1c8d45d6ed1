/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For random tests of code that runs on one thread. The thread sanitizer is slow and finds little in them,
 * and more runs do not increase the coverage. In these two builds, a test makes only one run in
 * ONE_THREAD_PART.
 */
#ifndef TEST_LIB_ONE_THREAD_H
#define TEST_LIB_ONE_THREAD_H

#if defined(__SANITIZE_THREAD__) || defined(YK_COVERAGE)
enum { ONE_THREAD_PART = 20 };
#else
enum { ONE_THREAD_PART = 1 };
#endif

#endif
