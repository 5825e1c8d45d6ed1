/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of `yunikorn migrate`: reading the cluster, and printing.
 *
 * Thread: the command's only one.
 */
#ifndef YK_CMD_MIGRATE_H
#define YK_CMD_MIGRATE_H

#include "base/vec.h"
#include "client/getter.h"
#include "cmd/effective_config.h"
#include "migrate/migration.h"

/* What could not be checked. */
struct yk_unchecked {
    char *what, *reason; /* owned */
};

struct yk_migrate_report {
    struct yk_migration *migration;
    const char *namespace_, *release; /* borrowed */
    struct yk_unchecked *unchecked;   /* owned */
    size_t unchecked_count;
};

void yk_migrate_report_done(struct yk_migrate_report *report);
/* Adds `what`, which could not be checked because of `why`; both are copied. */
void yk_migrate_unchecked(struct yk_migrate_report *report, const char *what, const struct yk_err *why);

/*
 * Finds the scheduler of the cluster by its Deployment. `*ret_namespace` and `*ret_release` are the caller's;
 * NULL: there is none, or there are several, or they may not be read. Errors: YK_ERR_UNAVAILABLE, the API
 * server does not answer.
 */
YK_NODISCARD enum yk_status yk_migrate_find_scheduler(struct yk_getter *getter, char **ret_namespace,
                                                      char **ret_release, struct yk_err *err);
/*
 * Reads the cluster into the migration of `report`. What cannot be read is added to `report->unchecked`, and
 * the rest goes on. `shows_progress`: a line on standard error for each 10,000 objects. Errors:
 * YK_ERR_UNAVAILABLE and others, the API server does not answer at all.
 */
YK_NODISCARD enum yk_status yk_migrate_read_cluster(struct yk_getter *getter,
                                                    struct yk_migrate_report *report, bool shows_progress,
                                                    struct yk_err *err);
/* Checks queues and settings of the object `name`, and adds findings. Takes `effective`. */
void yk_migrate_check_config(struct yk_migration *migration, struct yk_effective_config *effective,
                             const struct yk_object_name *name);

/* Prints the report, whose findings are sorted, to standard output. */
void yk_migrate_print_text(const struct yk_migrate_report *report);
/* Appends the report to `out` as one JSON object: findings, their counts by severity, and what was not
 * checked. */
void yk_migrate_put_json(const struct yk_migrate_report *report, struct yk_buf *out);

#endif
