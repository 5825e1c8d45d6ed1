/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Leads a job to the route of its request.
 *
 * Thread: the one that the job is on.
 * Source: docs/reference/rest.md 1.2, 1.3.
 */
#ifndef YK_WEB_ROUTE_JOB_H
#define YK_WEB_ROUTE_JOB_H

#include "web/job.h"

/*
 * Parses the target and finds the route. True: `job->route` has work to do; false: the answer is complete
 * (not found, redirect, ...). All texts are copied.
 */
bool yk_job_route(struct yk_job *job, struct yk_str method, struct yk_str target, struct yk_str accept,
                  struct yk_str accept_encoding);

#endif
