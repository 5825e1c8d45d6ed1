/* SPDX-License-Identifier: Apache-2.0 */
/* The REST server as it runs: an I/O thread, a scheduling thread, and a world that the test builds first. */
#ifndef YK_TEST_WEB_SITE_H
#define YK_TEST_WEB_SITE_H

#include "lib/core_world.h"

#include "base/actor.h"
#include "base/io_loop.h"
#include "web/auth_backend.h"
#include "web/web.h"

#include <pthread.h>
#include <semaphore.h>

struct site {
    struct world world; /* the scheduling thread's from site_run() on */
    struct yk_actor actor;
    struct yk_io *io;
    struct yk_web *web;
    struct yk_actor aside; /* the configuration thread's */
    struct site_gate {
        struct yk_command command;
        sem_t reached, opened;
    } gate;
    pthread_t io_thread, sched_thread, aside_thread;
};

/* A world of that configuration and an actor that runs the core's timers, both still the test's to change. */
void site_init(struct site *site, const char *config);
/* On any free port of 127.0.0.1; what the site has itself is filled into `options`. */
void site_listen(struct site *site, struct yk_web_options options);
/* Only the I/O thread: requests come as far as the inbox. */
void site_run_io(struct site *site);
void site_stop_io(struct site *site);
/* The configuration thread stops, until it is released. On return it has stopped. */
void site_hold_aside(struct site *site);
void site_release_aside(struct site *site);
/* All threads. */
void site_run(struct site *site);
/* Ends all threads. */
void site_stop(struct site *site);
/* Ends all threads and frees everything. */
void site_end(struct site *site);
/* All threads have ended. */
void site_done(struct site *site);
/* A new connection, which gives up after a minute. `receive_bytes`: of its buffer in the kernel, 0: as it
 * is. */
int site_dial(const struct site *site, int receive_bytes);
/* Replies to the question with that ticket in the next turn of the scheduling thread, which is the caller's; twice,
 * and the second reply must have no effect. The texts in `reply` are borrowed until then. */
void site_reply_later(struct site *site, struct yk_web *web, uint64_t ticket,
                      const struct yk_backend_reply *reply);

#endif
