/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How fast the virtual clock of a simulation moves: at a speed relative to the real clock, not at all, or
 * forward to a given time.
 *
 * The pace has a target time on the virtual clock, which the simulation follows. When the machine is too slow
 * for the speed, the target waits for the simulation, so that the target is at most YK_PACE_LAG_NS ahead.
 *
 * Units:  times in ns of the virtual and of the real monotonic clock, as the names say.
 * Thread: any, one at a time.
 */
#ifndef YK_CMD_PACE_H
#define YK_CMD_PACE_H

#include "base/base.h"

#define YK_PACE_LAG_NS      (INT64_C(250) * 1000 * 1000) /* ns of real time */
#define YK_PACE_SPEED_MIN   0.01
#define YK_PACE_SPEED_MAX   10000.0
#define YK_PACE_FORWARD_MAX (INT64_C(24) * 3600 * 1000 * 1000 * 1000) /* ns of virtual time: 24 hours */

/* Callers may read all fields, and write `speed` (YK_PACE_SPEED_MIN to YK_PACE_SPEED_MAX). To pause or
 * resume, a caller sets `paused`, and `target_ns` to the present virtual time, and clears `behind`. */
struct yk_pace {
    double speed;      /* virtual seconds per real second */
    bool paused;       /* the target does not move */
    bool behind;       /* the machine is too slow for the speed */
    int64_t target_ns; /* virtual time that the simulation may run up to */
    int64_t real_ns;   /* real time of the last yk_pace_move() */
};

/* Makes a pace that runs at `speed`. The target is `virtual_now_ns`. */
void yk_pace_init(struct yk_pace *pace, double speed, int64_t virtual_now_ns, int64_t real_now_ns);
/* Moves the target by the real time that has passed since the last call, times the speed, unless paused.
 * `virtual_now_ns` is the present time of the simulation. Does not move the simulation: the caller then calls
 * yk_simulation_step() up to target_ns. */
void yk_pace_move(struct yk_pace *pace, int64_t virtual_now_ns, int64_t real_now_ns);
/* Pauses, with a target that is `ns`, but at most YK_PACE_FORWARD_MAX, after `virtual_now_ns`. The simulation
 * runs up to the target as fast as it can. It stays there, also if it was not paused before, until the caller
 * resumes. */
void yk_pace_forward(struct yk_pace *pace, int64_t virtual_now_ns, int64_t ns);
/* The real time at which the target will be `virtual_ns`. If the target is there already, the time of the
 * last yk_pace_move(). INT64_MAX: never, because the pace is paused. */
int64_t yk_pace_when(const struct yk_pace *pace, int64_t virtual_ns);

#endif
