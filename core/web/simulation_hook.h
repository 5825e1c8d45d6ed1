/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What `yunikorn simulate --web` adds to the REST interface: paths below /sim/v1, which show and change the
 * simulated cluster. The process that runs the simulation implements them. A server without a simulation
 * answers with 404.
 *
 * Thread: scheduling thread.
 * Source: docs/reference/simulate.md, "On a web page".
 */
#ifndef YK_WEB_SIMULATION_HOOK_H
#define YK_WEB_SIMULATION_HOOK_H

#include "web/answer.h"

struct yk_web_simulation {
    void *context; /* the first argument of the functions */
    /* These set the fields of `answer`, which is initialised. `body` is JSON. */
    void (*show_state)(void *context, struct yk_answer *answer); /* GET /sim/v1/state */
    /* POST /sim/v1/clock */
    void (*set_clock)(void *context, struct yk_str body, struct yk_answer *answer);
    /* POST /sim/v1/steps: changes the cluster */
    void (*take_steps)(void *context, struct yk_str body, struct yk_answer *answer);
};

#endif
