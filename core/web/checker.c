/* SPDX-License-Identifier: Apache-2.0 */
#include "web/checker.h"

#include "http/http_server.h"

static void init_line(struct yk_check_line *line)
{
    *line = (struct yk_check_line){0};
    line->last = &line->first;
}

static void append(struct yk_check_line *line, struct yk_job *job)
{
    job->next = NULL;
    *line->last = job;
    line->last = &job->next;
    line->count++;
}

static struct yk_job *take_first(struct yk_check_line *line)
{
    struct yk_job *job = line->first;
    if (job == NULL)
        return NULL;
    line->first = job->next;
    if (line->first == NULL)
        line->last = &line->first;
    line->count--;
    return job;
}

void yk_checker_init(struct yk_checker *checker, struct yk_io *io, struct yk_mailbox *aside,
                     void (*done)(struct yk_job *job))
{
    *checker = (struct yk_checker){.io = io, .aside = aside, .done = done};
    init_line(&checker->known);
    init_line(&checker->strangers);
}

static void start_next(struct yk_checker *checker);

static void end_check(struct yk_job *job)
{
    struct yk_checker *checker = job->checker;
    job->place = YK_JOB_HERE;
    checker->is_busy = false;
    start_next(checker);
    checker->done(job);
}

static void on_checked(struct yk_command *command)
{
    end_check(YK_CONTAINER(command, struct yk_job, command));
}

/* Configuration thread. */
static void run_check(struct yk_command *command)
{
    struct yk_job *job = YK_CONTAINER(command, struct yk_job, command);
    job->route->check(job);
    job->command = (struct yk_command){.run = on_checked, .drop = yk_job_drop};
    yk_io_post(job->checker->io, &job->command);
}

/* NULL: no job waits. Jobs whose clients have gone are done without a check. */
static struct yk_job *take_next(struct yk_checker *checker)
{
    struct yk_job *job;
    while ((job = take_first(&checker->known)) != NULL || (job = take_first(&checker->strangers)) != NULL) {
        if (job->exchange->connection != NULL)
            return job;
        atomic_store_explicit(&job->dropped, true, memory_order_relaxed);
        checker->done(job);
    }
    return NULL;
}

static void start_next(struct yk_checker *checker)
{
    struct yk_job *job = checker->is_busy ? NULL : take_next(checker);
    if (job == NULL)
        return;
    checker->is_busy = true;
    if (checker->aside == NULL) {
        job->route->check(job);
        end_check(job);
        return;
    }
    job->command = (struct yk_command){.run = run_check, .drop = yk_job_drop};
    job->place = YK_JOB_UNDERWAY;
    yk_mailbox_post(checker->aside, &job->command);
    if (atomic_load_explicit(&job->dropped, memory_order_acquire))
        end_check(job);
}

bool yk_checker_add(struct yk_checker *checker, struct yk_job *job)
{
    struct yk_check_line *line = job->caller.user != NULL ? &checker->known : &checker->strangers;
    if (line->count >= YK_CHECKS_WAITING_MAX)
        return false;
    job->checker = checker;
    append(line, job);
    start_next(checker);
    return true;
}
