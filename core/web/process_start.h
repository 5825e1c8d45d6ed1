/* SPDX-License-Identifier: Apache-2.0 */
/* The start time of this process. Thread: any. */
#ifndef YK_WEB_PROCESS_START_H
#define YK_WEB_PROCESS_START_H

#include "base/clock.h"

/* The start time of this process in nanoseconds since 1970, exact to 1 s, because /proc/stat gives the time
 * of boot in whole seconds; 0 if it cannot be read. Reads files of /proc. */
int64_t yk_process_start_wall_ns(void);

#endif
