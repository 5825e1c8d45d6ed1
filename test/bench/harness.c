/* SPDX-License-Identifier: Apache-2.0 */
#include "harness.h"

#include "base/log.h"

enum { INBOX_MAX = 4096 };

int64_t harness_now_ns(void)
{
    return yk_clock_mono_ns(&yk_clock_real);
}

static void check(enum yk_status st, const struct yk_err *err)
{
    if (st == YK_OK)
        return;
    (void)fprintf(stderr, "bench: %s\n", err->text);
    exit(1);
}

void harness_init(struct harness *harness, unsigned in_flight)
{
    struct yk_err err = {0};
    *harness = (struct harness){0};
    yk_log_set_stream(stderr);
    yk_actor_init(&harness->actor, &yk_clock_real, INBOX_MAX);
    struct yk_client_options options = {.inbox = &harness->actor.inbox,
                                        .clock = &yk_clock_real,
                                        .qps = -1,
                                        .in_flight = in_flight,
                                        .in_flight_max = in_flight,
                                        .seed = HARNESS_SEED};
    enum yk_status st = yk_io_new(&harness->io, &err);
    options.io = harness->io;
    if (st == YK_OK)
        st = yk_client_new(&options, &harness->server, &err);
    check(st, &err);
}

static bool stop_when_finished(void *context)
{
    struct harness *harness = context;
    if (harness->finished && yk_api_in_flight(harness->server) == 0)
        yk_actor_stop(&harness->actor);
    return false;
}

static void too_long(struct yk_timer *timer)
{
    (void)timer;
    (void)fprintf(stderr, "bench: not finished in time: no result\n");
    exit(1);
}

void harness_run(struct harness *harness, int64_t limit_s)
{
    struct yk_err err = {0};
    struct yk_timer limit = {.fire = too_long};
    yk_timer_arm(&harness->actor.timers, &limit, limit_s * YK_NS_PER_S);
    harness->actor.work = stop_when_finished;
    harness->actor.context = harness;
    check(yk_io_run_beside(harness->io, &harness->actor, &err), &err);
    yk_timer_cancel(&harness->actor.timers, &limit);
}

void harness_done(struct harness *harness)
{
    yk_client_free(harness->server);
    yk_actor_done(&harness->actor);
    yk_io_free(harness->io);
}
