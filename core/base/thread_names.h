/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of threads. The kernel shows them (`top -H`), and the metric yunikorn_threads recognises threads by
 * them. A name has at most 15 bytes. Other threads have the name of the thread that made them; the main
 * thread has the name of the program, which is also the name of the process.
 */
#ifndef YK_BASE_THREAD_NAMES_H
#define YK_BASE_THREAD_NAMES_H

#define YK_THREAD_SCHEDULING "yk-scheduling"
#define YK_THREAD_CONFIG     "yk-config"
#define YK_THREAD_NAMES      "yk-names"

#endif
