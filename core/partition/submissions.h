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
    /* Those of pods that run come on top: they are as many as there are. */
    YK_SUBMISSIONS_MAX = 65536,
};

/* Nothing waits. */
void yk_submissions_init(struct yk_submissions *submissions);
/* Refuses what waits: its partition goes. */
void yk_submissions_done(struct yk_partition *partition);
/* After YK_USER_PENDING. The request is copied. Errors: YK_ERR_LIMIT. */
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
