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
 * Fills job->request from parts of the request head, which are copied, and finds its route. `accept` and
 * `accept_encoding`: values of these headers; `p` NULL: not sent. True: job->route is set, and its work has
 * to run. False: job->answer is complete (not found, a redirect, the answer to OPTIONS, ...).
 */
bool yk_job_route(struct yk_job *job, struct yk_str method, struct yk_str target, struct yk_str accept,
                  struct yk_str accept_encoding);

#endif
