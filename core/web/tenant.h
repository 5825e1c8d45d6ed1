/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tenants: callers that may not use a whole path, but may see some queues. The authentication backend decides
 * on each queue with a SubjectAccessReview for an object of the resource queues.yunikorn.apache.org whose
 * name is the path of the queue. A caller that may see a queue may also see all queues below it.
 *
 * For a request about one queue, or about an application, yk_tenant_admit() asks about the queue, then about
 * the queues above it, until one is allowed. For a list, it asks about the queues of the partition, one after
 * the other and parents first, but not below a queue that is allowed; the list then shows only these queues
 * and those below them.
 *
 * Owns: the paths of the queues. A struct yk_tenant belongs to one job.
 * Thread: scheduling thread. yk_tenant_free(): the thread that frees the job.
 * Source: docs/reference/rest.md 12.5.
 */
#ifndef YK_WEB_TENANT_H
#define YK_WEB_TENANT_H

#include "web/job.h"

struct yk_guard;
struct yk_tenant;

enum { YK_TENANT_QUEUES_MAX = 4096 }; /* queues of a partition; with more, lists are refused (403) */

/*
 * Finds out which queues the caller of the job may see, with at most one question to the backend per call;
 * sets job->tenant, unless the route has YK_TENANT_NONE. For a job of a known caller that may not use the
 * whole path. Handlers ask yk_tenant_shows() and yk_tenant_leads_to() instead.
 * YK_STEP_AGAIN: the result is known; `*ret_allowed` says whether the job may go on; it is false for a route
 * with YK_TENANT_NONE. If it is false, the caller makes job->answer an error.
 * YK_STEP_WAIT: a question was asked, as in yk_guard_admit(); the caller calls this function again after the
 * reply. As job->tenant is set, it does not ask about the whole path again.
 * YK_STEP_DONE: the request is refused, and job->answer is the error.
 */
enum yk_step yk_tenant_admit(struct yk_guard *guard, struct yk_job *job, bool *ret_allowed);
/* Frees `tenant` and its paths. `tenant` may be NULL. */
void yk_tenant_free(struct yk_tenant *tenant);

/* Whether the job, which was admitted, may show the queue with that path and its applications. `queue_path`
 * NULL: something that belongs to no queue; only callers that may see everything may see it. Always true if
 * job->tenant is NULL (the caller may see all), and for routes other than YK_TENANT_LIST, because
 * yk_tenant_admit() has decided on their queue. False for a queue that was added after the questions. */
bool yk_tenant_shows(const struct yk_job *job, const char *queue_path);
/* Whether the job may show the queue with that path, or some queue below it. Always true in the same cases as
 * yk_tenant_shows(). True does not mean that the queue itself may be shown: if yk_tenant_shows() is false,
 * only what yk__show_queue_above() (web/show_priv.h) writes. */
bool yk_tenant_leads_to(const struct yk_job *job, const char *queue_path);

#endif
