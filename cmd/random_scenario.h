/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scenarios drawn at random, for the steady goals: nodes, queues, what they run and what happens to them.
 *
 * A seed gives the same text in every build. Demand exceeds supply nearly all the time.
 * Thread: any.
 * Source: docs/reference/simulate.md, "Random scenarios".
 */
#ifndef YK_CMD_RANDOM_SCENARIO_H
#define YK_CMD_RANDOM_SCENARIO_H

#include "base/str.h"

/* Appends the YAML of the scenario of that seed. */
void yk_random_scenario_write(uint64_t seed, struct yk_buf *out);

#endif
