/* SPDX-License-Identifier: Apache-2.0 */
/* What the cluster benchmarks share: a client on its own I/O thread and an actor that receives. */
#ifndef YK_BENCH_HARNESS_H
#define YK_BENCH_HARNESS_H

#include "base/actor.h"
#include "client/client.h"

enum { HARNESS_SEED = 1 }; /* of the client's random numbers */

struct harness {
    struct yk_actor actor;
    struct yk_io *io;
    struct yk_api_server *server;
    bool finished; /* set by the benchmark: stop as soon as nothing is in flight */
};

/* Opens a client for $KUBECONFIG without limits on writes; ends the process with a message if it cannot. */
void harness_init(struct harness *harness, unsigned in_flight);
/* Runs until `finished`, or ends the process after `limit_s` seconds. */
void harness_run(struct harness *harness, int64_t limit_s);
void harness_done(struct harness *harness);
int64_t harness_now_ns(void);

#endif
