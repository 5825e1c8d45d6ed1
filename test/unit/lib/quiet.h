/* SPDX-License-Identifier: Apache-2.0 */
/* Switches the log off, for tests of refusals, which would fill the screen with warnings. */
#ifndef TEST_LIB_QUIET_H
#define TEST_LIB_QUIET_H

#include "base/log.h"

/* A set-up function for cmocka_run_group_tests(): nothing is logged from now on. */
static inline int quiet(void **state)
{
    (void)state;
    yk_log_set_stream(NULL);
    return 0;
}

#endif
