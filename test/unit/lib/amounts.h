/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors that tests build by value. */
#ifndef TEST_LIB_AMOUNTS_H
#define TEST_LIB_AMOUNTS_H

#include "resources/resvec.h"

/* `to` has what `from`, which is taken, had. */
static inline void set_amounts(struct yk_resvec *to, struct yk_resvec from)
{
    yk_resvec_copy(to, &from);
    yk_resvec_done(&from);
}

#endif
