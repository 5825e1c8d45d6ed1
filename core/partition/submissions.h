/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Submissions: applications that were submitted and wait until the directory (security/directory.h) reports
 * the groups of their users.
 *
 * They are not applications yet: they are in no queue, limit or report. But their ids are in use. When the
 * groups are known, yk_partition_admit() decides, with the queues and rules of that time.
 *
 * Owns:      a copy of each submission.
 * Thread:    scheduling thread only.
 * Invariant: no id is both here and among the partition's applications.
 * Source:    docs/reference/queues.md, rule A13.
 */
#ifndef YK_PARTITION_SUBMISSIONS_H
#define YK_PARTITION_SUBMISSIONS_H

#include "security/users.h"
#include "si.h"
#include "state/partition.h"

enum {
    /* Maximum number of submissions that wait. Forced submissions, whose allocations may run already, are
     * accepted beyond it. */
    YK_SUBMISSIONS_MAX = 65536,
};

/* Initialises `submissions`, which is zeroed. */
void yk_submissions_init(struct yk_submissions *submissions);
/* Rejects all submissions, which is reported to the resource manager (callback app_rejected()), and frees
 * them. For a partition that is being freed: call it before yk_users_free(). */
void yk_submissions_done(struct yk_partition *partition);
/* Keeps a copy of the request until the groups of its user are known, or the time for that is over, and then
 * calls yk_partition_admit(); this call comes after this function has returned. Call it only if
 * yk_users_resolve() has returned YK_USER_PENDING for the user of the request, so that the user has a name.
 * No application and no submission has the id of the request. `forced`: the application must not be rejected
 * for its user (tag application.create.force). Errors: YK_ERR_LIMIT, YK_SUBMISSIONS_MAX wait already, and
 * `forced` is false; the caller rejects the application. */
YK_NODISCARD enum yk_status yk_submission_add(struct yk_partition *partition,
                                              const struct yk_si_new_app *request, bool forced,
                                              struct yk_err *err);
/* Frees the submission of that id; the resource manager gets no report. False: there is none. */
bool yk_submission_cancel(struct yk_partition *partition, const char *application_id);
/* Whether there is a submission of that id. O(1). */
static inline bool yk_submission_waits(const struct yk_submissions *submissions, const char *application_id)
{
    return yk_strmap_get(&submissions->by_id, yk_str_from(application_id)) != NULL;
}

#endif
