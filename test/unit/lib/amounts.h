/* SPDX-License-Identifier: Apache-2.0 */
/* For tests that return resource vectors by value. */
#ifndef TEST_LIB_AMOUNTS_H
#define TEST_LIB_AMOUNTS_H

#include "resources/resvec.h"

/* Sets `to`, which is initialised, to the amounts of `from`. Takes `from`. */
static inline void set_amounts(struct yk_resvec *to, struct yk_resvec from)
{
    yk_resvec_copy(to, &from);
    yk_resvec_done(&from);
}

#endif
