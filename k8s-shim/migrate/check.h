/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The checks of `yunikorn migrate check`: a table with one row per check (checks.c), each with one function
 * over one parsed object.
 *
 * Thread: any.
 */
#ifndef YK_MIGRATE_CHECK_H
#define YK_MIGRATE_CHECK_H

#include "migrate/finding.h"

/* What a check looks at. */
enum yk_subject {
    YK_SUBJECT_VERSION,    /* of the API server */
    YK_SUBJECT_OWNED,      /* metadata of an object that the chart creates, by its name */
    YK_SUBJECT_LEFTOVER,   /* an object that hooks of the charts of Apache YuniKorn create, by its name */
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
    YK_SUBJECT_VALUES, /* of the chart */
    YK_SUBJECT_END,    /* all that was read */
    YK_SUBJECT_COUNT,
};

struct json_t;
struct yk_migration;

/* One look. `object` is borrowed; NULL for YK_SUBJECT_END. */
struct yk_look {
    struct yk_migration *migration;
    const struct yk_check *check;
    enum yk_subject subject;
    struct yk_object_name name; /* of the object */
    const struct json_t *object;
};

struct yk_check {
    const char *id; /* "webhook-unserved" */
    enum yk_severity severity;
    uint32_t subjects;   /* bits of enum yk_subject; 0: the finding is added by a function of its own */
    const char *meaning; /* a sentence for the reference */
    const char *mend;    /* the same */
    void (*look)(const struct yk_look *look); /* NULL: `subjects` is 0 */
};

extern const struct yk_check yk_checks[];
extern const size_t yk_check_count;

/* The kind as Kubernetes writes it: "Deployment". "" for VERSION, OWNED, LEFTOVER and END. Static. */
const char *yk_subject_kind(enum yk_subject subject);
/* The table as a page of docs/reference. */
void yk_checks_put_page(struct yk_buf *out);

#endif
