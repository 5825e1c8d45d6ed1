/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random scenarios, to test the goals of fairness: nodes, queues, pods, and steps that change the cluster.
 *
 * A seed gives the same text in every build.
 *
 * Thread: any.
 * Source: docs/reference/simulate.md, "Random scenarios".
 */
#ifndef YK_CMD_RANDOM_SCENARIO_H
#define YK_CMD_RANDOM_SCENARIO_H

#include "base/str.h"

/* Appends the scenario of that seed as YAML, which yk_scenario_parse() accepts. */
void yk_random_scenario_write(uint64_t seed, struct yk_buf *out);

#endif
