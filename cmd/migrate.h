/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of `yunikorn migrate`: migrate_cluster.c reads the cluster, migrate_report.c prints the report.
 *
 * Thread: main thread.
 */
#ifndef YK_CMD_MIGRATE_H
#define YK_CMD_MIGRATE_H

#include "base/vec.h"
#include "client/getter.h"
#include "cmd/effective_config.h"
#include "migrate/migration.h"

/* Objects that could not be checked, such as "pods", and the reason. */
struct yk_unchecked {
    char *what, *reason; /* owned */
};

struct yk_migrate_report {
    struct yk_migration *migration;   /* owned; the caller makes it */
    const char *namespace_, *release; /* of the scheduler; borrowed */
    struct yk_unchecked *unchecked;   /* owned */
    size_t unchecked_count;
};

void yk_migrate_report_done(struct yk_migrate_report *report);
/* Adds an entry to `report->unchecked`: `what` could not be checked because of `why`. Both are copied. */
void yk_migrate_unchecked(struct yk_migrate_report *report, const char *what, const struct yk_err *why);

/*
 * Finds the namespace of the Deployment yunikorn-scheduler that has the label app=yunikorn, and its Helm
 * release. Both are NULL if there is no such Deployment, if there are several, or if Deployments cannot be
 * listed. `*ret_release` is also NULL if the Deployment belongs to no release. The caller frees both, and
 * replaces NULL by a default for the report. If the user has named the namespace, call it nevertheless, and
 * use the release only if `*ret_namespace` is that namespace. Errors: YK_ERR_UNAVAILABLE, the API server does
 * not answer.
 */
YK_NODISCARD enum yk_status yk_migrate_find_scheduler(struct yk_getter *getter, char **ret_namespace,
                                                      char **ret_release, struct yk_err *err);
/*
 * Makes all checks of the cluster: reads its objects, passes them to `report->migration`, and calls
 * yk_migration_end(). Also reads the ConfigMaps of the scheduler and checks its queues and settings. The
 * caller has set `migration` and `namespace_` of the report, and has passed the values, if there are any
 * (yk_migration_take_values()). Call it once per report. Objects that cannot be read are added to
 * `report->unchecked`, and reading goes on. With `shows_progress`, prints a line on standard error for every
 * 10,000 objects of a list. Errors: YK_ERR_UNAVAILABLE or others, the API server does not answer the request
 * for its version, or the answer is no version. If it only refuses this request, reading goes on. After an
 * error, yk_migration_end() was not called, and the report is not printed.
 */
YK_NODISCARD enum yk_status yk_migrate_read_cluster(struct yk_getter *getter,
                                                    struct yk_migrate_report *report, bool shows_progress,
                                                    struct yk_err *err);
/* Checks the queues and settings in `effective`, and adds findings about the object `name`. Takes the
 * contents of `effective`: the caller does not end it. */
void yk_migrate_check_config(struct yk_migration *migration, struct yk_effective_config *effective,
                             const struct yk_object_name *name);

/* Prints the report as text on standard output: the findings in their order, what could not be checked, and
 * the numbers of findings. Sort the findings first (yk_findings_sort()). */
void yk_migrate_print_text(const struct yk_migrate_report *report);
/* Appends the report to `out` as one JSON object: the findings in their order, their numbers, and what could
 * not be checked. Sort the findings first, as for yk_migrate_print_text(). */
void yk_migrate_put_json(const struct yk_migrate_report *report, struct yk_buf *out);

#endif
