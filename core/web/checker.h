/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks of configurations that requests carry (`check` of a route), one at a time on the configuration
 * thread, so that neither the I/O thread nor the scheduling thread parses them. A reload that comes meanwhile
 * waits for one check at the most.
 *
 * Requests of known callers go before those without credentials, otherwise first come, first served.
 * Borrows: the jobs, until `done` gets them, and the mailboxes.
 * Thread: I/O thread, but for the check itself.
 */
#ifndef YK_WEB_CHECKER_H
#define YK_WEB_CHECKER_H

#include "base/io_loop.h"
#include "web/job.h"

enum { YK_CHECKS_WAITING_MAX = 32 }; /* of each kind of caller */

struct yk_check_line { /* jobs by `next` */
    struct yk_job *first, **last;
    size_t count;
};

struct yk_checker {
    struct yk_io *io;
    struct yk_mailbox *aside; /* of the configuration thread; NULL: checks run in place */
    struct yk_check_line known, strangers;
    bool is_busy;
    void (*done)(struct yk_job *job); /* the check has run, unless `job->dropped` */
};

/* Makes an idle checker. `io` and `aside` are borrowed for life. `done` is called on the thread of `io`
 * for each job that has been checked. */
void yk_checker_init(struct yk_checker *checker, struct yk_io *io, struct yk_mailbox *aside,
                     void (*done)(struct yk_job *job));
/* Takes the job and checks it in its turn. False: YK_CHECKS_WAITING_MAX jobs wait already, and the job stays
 * the caller's. */
YK_NODISCARD bool yk_checker_add(struct yk_checker *checker, struct yk_job *job);

#endif
