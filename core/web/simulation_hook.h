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
    /* Answers GET /sim/v1/`what`: sets the fields of `answer`, which is initialised. False: there is no such
     * path. */
    bool (*show)(void *context, struct yk_str what, struct yk_answer *answer);
    /* Answers POST /sim/v1/`what` with the JSON text `body`: changes the cluster, and sets the fields of
     * `answer`, which is initialised. False: there is no such path. */
    bool (*act)(void *context, struct yk_str what, struct yk_str body, struct yk_answer *answer);
};

#endif
