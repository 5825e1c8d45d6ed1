/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The checks of `yunikorn migrate check`: a table with one row per check (checks.c). The function of a row
 * checks one parsed object, or at the end the facts of all objects.
 *
 * Thread: any.
 */
#ifndef YK_MIGRATE_CHECK_H
#define YK_MIGRATE_CHECK_H

#include "migrate/finding.h"

/* The class of an object, which decides which checks see it. */
enum yk_subject {
    YK_SUBJECT_VERSION,    /* the answer of the API server to GET /version */
    YK_SUBJECT_OWNED,      /* an object with a name that the chart uses; it may be only the metadata */
    YK_SUBJECT_LEFTOVER,   /* an object with a name that hooks of the charts of Apache YuniKorn use */
    YK_SUBJECT_MUTATING,   /* MutatingWebhookConfiguration */
    YK_SUBJECT_VALIDATING, /* ValidatingWebhookConfiguration */
    YK_SUBJECT_NAMESPACE,
    YK_SUBJECT_CONFIG_MAP, /* of any namespace */
    YK_SUBJECT_DEPLOYMENT,
    YK_SUBJECT_STATEFUL_SET,
    YK_SUBJECT_DAEMON_SET,
    YK_SUBJECT_REPLICA_SET,
    YK_SUBJECT_JOB,
    YK_SUBJECT_CRON_JOB,
    YK_SUBJECT_POD,
    YK_SUBJECT_INGRESS,
    YK_SUBJECT_SERVICE_MONITOR,
    YK_SUBJECT_POD_MONITOR,
    YK_SUBJECT_VALUES, /* the values of the chart */
    YK_SUBJECT_END,    /* no object: all objects have been passed, and their facts are complete */
    YK_SUBJECT_COUNT,
};

struct json_t;
struct yk_migration;

/* One call of a check with one object. */
struct yk_look {
    struct yk_migration *migration; /* owns the facts and the findings */
    const struct yk_check *check;
    enum yk_subject subject;
    struct yk_object_name name;  /* of the object; findings show it */
    const struct json_t *object; /* borrowed for the call; NULL for YK_SUBJECT_END */
};

/* One row of the table. */
struct yk_check {
    const char *id; /* such as "webhook-unserved" */
    enum yk_severity severity;
    uint32_t subjects;   /* bit 1 << subject for each subject for which `look` is called */
    const char *meaning; /* what a finding says: Markdown for a cell of the table in the reference */
    const char *mend;    /* what the user can do about it: Markdown for a cell of the same table */
    /* Adds findings. Called after the facts of the object were stored. NULL if `subjects` is 0:
     * yk_migration_take_verdict() then adds the findings of the row. */
    void (*look)(const struct yk_look *look);
};

extern const struct yk_check yk_checks[]; /* `yk_check_count` rows, errors first */
extern const size_t yk_check_count;

/* The kind of the objects of a subject as Kubernetes writes it, such as "Deployment". "" for VERSION, OWNED,
 * LEFTOVER and END, "Values" for VALUES. Static. */
const char *yk_subject_kind(enum yk_subject subject);
/* Appends the table of all checks in Markdown, as in docs/reference/migrate.md. */
void yk_checks_put_page(struct yk_buf *out);

#endif
