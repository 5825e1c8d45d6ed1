/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a caller sees who may not use a whole path, but may see some queues: the API server decides with a
 * SubjectAccessReview about each queue, as the resource queues.yunikorn.apache.org with the queue's path as
 * its name. Who may see a queue may see everything below it.
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
 * Goes on with the questions. AGAIN: `*ret_allowed` says whether the job may go on; what it may show is in
 * job->tenant. WAIT: a question is out. DONE: refused.
 */
enum yk_step yk_tenant_admit(struct yk_guard *guard, struct yk_job *job, bool *ret_allowed);
/* NULL is fine. */
void yk_tenant_free(struct yk_tenant *tenant);

/* Whether the job may show that queue and its applications. */
bool yk_tenant_shows(const struct yk_job *job, const char *queue_path);
/* Whether it may show that queue, or one below it. */
bool yk_tenant_leads_to(const struct yk_job *job, const char *queue_path);

#endif
