/* SPDX-License-Identifier: Apache-2.0 */
#include "admission/config_checks.h"

#include "base/actor.h"

#include <signal.h>

struct yk_config_checks {
    struct yk_io *io;
    struct yk_reviewer *reviewer;
    struct yk_actor actor;
    pthread_t thread;
    size_t count, bytes; /* number of unanswered checks, bytes of their bodies; for the I/O thread only */
};

struct check {
    struct yk_command command; /* first member; sent to the thread, then back to the I/O thread */
    struct yk_config_checks *checks;
    struct yk_admission_call *call;
    struct yk_config_review *review;
    size_t bytes;
    struct yk_buf answer; /* empty: the review was not made */
};

/* Answers the call and frees the check, on the I/O thread. */
static void finish(struct yk_command *command)
{
    struct check *check = (struct check *)(void *)command;
    check->checks->count--;
    check->checks->bytes -= check->bytes;
    yk_admission_answer(check->call, check->answer.len > 0 ? &check->answer : NULL);
    yk_config_review_free(check->review);
    yk_buf_done(&check->answer);
    free(check);
}

/* Makes the review on the thread. When `checks` is being freed, the check goes back without a review. */
static void make(struct yk_command *command)
{
    struct check *check = (struct check *)(void *)command;
    if (!atomic_load(&check->checks->actor.stopping))
        yk_config_review_run(check->review, &check->answer);
    check->command = (struct yk_command){.run = finish, .drop = finish};
    yk_io_post(check->checks->io, &check->command);
}

static void *run(void *context)
{
    yk_actor_run(&((struct yk_config_checks *)context)->actor);
    return NULL;
}

/* Starts the thread with all signals blocked, because the I/O thread handles signals. Not 0: the thread did
 * not start. */
static int start_thread(struct yk_config_checks *checks)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&checks->thread, NULL, run, checks);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}

enum yk_status yk_config_checks_new(struct yk_io *io, struct yk_reviewer *reviewer,
                                    struct yk_config_checks **ret_checks, struct yk_err *err)
{
    struct yk_config_checks *checks = yk_new0(struct yk_config_checks);
    checks->io = io;
    checks->reviewer = reviewer;
    yk_actor_init(&checks->actor, &yk_clock_real, YK_CONFIG_CHECKS_MAX);
    if (start_thread(checks) != 0) {
        yk_actor_done(&checks->actor);
        free(checks);
        return yk_fail(err, YK_ERR_IO, "cannot start the thread that checks configurations");
    }
    *ret_checks = checks;
    return YK_OK;
}

void yk_config_checks_free(struct yk_config_checks *checks)
{
    if (checks == NULL)
        return;
    yk_actor_stop(&checks->actor);
    pthread_join(checks->thread, NULL);
    yk_actor_done(&checks->actor);
    yk_mailbox_close(yk_io_inbox(checks->io)); /* calls finish() for the checks that are on their way back */
    free(checks);
}

void yk_config_checks_add(struct yk_config_checks *checks, struct yk_buf *body,
                          struct yk_admission_call *call)
{
    size_t bytes = body->len;
    if (checks->count >= YK_CONFIG_CHECKS_MAX || checks->bytes + bytes > YK_CONFIG_CHECKS_BYTES_MAX) {
        yk_buf_done(body);
        yk_admission_answer(call, NULL);
        return;
    }
    struct check *check = yk_new0(struct check);
    *check = (struct check){.command = {.run = make, .drop = finish},
                            .checks = checks,
                            .call = call,
                            .review = yk_config_review_new(checks->reviewer, body),
                            .bytes = bytes};
    checks->count++;
    checks->bytes += bytes;
    yk_mailbox_post(&checks->actor.inbox, &check->command);
}
