/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of the threads, which the kernel shows (`top -H`) and the metric yunikorn_threads has as labels. At
 * most 15 bytes. The main thread keeps the name of the program, which is also that of the process.
 */
#ifndef YK_BASE_THREAD_NAMES_H
#define YK_BASE_THREAD_NAMES_H

#define YK_THREAD_SCHEDULING "yk-scheduling"
#define YK_THREAD_CONFIG     "yk-config"
#define YK_THREAD_NAMES      "yk-names"

#endif
