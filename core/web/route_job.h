/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the route for the request of a job.
 *
 * Thread: the one that the job is on.
 * Source: docs/reference/rest.md 1.2, 1.3.
 */
#ifndef YK_WEB_ROUTE_JOB_H
#define YK_WEB_ROUTE_JOB_H

#include "web/job.h"

/*
 * Fills job->request, except `body` and `if_none_match`, from parts of the request head, which are copied,
 * and finds its route. `accept` and `accept_encoding`: values of these headers; `p` NULL: not sent. Call it
 * once for a new job.
 * True: job->route is set, and its work has to run. job->guard is that of the table of routes: a server
 * replaces it by that of its mode (yk_access_guard()), and calls yk_guard_take() if it is not YK_GUARD_OPEN.
 * False: job->answer is complete (not found, a redirect, the answer to OPTIONS, ...), and job->route stays
 * NULL.
 */
bool yk_job_route(struct yk_job *job, struct yk_str method, struct yk_str target, struct yk_str accept,
                  struct yk_str accept_encoding);

#endif
