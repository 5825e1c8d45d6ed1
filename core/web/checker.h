/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs `check` of routes, such as the check of a configuration in a request, one at a time on the
 * configuration thread, so that neither the I/O thread nor the scheduling thread does this long work. Reloads
 * of the configuration run on the same thread, so a reload waits for at most one check.
 *
 * Requests of known callers (job->caller) are checked before the others; those of each kind in the order of
 * arrival.
 *
 * Borrows: the mailbox and the I/O loop. Owns each job from yk_checker_add() until `done` gets it.
 * Thread: I/O thread; only the check itself runs on the configuration thread.
 */
#ifndef YK_WEB_CHECKER_H
#define YK_WEB_CHECKER_H

#include "base/io_loop.h"
#include "web/job.h"

enum { YK_CHECKS_WAITING_MAX = 32 }; /* most waiting requests of known callers; as many of others */

/* Waiting jobs in the order of arrival, linked by `next`. */
struct yk_check_line {
    struct yk_job *first, **last; /* `last`: where the next job is linked */
    size_t count;
};

struct yk_checker {
    struct yk_io *io;
    /* Mailbox of the configuration thread; NULL: checks run on the I/O thread. */
    struct yk_mailbox *aside;
    struct yk_check_line known, strangers; /* waiting jobs of known callers, and of others */
    bool is_busy;                          /* a check runs */
    void (*done)(struct yk_job *job);
};

/* Initialises `checker` without jobs. `io` and `aside` (NULL: checks run on the I/O thread) are borrowed for
 * the life of the checker. `done` is called on the I/O thread for each job and takes it. `job->dropped` is
 * set if the check did not run because the client has gone or the process ends. */
void yk_checker_init(struct yk_checker *checker, struct yk_io *io, struct yk_mailbox *aside,
                     void (*done)(struct yk_job *job));
/* Takes the job. It must have an exchange, and its route a `check`. If its user is known, job->caller is set
 * before. `done` gets the job back, perhaps before this function returns. Unless job->dropped is set, a
 * route with `on_io` has then written the answer; for other routes, `done` lets the work be called again.
 * This function may also pass other waiting jobs to `done`, if their clients have gone. False:
 * YK_CHECKS_WAITING_MAX jobs of its kind wait already, and the job still belongs to the caller, which answers
 * with 503 (yk__web_refuse_for_now()). */
YK_NODISCARD bool yk_checker_add(struct yk_checker *checker, struct yk_job *job);

#endif
