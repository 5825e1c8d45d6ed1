/* SPDX-License-Identifier: Apache-2.0 */
/* What came of one step of scheduling. */
#ifndef YK_STATE_TURN_H
#define YK_STATE_TURN_H

enum yk_turn {
    YK_TURN_IDLE,    /* nothing can be decided until something changes */
    YK_TURN_PARKED,  /* something was tried and put aside: go on */
    YK_TURN_DECIDED, /* an ask became an allocation */
};

#endif
