/* SPDX-License-Identifier: Apache-2.0 */
#include "base/io_loop.h"

#include "base/actor.h"

#include <event2/event.h>
#include <event2/thread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { INBOX_MAX = 65536, COMMANDS_PER_TURN = 1024 };

struct yk_io {
    struct event_base *base;
    struct event *inbox_event;
    int inbox_fd; /* eventfd; readable: run_inbox() has to be called */
    struct yk_mailbox inbox;
    _Atomic bool stopping;
};

static void ring(void *context)
{
    const struct yk_io *io = context;
    uint64_t one = 1;
    (void)!write(io->inbox_fd, &one, sizeof(one)); /* fails only if the eventfd is readable already */
}

static void run_inbox(evutil_socket_t fd, short what, void *context)
{
    struct yk_io *io = context;
    uint64_t rings;
    (void)what;
    (void)!read(fd, &rings, sizeof(rings)); /* only makes the eventfd unreadable: the value is not used */
    if (yk_mailbox_run(&io->inbox, COMMANDS_PER_TURN) == COMMANDS_PER_TURN)
        ring(io); /* the loop handles sockets, then runs the next commands */
    if (atomic_load_explicit(&io->stopping, memory_order_acquire))
        (void)event_base_loopbreak(io->base);
}

enum yk_status yk_io_new(struct yk_io **ret_io, struct yk_err *err)
{
    YK_CLEANUP(yk_io_freep) struct yk_io *io = yk_new0(struct yk_io);
    io->inbox_fd = -1;
    yk_mailbox_init(&io->inbox, INBOX_MAX);
    io->inbox.wake = ring;
    io->inbox.wake_context = io;
    io->inbox_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (io->inbox_fd < 0 || evthread_use_pthreads() != 0 || (io->base = event_base_new()) == NULL)
        return yk_fail(err, YK_ERR_IO, "cannot set up the I/O loop");
    io->inbox_event = event_new(io->base, io->inbox_fd, EV_READ | EV_PERSIST, run_inbox, io);
    if (io->inbox_event == NULL || event_add(io->inbox_event, NULL) != 0)
        return yk_fail(err, YK_ERR_IO, "cannot watch the I/O loop's inbox");
    *ret_io = yk_move(io);
    return YK_OK;
}

void yk_io_free(struct yk_io *io)
{
    if (io == NULL)
        return;
    yk_mailbox_done(&io->inbox);
    if (io->inbox_event != NULL)
        event_free(io->inbox_event);
    if (io->base != NULL) {
        (void)event_base_loop(io->base, EVLOOP_NONBLOCK); /* frees the connections that were closed last */
        event_base_free(io->base);
    }
    if (io->inbox_fd >= 0)
        (void)close(io->inbox_fd); /* an eventfd has no data that could be lost */
    free(io);
}

struct event_base *yk_io_base(struct yk_io *io)
{
    return io->base;
}

struct yk_mailbox *yk_io_inbox(struct yk_io *io)
{
    return &io->inbox;
}

void yk_io_post(struct yk_io *io, struct yk_command *command)
{
    yk_mailbox_post(&io->inbox, command);
}

void yk_io_run(struct yk_io *io)
{
    while (!atomic_load_explicit(&io->stopping, memory_order_acquire))
        (void)event_base_loop(io->base, EVLOOP_NO_EXIT_ON_EMPTY); /* run_inbox() ends the loop */
}

static void *run(void *context)
{
    yk_io_run(context);
    return NULL;
}

enum yk_status yk_io_run_beside(struct yk_io *io, struct yk_actor *actor, struct yk_err *err)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, run, io) != 0)
        return yk_fail(err, YK_ERR_IO, "no thread for the network");
    yk_actor_run(actor);
    yk_io_stop(io);
    (void)pthread_join(thread, NULL); /* cannot fail: created above and joined once */
    return YK_OK;
}

bool yk_io_signal_is_ignored(int number)
{
    struct sigaction now;
    return sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

void yk_io_stop(struct yk_io *io)
{
    atomic_store_explicit(&io->stopping, true, memory_order_release);
    ring(io);
}
