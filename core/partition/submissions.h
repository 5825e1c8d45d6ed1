/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Applications that were submitted and wait for the directory to say which groups their user has.
 *
 * They are not applications yet: no queue, no limit and no report knows them. But their ids are taken. What
 * comes of them is decided by the partition as it is when the answer comes.
 *
 * Owns:      a copy of each submission.
 * Thread:    scheduling thread only.
 * Invariant: an id is here or among the partition's applications, never both.
 * Source:    docs/reference/queues.md, rule A13.
 */
#ifndef YK_PARTITION_SUBMISSIONS_H
#define YK_PARTITION_SUBMISSIONS_H

#include "security/users.h"
#include "si.h"
#include "state/partition.h"

enum {
    /* Submissions that are not forced. Forced ones, with allocations that run already, are not limited. */
    YK_SUBMISSIONS_MAX = 65536,
};

/* Empties `submissions`, which is zeroed or new. */
void yk_submissions_init(struct yk_submissions *submissions);
/* Rejects all submissions that wait, and frees them. For a partition that is being freed. */
void yk_submissions_done(struct yk_partition *partition);
/* Keeps a copy of the request until the groups of its user are known; call it when the look-up of the user
 * returned YK_USER_PENDING. `forced`: the application must not be rejected (tag application.create.force).
 * Errors: YK_ERR_LIMIT, YK_SUBMISSIONS_MAX wait already. */
YK_NODISCARD enum yk_status yk_submission_add(struct yk_partition *partition,
                                              const struct yk_si_new_app *request, bool forced,
                                              struct yk_err *err);
/* Forgets the submission of that id without an answer; false when there is none. */
bool yk_submission_cancel(struct yk_partition *partition, const char *application_id);
/* Whether the application of that id waits for the groups of its user. O(1). */
static inline bool yk_submission_waits(const struct yk_submissions *submissions, const char *application_id)
{
    return yk_strmap_get(&submissions->by_id, yk_str_from(application_id)) != NULL;
}

#endif
