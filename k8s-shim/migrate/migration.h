/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks a cluster and the values of the chart before and after a move from Apache YuniKorn: objects go in
 * one by one, findings come out.
 *
 * Nothing is read or written here: the caller reads the objects (cmd/migrate_cluster.c). They are looked at
 * one by one and not kept, except for a few facts of bounded size: webhooks, schedulers, namespaces with
 * annotations, and the ids of applications. Those that later checks need go in first, in the order of enum
 * yk_subject.
 *
 * Owns:   the findings and the facts.
 * Thread: one at a time.
 */
#ifndef YK_MIGRATE_MIGRATION_H
#define YK_MIGRATE_MIGRATION_H

#include "config/config.h"
#include "migrate/check.h"

enum {
    YK_MIGRATE_WEBHOOKS_MAX = 16,
    YK_MIGRATE_SCHEDULERS_MAX = 16,
    YK_MIGRATE_APPLICATIONS_MAX = 200 * 1000, /* further ids are not compared */
    YK_MIGRATE_VALUES_MAX = 4 << 20,          /* bytes of a values file */
};

struct yk_migration;

/* Makes a migration without objects. `namespace_`: of the scheduler; `release`: name of the Helm release;
 * both are copied. The caller frees it. */
struct yk_migration *yk_migration_new(const char *namespace_, const char *release);
/* NULL is fine. */
void yk_migration_free(struct yk_migration *migration);
YK_DEFINE_FREEP(yk_migration)

/*
 * Reads values as `helm get values -a` prints them (YAML or JSON) and checks them. Before the objects of the
 * cluster, because some of their checks depend on the values. Errors: YK_ERR_INVALID, YK_ERR_LIMIT.
 */
YK_NODISCARD enum yk_status yk_migration_take_values(struct yk_migration *migration, struct yk_str text,
                                                     struct yk_err *err);
/*
 * Checks one object in JSON. `kind`: the kind ("Secret") of an object of subject OWNED or LEFTOVER, else
 * NULL. Errors: YK_ERR_INVALID, YK_ERR_LIMIT: the text is not such an object.
 */
YK_NODISCARD enum yk_status yk_migration_take(struct yk_migration *migration, enum yk_subject subject,
                                              const char *kind, struct yk_str json, struct yk_err *err);

/* Stores what the two ConfigMaps of the scheduler (JSON; each may be absent) say, for later checks. Call it
 * before pods and workloads are taken. Errors: YK_ERR_INVALID, YK_ERR_LIMIT. */
YK_NODISCARD enum yk_status yk_migration_take_config(struct yk_migration *migration, struct yk_str defaults,
                                                     struct yk_str configs, struct yk_err *err);
/* Adds findings about the queues and settings of the object `name`: its errors, its warnings, and keys of
 * `config` (may be NULL) that mean something else now. */
void yk_migration_take_verdict(struct yk_migration *migration, const struct yk_object_name *name,
                               const struct yk_config *config, const struct yk_config_errors *errors,
                               const struct yk_config_errors *warnings);

/* A Service that webhooks call. Borrowed until the migration is freed. */
struct yk_webhook_service {
    const char *namespace_, *name;
};
/* Sets `*ret` to Service number `i` (from 0) that webhooks call; each is listed once. False: there are not so
 * many. */
bool yk_migration_service(const struct yk_migration *migration, size_t i, struct yk_webhook_service *ret);
/* Says whether this Service exists, and whether it has pods that are ready. A Service for which this is not
 * called counts as served. */
void yk_migration_take_service(struct yk_migration *migration, const struct yk_webhook_service *service,
                               bool exists, bool is_served);

/* Makes the checks that need all objects; call it after the last one. `saw_schedulers`: Deployments could be
 * read. */
void yk_migration_end(struct yk_migration *migration, bool saw_schedulers);
/* The findings so far; borrowed from the migration. */
struct yk_findings *yk_migration_findings(struct yk_migration *migration);
/* Sets `*ret` to the settings of the ConfigMap yunikorn-defaults that the chart makes of the values. Copied
 * into `arena`. */
void yk_migration_settings_of_values(const struct yk_migration *migration, struct yk_arena *arena,
                                     struct yk_pairs *ret);

#endif
