/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a new configuration changes for the queues and applications that are there: for what-if questions
 * (whatif/trial.h).
 *
 * Thread: scheduling thread, or the one of a copy of the process.
 */
#ifndef YK_CMD_QUEUE_IMPACT_H
#define YK_CMD_QUEUE_IMPACT_H

#include "whatif/trial.h"

struct yk_core;

/* The functions of a trial for `core`, which is borrowed. */
struct yk_whatif_core yk_queue_impact(struct yk_core *core);

#endif
