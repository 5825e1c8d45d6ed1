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
 * Fills job->request, except `body` and `if_none_match`, with copies of parts of the request head, and finds
 * the route. `accept` and `accept_encoding`: values of these headers; `p` NULL: not sent. Call it once for a
 * new job. Checks neither `body_max` nor `wants_json` of the route: the server does.
 * True: job->route is set, and its work has to run. job->guard is the guard in the table of routes. A server
 * replaces it by the guard in its mode (yk_access_guard()), and calls yk_guard_take() if this guard is not
 * YK_GUARD_OPEN. False: job->answer is complete (not found, a redirect, the answer to OPTIONS, a query that
 * cannot be decoded, ...), and job->route stays NULL.
 */
bool yk_job_route(struct yk_job *job, struct yk_str method, struct yk_str target, struct yk_str accept,
                  struct yk_str accept_encoding);

#endif
