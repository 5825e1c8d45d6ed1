/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a caller sees who may not use a whole path, but may see some queues: the authentication backend
 * decides with a SubjectAccessReview about each queue, as the resource queues.yunikorn.apache.org with the
 * queue's path as its name. Who may see a queue may see everything below it.
 *
 * A request about one queue, or about an application, asks about that queue, then about the queues above it.
 * A list asks about all queues of the partition, from the top, one after the other, and is then limited to
 * those that are allowed.
 *
 * Owns: the paths of the queues. Belongs to one job.
 * Thread: scheduling thread.
 * Source: docs/reference/rest.md 12.5.
 */
#ifndef YK_WEB_TENANT_H
#define YK_WEB_TENANT_H

#include "web/job.h"

struct yk_guard;
struct yk_tenant;

enum { YK_TENANT_QUEUES_MAX = 4096 }; /* of a partition that a list asks about */

/*
 * Asks which queues the caller of the job may see; call it again after each reply. YK_STEP_AGAIN: `*ret_allowed` says
 * whether the job may go on; what it may show is in job->tenant. YK_STEP_WAIT: a question is out. YK_STEP_DONE: the
 * job is refused.
 */
enum yk_step yk_tenant_admit(struct yk_guard *guard, struct yk_job *job, bool *ret_allowed);
/* NULL is fine. */
void yk_tenant_free(struct yk_tenant *tenant);

/* Whether the job may show the queue of that path and its applications. `queue_path` NULL, no queue: only if the caller
 * may see all. */
bool yk_tenant_shows(const struct yk_job *job, const char *queue_path);
/* Whether the job may show the queue of that path, or one below it. */
bool yk_tenant_leads_to(const struct yk_job *job, const char *queue_path);

#endif
