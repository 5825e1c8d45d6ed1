/* SPDX-License-Identifier: Apache-2.0 */
/* For cmocka_run_group_tests(): tests of what is refused do not fill the screen with warnings. */
#ifndef TEST_LIB_QUIET_H
#define TEST_LIB_QUIET_H

#include "base/log.h"

/* A set-up function: nothing is logged from now on. */
static inline int quiet(void **state)
{
    (void)state;
    yk_log_set_stream(NULL);
    return 0;
}

#endif
