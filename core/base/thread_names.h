/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of the threads. The kernel shows them (`top -H`), and they are labels of the metric yunikorn_threads.
 * A name has at most 15 bytes. The main thread keeps the name of the program, which is also the name of the
 * process.
 */
#ifndef YK_BASE_THREAD_NAMES_H
#define YK_BASE_THREAD_NAMES_H

#define YK_THREAD_SCHEDULING "yk-scheduling"
#define YK_THREAD_CONFIG     "yk-config"
#define YK_THREAD_NAMES      "yk-names"

#endif
