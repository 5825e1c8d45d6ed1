/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists what a new configuration changes for existing queues and applications, for what-if questions
 * (whatif/trial.h).
 *
 * Thread: scheduling thread, or the only thread of a copy of the process.
 */
#ifndef YK_CMD_QUEUE_IMPACT_H
#define YK_CMD_QUEUE_IMPACT_H

#include "whatif/trial.h"

struct yk_core;

/* The functions that a trial calls. `core` is borrowed as long as they are used. */
struct yk_whatif_core yk_queue_impact(struct yk_core *core);

#endif
