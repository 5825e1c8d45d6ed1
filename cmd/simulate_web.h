/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `yunikorn simulate --web`: a scenario in scaled real time, with the REST server and the web page.
 *
 * There are two threads, as in `yunikorn scheduler`: the calling thread is the I/O thread; the scheduling
 * thread moves the clock of the simulation and schedules.
 *
 * Thread: main thread; while yk_simulate_web() runs, it is the I/O thread.
 * Source: docs/reference/simulate.md, "On a web page".
 */
#ifndef YK_CMD_SIMULATE_WEB_H
#define YK_CMD_SIMULATE_WEB_H

#include "cmd/pace.h"
#include "cmd/simulation.h"

#define YK_SIMULATE_WEB_ADDRESS "127.0.0.1:9889"

struct yk_simulate_web_options {
    /* Its fields keeps_apart, said, context and inspection_ns are ignored: yk_simulate_web() sets them. */
    struct yk_simulation_options simulation;
    const char *host; /* address of the REST server; "": all addresses */
    uint16_t port;    /* 0: any free port */
    double speed;     /* virtual seconds per real second, YK_PACE_SPEED_MIN to YK_PACE_SPEED_MAX */
};

/*
 * Splits "HOST:PORT", "[IPV6]:PORT", ":PORT" or "PORT", with a port from 0 to 65535. `*ret_host` has no
 * brackets; without a host, it is "127.0.0.1". The host itself is not checked. The caller frees `*ret_host`.
 * Errors: YK_ERR_INVALID.
 */
YK_NODISCARD enum yk_status yk_simulate_web_address(const char *text, char **ret_host, uint16_t *ret_port,
                                                    struct yk_err *err);

/*
 * Runs the scenario and serves the web page until SIGINT, SIGTERM or SIGHUP, also after the scenario has
 * ended. Prints the address of the page on standard error. `*ret` is the outcome so far, which the caller
 * frees with yk_outcome_free(); it borrows `scenario`. A second signal ends the process at once. Errors: as
 * yk_simulation_run(); YK_ERR_IO, the address cannot be used, or a thread cannot be started.
 */
YK_NODISCARD enum yk_status yk_simulate_web(const struct yk_scenario *scenario,
                                            const struct yk_simulate_web_options *options,
                                            struct yk_outcome **ret, struct yk_err *err);

#endif
