/* SPDX-License-Identifier: Apache-2.0 */
/*
 * After a signal, REST answers the requests that it has. Then the scheduling thread ends, and then the loop
 * of the I/O thread.
 */
#include "cmd/simulate_web.h"

#include "base/log.h"
#include "cmd/commands.h"
#include "cmd/engine_whatif.h"
#include "cmd/simulate_live.h"
#include "web/web.h"

#include <event2/event.h>
#include <signal.h>
#include <unistd.h>

/* These times are real time, unless a comment says otherwise. */
/* About the time between two moves of the target while the simulation catches up with it. */
static const int64_t slice_ns = 10 * YK_NS_PER_MS;
/* The longest time between two moves of the virtual clock, unless it is paused. */
static const int64_t refresh_ns = 50 * YK_NS_PER_MS;
/* Between two checks of the invariants; at speeds below 1, this is virtual time. */
static const int64_t inspection_ns = 5 * YK_NS_PER_S;

struct served {
    struct yk_live live;
    struct yk_simulation *sim;
    struct yk_io *io;
    struct yk_web *web;
    struct yk_engine_whatif whatif;
    struct yk_timers real_timers; /* on the real clock: they also run while the simulation is paused */
    pthread_t thread;
    /* I/O thread. */
    struct event *signals[3];
    bool signalled;
};

/* ---- the thread of the simulation ---- */

static int64_t real_now(void)
{
    return yk_clock_mono_ns(&yk_clock_real);
}

static int64_t virtual_now(const struct served *served)
{
    return yk_clock_mono_ns(yk_simulation_engine(served->sim)->clock);
}

/* Moves the simulation towards its target, for about a slice of time. True: the target is not reached yet. */
static bool follow(struct served *served)
{
    int64_t until_ns = real_now() + slice_ns;
    (void)yk_timers_run(&served->real_timers); /* the number of timers that ran is not needed */
    while (yk_simulation_step(served->sim, served->live.pace.target_ns)) {
        if (real_now() >= until_ns)
            return true;
    }
    return false;
}

static int64_t next_look(const struct served *served)
{
    const struct yk_pace *pace = &served->live.pace;
    int64_t due_ns = yk_pace_when(pace, yk_actor_next_ns(&yk_simulation_engine(served->sim)->actor));
    due_ns = YK_MIN(due_ns, yk_timers_next_ns(&served->real_timers));
    return pace->paused ? due_ns : YK_MIN(due_ns, real_now() + refresh_ns);
}

static void *simulate(void *context)
{
    struct served *served = context;
    struct yk_actor *actor = &yk_simulation_engine(served->sim)->actor;
    while (!yk_actor_is_stopping(actor) && !yk_simulation_has_failed(served->sim)) {
        yk_pace_move(&served->live.pace, virtual_now(served), real_now());
        if (!follow(served))
            yk_actor_wait(actor, next_look(served));
    }
    yk_io_stop(served->io);
    return NULL;
}

/* ---- the I/O thread ---- */

static void on_web_stopped(void *context)
{
    yk_actor_stop(&yk_simulation_engine(((struct served *)context)->sim)->actor);
}

static void on_signal(evutil_socket_t number, short what, void *context)
{
    struct served *served = context;
    (void)number, (void)what;
    if (served->signalled)
        _exit(YK_EXIT_FAILURE); /* a second signal ends the process at once */
    served->signalled = true;
    yk_web_stop(served->web, on_web_stopped, served);
}

static enum yk_status catch_signals(struct served *served, struct yk_err *err)
{
    static const int numbers[] = {SIGTERM, SIGINT, SIGHUP};
    for (size_t i = 0; i < YK_COUNT(numbers); i++) {
        if (numbers[i] == SIGHUP && yk_io_signal_is_ignored(SIGHUP))
            continue;
        served->signals[i] = evsignal_new(yk_io_base(served->io), numbers[i], on_signal, served);
        if (served->signals[i] == NULL || event_add(served->signals[i], NULL) != 0)
            return yk_fail(err, YK_ERR_IO, "cannot listen to signal %d", numbers[i]);
    }
    return YK_OK;
}

static enum yk_status listen_for_requests(struct served *served,
                                          const struct yk_simulate_web_options *options, struct yk_err *err)
{
    struct yk_engine *engine = yk_simulation_engine(served->sim);
    const struct yk_whatif_backend whatif = yk_engine_whatif_backend(&served->whatif);
    const struct yk_web_options web = {
        .io = served->io,
        .inbox = &engine->actor.inbox,
        .actor = &engine->actor,
        .core = engine->core,
        .timers = &served->real_timers,
        .whatif = &whatif,
        .clock = &yk_clock_real,
        .bind_address = options->host,
        .port = options->port,
        .access = YK_WEB_ACCESS_OPEN,
        .simulation = &served->live.hook,
    };
    return yk_web_start(&web, &served->web, err);
}

static enum yk_status set_up(struct served *served, const struct yk_simulate_web_options *options,
                             struct yk_err *err)
{
    enum yk_status status = yk_io_new(&served->io, err);
    if (status == YK_OK)
        status = catch_signals(served, err);
    if (status == YK_OK)
        status = listen_for_requests(served, options, err);
    if (status != YK_OK)
        return status;
    yk_pace_init(&served->live.pace, options->speed, virtual_now(served), real_now());
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* signals belong to the I/O thread */
    int failed = pthread_create(&served->thread, NULL, simulate, served);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed == 0 ? YK_OK : yk_fail(err, YK_ERR_IO, "cannot start the thread of the simulation");
}

static void say_where(const struct served *served, const struct yk_simulate_web_options *options)
{
    bool is_v6 = strchr(options->host, ':') != NULL, is_all = options->host[0] == '\0';
    fprintf(stderr, "web page: http://%s%s%s:%u/   (Ctrl-C ends it)\n", is_v6 ? "[" : "",
            is_all ? "localhost" : options->host, is_v6 ? "]" : "", yk_web_port(served->web));
}

static void tear_down(struct served *served)
{
    for (size_t i = 0; i < YK_COUNT(served->signals); i++) {
        if (served->signals[i] != NULL)
            event_free(served->signals[i]);
    }
    yk_web_free(served->web);
    yk_io_free(served->io);
}

enum yk_status yk_simulate_web(const struct yk_scenario *scenario,
                               const struct yk_simulate_web_options *options, struct yk_outcome **ret,
                               struct yk_err *err)
{
    YK_CLEANUP(yk_freep) struct served *served = yk_new0(struct served);
    struct yk_simulation_options with = options->simulation;
    struct yk_outcome *outcome = NULL;
    struct yk_err end_err = {0};
    yk_live_init(&served->live);
    with.said = yk_live_note;
    with.context = &served->live;
    with.keeps_apart = true; /* what-if trials run only timers of the scheduler */
    with.inspection_ns = YK_MAX((int64_t)((double)inspection_ns * options->speed), inspection_ns);
    served->sim = served->live.sim = yk_simulation_new(scenario, &with);
    yk_timers_init(&served->real_timers, &yk_clock_real);
    yk_engine_whatif_start(&served->whatif, yk_simulation_engine(served->sim),
                           yk_simulation_clock(served->sim), &served->real_timers, NULL, NULL);
    enum yk_status status = set_up(served, options, err);
    if (status == YK_OK) {
        say_where(served, options);
        yk_io_run(served->io);
        pthread_join(served->thread, NULL);
    }
    tear_down(served); /* the web server uses the core */
    yk_engine_whatif_done(&served->whatif);
    yk_timers_done(&served->real_timers);
    enum yk_status end = yk_simulation_finish(served->sim, &outcome, &end_err);
    yk_simulation_free(served->sim);
    yk_live_done(&served->live);
    if (status == YK_OK && end != YK_OK)
        status = yk_fail(err, end, "%s", end_err.text);
    if (status == YK_OK)
        *ret = yk_move(outcome);
    yk_outcome_free(outcome);
    return status;
}

enum yk_status yk_simulate_web_address(const char *text, char **ret_host, uint16_t *ret_port,
                                       struct yk_err *err)
{
    const char *colon = strrchr(text, ':'), *port_text = colon != NULL ? colon + 1 : text;
    struct yk_str host = colon != NULL ? (struct yk_str){text, (size_t)(colon - text)} : YK_STR("");
    uint64_t port = 0;
    if (host.len > 1 && host.p[0] == '[' && host.p[host.len - 1] == ']')
        host = (struct yk_str){host.p + 1, host.len - 2};
    else if (host.len > 0 && memchr(host.p, ':', host.len) != NULL)
        return yk_fail(err, YK_ERR_INVALID, "an IPv6 address needs brackets: [::1]:9889, not '%s'", text);
    if (yk_str_to_u64(yk_str_from(port_text), &port) != YK_OK || port > UINT16_MAX)
        return yk_fail(err, YK_ERR_INVALID, "'%s' is not ADDRESS:PORT", text);
    *ret_host = host.len > 0 ? yk_str_dup(host) : yk_strdup("127.0.0.1");
    *ret_port = (uint16_t)port;
    return YK_OK;
}
