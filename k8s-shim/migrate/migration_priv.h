/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the checks of `yunikorn migrate check` know and use. facts.c and applications.c collect what webhooks,
 * schedulers and applications there are, from parsed objects; values.c the values of Helm; the functions of
 * check_*.c read that and add findings.
 *
 * Thread: one at a time.
 */
#ifndef YK_MIGRATE_MIGRATION_PRIV_H
#define YK_MIGRATE_MIGRATION_PRIV_H

#include "admission/namespaces.h"
#include "base/map.h"
#include "migrate/migration.h"

#include <jansson.h>

/* A webhook of YuniKorn. Texts are in the arena of the migration. */
struct yk_known_webhook {
    enum yk_subject subject;
    const char *configuration, *name;
    const char *service_namespace, *service_name;
    bool fails; /* failurePolicy Fail */
    bool is_service_known, exists, is_served;
};

struct yk_known_scheduler {
    const char *namespace_, *name, *image; /* in the arena of the migration */
    bool is_ours, is_plugin;
};

/* An application, as its pods tell. */
struct yk_known_app {
    char *id;                         /* owned, as the next three */
    char *namespace_, *other;         /* of the first pod; the first other one, or NULL */
    char *placeholder;                /* name of one of its placeholders, or NULL */
    uint64_t placeholders, real_pods; /* that have not ended */
};

struct yk_migration {
    struct yk_findings findings;
    struct yk_arena arena;
    char *namespace_, *release;
    json_t *values; /* owned; NULL: not given */
    /* Facts of the cluster. */
    struct yk_known_webhook webhooks[YK_MIGRATE_WEBHOOKS_MAX];
    size_t webhook_count;
    struct yk_known_scheduler schedulers[YK_MIGRATE_SCHEDULERS_MAX]; /* with replicas */
    size_t scheduler_count;
    bool is_ours_installed; /* the scheduler of the namespace is this project's */
    bool has_left_roles;
    struct yk_marks namespaces;
    struct yk_admission_settings admission;
    bool rest_is_set, rest_is_open; /* service.web.access */
    bool guard_is_off;              /* settings switch the guard off */
    bool scope_is_cluster;          /* service.applicationScope */
    bool saw_schedulers;
    struct yk_strmap apps; /* id -> struct yk_known_app, owned */
    uint64_t waiting_pods; /* that name the scheduler and have no node */
};

/* ---- reading parsed objects ---- */

/* The value at `path` ("spec.template.spec"), borrowed; NULL if there is none, or null. Keys in `path`
 * contain no dot. */
const json_t *yk__at(const json_t *object, const char *path);
/* A text at `path`; "" if there is none. Borrowed. */
const char *yk__text(const json_t *object, const char *path);
/* The entry `key` (with any characters) of the map at `path`; "" if there is no such text. Borrowed. */
const char *yk__entry(const json_t *object, const char *path, const char *key);
/* Whether the value at that path is true; false if there is none. */
bool yk__is_true(const json_t *object, const char *path);
/* A copy of the text in the arena of the migration, terminated. */
const char *yk__keep(struct yk_migration *migration, const char *text);

/* Adds a finding about the object that is looked at. */
#define yk__found(look, ...)                                                                                 \
    yk_findings_add(&(look)->migration->findings, (look)->check, &(look)->name, __VA_ARGS__)
#define yk__command(look, finding, ...)                                                                      \
    yk_finding_set_command(&(look)->migration->findings, (finding), __VA_ARGS__)
#define yk__values(look, finding, ...)                                                                       \
    yk_finding_set_values(&(look)->migration->findings, (finding), __VA_ARGS__)

/* ---- facts ---- */

/* facts.c: what is kept of an object before its checks. */
void yk__learn(struct yk_migration *migration, enum yk_subject subject, const char *kind,
               const json_t *object);
/* Whether a chart or manifest of this project created the object. */
bool yk__is_of_this_project(const json_t *object);
/* Whether a binding is for accounts of other namespaces only. */
bool yk__is_bound_elsewhere(const struct yk_migration *migration, const json_t *object);
/* Whether REST answers everybody after the upgrade, as far as values and ConfigMaps say. */
bool yk__rest_is_open(const struct yk_migration *migration);
/* Whether an admission controller names the scheduler for new pods of the namespace, after the upgrade. */
bool yk__is_routed(const struct yk_migration *migration, const char *namespace_);
/* applications.c */
/* Counts a pod of an object list, which may be malformed, with its application; pods of other schedulers
 * and those that have ended do not count. `pod` is borrowed for the call. */
void yk__app_take_pod(struct yk_migration *migration, const json_t *pod);

/* ---- checks, by file ---- */

/* Looks for `api-server-too-old` (checks.c). */
void yk__look_version_old(const struct yk_look *look); /* check_cluster.c */
/* Looks for `api-server-cannot-guard` (checks.c). */
void yk__look_version_guard(const struct yk_look *look);
/* Looks for `other-release` (checks.c). */
void yk__look_owner(const struct yk_look *look); /* check_leftovers.c */
/* Looks for `no-release` (checks.c). */
void yk__look_no_owner(const struct yk_look *look);
/* Looks for `account-not-adopted` (checks.c). */
void yk__look_account(const struct yk_look *look);
/* Looks for `role-left` (checks.c). */
void yk__look_role(const struct yk_look *look);
/* Looks for `roles-ahead` (checks.c). */
void yk__look_roles_ahead(const struct yk_look *look);
/* Looks for `webhook-unserved` (checks.c). */
void yk__look_webhook_unserved(const struct yk_look *look); /* check_webhooks.c */
/* Looks for `webhook-elsewhere` (checks.c). */
void yk__look_webhook_elsewhere(const struct yk_look *look);
/* Looks for `webhook-left` (checks.c). */
void yk__look_webhook_left(const struct yk_look *look);
/* Looks for `schedulers-with-one-name` (checks.c). */
void yk__look_schedulers(const struct yk_look *look); /* check_schedulers.c */
/* Looks for `no-scheduler` (checks.c). */
void yk__look_no_scheduler(const struct yk_look *look);
/* Looks for `old-scheduler` (checks.c). */
void yk__look_old_scheduler(const struct yk_look *look);
/* Looks for `plugin-mode` (checks.c). */
void yk__look_plugin(const struct yk_look *look);
/* Looks for `pod-unrouted` (checks.c). */
void yk__look_template(const struct yk_look *look); /* check_pods.c */
/* Looks for `pod-waits-elsewhere` (checks.c). */
void yk__look_pod(const struct yk_look *look);
/* Looks for `application-in-namespaces` (checks.c). */
void yk__look_shared_apps(const struct yk_look *look);
/* Looks for `placeholders-alone` (checks.c). */
void yk__look_lone_placeholders(const struct yk_look *look);
/* Looks for `rest-client` (checks.c). */
void yk__look_rest_text(const struct yk_look *look); /* check_clients.c */
/* Looks for `rest-client-workload` (checks.c). */
void yk__look_rest_workload(const struct yk_look *look);
/* Looks for `ingress-to-rest` (checks.c). */
void yk__look_ingress(const struct yk_look *look);
/* Looks for `scraped-over-http` (checks.c). */
void yk__look_monitor(const struct yk_look *look);
/* Looks for `value-refused` (checks.c). */
void yk__look_value_refused(const struct yk_look *look); /* values_schema.c */
/* Looks for `value-image` (checks.c). */
void yk__look_value_image(const struct yk_look *look); /* check_values.c, also the rest */
/* Looks for `value-rest` (checks.c). */
void yk__look_value_rest(const struct yk_look *look);
/* Looks for `value-web` (checks.c). */
void yk__look_value_web(const struct yk_look *look);
/* Looks for `value-plugin` (checks.c). */
void yk__look_value_plugin(const struct yk_look *look);
/* Looks for `value-operators` (checks.c). */
void yk__look_value_operators(const struct yk_look *look);
/* Looks for `value-replicas` (checks.c). */
void yk__look_value_replicas(const struct yk_look *look);
/* Looks for `value-node-selector` (checks.c). */
void yk__look_value_node_selector(const struct yk_look *look);
/* Looks for `value-ingress` (checks.c). */
void yk__look_value_ingress(const struct yk_look *look);
/* Looks for `value-service` (checks.c). */
void yk__look_value_service(const struct yk_look *look);
/* Looks for `value-scrape` (checks.c). */
void yk__look_value_scrape(const struct yk_look *look);
/* Looks for `value-resources` (checks.c). */
void yk__look_value_resources(const struct yk_look *look);
/* Looks for `value-go` (checks.c). */
void yk__look_value_go(const struct yk_look *look);
/* Looks for `value-deprecated` (checks.c). */
void yk__look_value_deprecated(const struct yk_look *look);
/* Looks for `value-host-network` (checks.c). */
void yk__look_value_host_network(const struct yk_look *look);
/* Looks for `value-affinity` (checks.c). */
void yk__look_value_affinity(const struct yk_look *look);

/* The row of a check whose function is not called from the table. Static. */
const struct yk_check *yk__check_called(const char *id);

/* The schema of the chart's values, made from deploy/helm/yunikorn/values.schema.json. */
extern const unsigned char yk_values_schema[];
extern const size_t yk_values_schema_len;

#endif
