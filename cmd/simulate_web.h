/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `yunikorn simulate --web`: a scenario in scaled real time, with the REST server and the web page.
 *
 * Two threads as in `yunikorn scheduler`: the calling thread is the I/O thread, another one moves the clock
 * of the simulation and schedules.
 * Source: docs/reference/simulate.md, "On a web page".
 */
#ifndef YK_CMD_SIMULATE_WEB_H
#define YK_CMD_SIMULATE_WEB_H

#include "cmd/pace.h"
#include "cmd/simulation.h"

#define YK_SIMULATE_WEB_ADDRESS "127.0.0.1:9889"

struct yk_simulate_web_options {
    struct yk_simulation_options simulation;
    const char *host; /* of the REST server; "": all addresses */
    uint16_t port;    /* 0: any free one */
    double speed;     /* virtual seconds per real second */
};

/*
 * Splits "HOST:PORT", "[IPV6]:PORT", ":PORT" or "PORT"; an absent host is 127.0.0.1. `ret_host` is the
 * caller's to free. Errors: YK_ERR_INVALID.
 */
YK_NODISCARD enum yk_status yk_simulate_web_address(const char *text, char **ret_host, uint16_t *ret_port,
                                                    struct yk_err *err);

/*
 * Serves until SIGINT, SIGTERM or SIGHUP. Then `*ret` is what has happened so far.
 * Errors: as yk_simulation_run(), and YK_ERR_IO: the address cannot be used.
 */
YK_NODISCARD enum yk_status yk_simulate_web(const struct yk_scenario *scenario,
                                            const struct yk_simulate_web_options *options,
                                            struct yk_outcome **ret, struct yk_err *err);

#endif
