/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How fast the clock of a simulation moves against the real one: running at a speed, paused, or going forward
 * by a given time.
 *
 * It keeps a target on the virtual clock, which the simulation follows. When the machine is too slow for the
 * speed, the target waits for the simulation, so that the lag stays below YK_PACE_LAG_NS.
 *
 * Times are mono, in ns.
 * Thread: one.
 */
#ifndef YK_CMD_PACE_H
#define YK_CMD_PACE_H

#include "base/base.h"

#define YK_PACE_LAG_NS      (INT64_C(250) * 1000 * 1000) /* of real time */
#define YK_PACE_SPEED_MIN   0.01
#define YK_PACE_SPEED_MAX   10000.0
#define YK_PACE_FORWARD_MAX (INT64_C(24) * 3600 * 1000 * 1000 * 1000)

struct yk_pace {
    double speed; /* virtual seconds per real second */
    bool paused;
    bool behind;       /* the machine is too slow for the speed */
    int64_t target_ns; /* virtual: where the clock should be */
    int64_t real_ns;   /* when the target was last moved */
};

/* Starts running at `speed`. The target begins at `virtual_now_ns`. */
void yk_pace_init(struct yk_pace *pace, double speed, int64_t virtual_now_ns, int64_t real_now_ns);
/* Moves the target to where it is at `real_now_ns`. `virtual_now_ns`: how far the simulation is. */
void yk_pace_move(struct yk_pace *pace, int64_t virtual_now_ns, int64_t real_now_ns);
/* Pauses, and lets the simulation go on to `ns` after `virtual_now_ns`, as fast as it can. */
void yk_pace_forward(struct yk_pace *pace, int64_t virtual_now_ns, int64_t ns);
/* Real time at which the target is `virtual_ns`; INT64_MAX: never. */
int64_t yk_pace_when(const struct yk_pace *pace, int64_t virtual_ns);

#endif
