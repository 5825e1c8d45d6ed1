/* SPDX-License-Identifier: Apache-2.0 */
#include "web/site.h"

#include <arpa/inet.h>
#include <sys/socket.h>

/* They use the world's clock, which moves only when a test moves it. */
static bool run_timers(void *context)
{
    struct world *world = context;
    (void)yk_timers_run(&world->timers); /* how many is not the question */
    return yk_timers_next_ns(&world->timers) <= world->clock.mono_ns;
}

void site_init(struct site *site, const char *config)
{
    *site = (struct site){0};
    yk_actor_init(&site->actor, &yk_clock_real, 10000);
    yk_actor_init(&site->aside, &yk_clock_real, 10000);
    site->actor.work = run_timers;
    site->actor.context = &site->world;
    world_init(&site->world, config);
}

void site_listen(struct site *site, struct yk_web_options options)
{
    struct yk_err err = {0};
    assert_int_equal(yk_io_new(&site->io, &err), YK_OK);
    options.io = site->io;
    options.inbox = &site->actor.inbox;
    options.aside = &site->aside.inbox;
    options.core = site->world.core;
    options.clock = &yk_clock_real;
    options.bind_address = "127.0.0.1";
    if (yk_web_start(&options, &site->web, &err) != YK_OK)
        fail_msg("%s", err.text);
}

static void *run_io(void *context)
{
    yk_io_run(context);
    return NULL;
}

static void *run_actor(void *context)
{
    yk_actor_run(context);
    return NULL;
}

void site_run_io(struct site *site)
{
    assert_int_equal(pthread_create(&site->io_thread, NULL, run_io, site->io), 0);
}

void site_run(struct site *site)
{
    site_run_io(site);
    assert_int_equal(pthread_create(&site->sched_thread, NULL, run_actor, &site->actor), 0);
    assert_int_equal(pthread_create(&site->aside_thread, NULL, run_actor, &site->aside), 0);
}

static void wait_at_gate(struct yk_command *command)
{
    struct site_gate *gate = YK_CONTAINER(command, struct site_gate, command);
    (void)sem_post(&gate->reached);
    while (sem_wait(&gate->opened) != 0)
        ;
}

static void drop_nothing(struct yk_command *command)
{
    (void)command;
}

void site_hold_aside(struct site *site)
{
    struct site_gate *gate = &site->gate;
    assert_int_equal(sem_init(&gate->reached, 0, 0), 0);
    assert_int_equal(sem_init(&gate->opened, 0, 0), 0);
    gate->command = (struct yk_command){.run = wait_at_gate, .drop = drop_nothing};
    yk_mailbox_post(&site->aside.inbox, &gate->command);
    while (sem_wait(&gate->reached) != 0)
        ;
}

void site_release_aside(struct site *site)
{
    (void)sem_post(&site->gate.opened);
}

void site_stop_io(struct site *site)
{
    yk_io_stop(site->io);
    assert_int_equal(pthread_join(site->io_thread, NULL), 0);
}

void site_stop(struct site *site)
{
    yk_actor_stop(&site->actor);
    site_stop_io(site);
    assert_int_equal(pthread_join(site->sched_thread, NULL), 0);
    yk_actor_stop(&site->aside);
    assert_int_equal(pthread_join(site->aside_thread, NULL), 0);
}

void site_end(struct site *site)
{
    site_stop(site);
    site_done(site);
}

void site_done(struct site *site)
{
    yk_web_free(site->web);
    yk_actor_done(&site->actor);
    yk_actor_done(&site->aside);
    yk_io_free(site->io);
    world_done(&site->world);
}

int site_dial(const struct site *site, int receive_bytes)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(yk_web_port(site->web))};
    struct timeval patience = {.tv_sec = 60};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_true(fd >= 0);
    assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)), 0);
    if (receive_bytes > 0)
        assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receive_bytes, sizeof(receive_bytes)), 0);
    assert_int_equal(connect(fd, (const struct sockaddr *)&to, sizeof(to)), 0);
    return fd;
}

struct late_reply {
    struct yk_timer timer;
    struct yk_web *web;
    uint64_t ticket;
    struct yk_backend_reply reply;
};

static void reply_now(struct yk_timer *timer)
{
    struct late_reply *late = YK_CONTAINER(timer, struct late_reply, timer);
    yk_web_replied(late->web, late->ticket, &late->reply);
    yk_web_replied(late->web, late->ticket, &late->reply); /* the ticket is not valid now */
    free(late);
}

void site_reply_later(struct site *site, struct yk_web *web, uint64_t ticket,
                      const struct yk_backend_reply *reply)
{
    struct late_reply *late = yk_new0(struct late_reply);
    *late = (struct late_reply){.timer.fire = reply_now, .web = web, .ticket = ticket, .reply = *reply};
    yk_timer_arm(&site->world.timers, &late->timer, 0);
}
