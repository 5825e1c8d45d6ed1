/* SPDX-License-Identifier: Apache-2.0 */
/* For cmocka_run_group_tests(): tests of what is refused do not fill the screen with warnings. */
#ifndef YK_TEST_BASE_QUIET_H
#define YK_TEST_BASE_QUIET_H

#include "base/log.h"

static inline int quiet(void **state)
{
    (void)state;
    yk_log_set_stream(NULL);
    return 0;
}

#endif
