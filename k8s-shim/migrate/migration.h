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

/* `namespace_`: that of the scheduler, copied. `release`: name of the Helm release, copied. */
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
 * Looks at one object in JSON. `kind`: "Secret", of an OWNED or LEFTOVER object, else NULL. Errors:
 * YK_ERR_INVALID, YK_ERR_LIMIT: it is none.
 */
YK_NODISCARD enum yk_status yk_migration_take(struct yk_migration *migration, enum yk_subject subject,
                                              const char *kind, struct yk_str json, struct yk_err *err);

/* The two ConfigMaps of the scheduler, each may be absent, in JSON; before pods and workloads. They become
 * facts. */
YK_NODISCARD enum yk_status yk_migration_take_config(struct yk_migration *migration, struct yk_str defaults,
                                                     struct yk_str configs, struct yk_err *err);
/* What is wrong with the queues and settings of `name`, and what they mean now; `config` may be NULL. */
void yk_migration_take_verdict(struct yk_migration *migration, const struct yk_object_name *name,
                               const struct yk_config *config, const struct yk_config_errors *errors,
                               const struct yk_config_errors *warnings);

/* A Service that webhooks call. Borrowed until the migration is freed. */
struct yk_webhook_service {
    const char *namespace_, *name;
};
/* The i-th of them, without repetitions. False: there are not so many. */
bool yk_migration_service(const struct yk_migration *migration, size_t i, struct yk_webhook_service *ret);
/* Whether this Service exists, and pods answer for it. A Service about which nothing is said counts as
 * served. */
void yk_migration_take_service(struct yk_migration *migration, const struct yk_webhook_service *service,
                               bool exists, bool is_served);

/* All objects of the cluster are in. `saw_schedulers`: Deployments could be read. */
void yk_migration_end(struct yk_migration *migration, bool saw_schedulers);
/* What was found so far; borrowed. */
struct yk_findings *yk_migration_findings(struct yk_migration *migration);
/* The values as settings of the ConfigMap yunikorn-defaults, in the way of the chart. Copied into `arena`. */
void yk_migration_settings_of_values(const struct yk_migration *migration, struct yk_arena *arena,
                                     struct yk_pairs *ret);

#endif
