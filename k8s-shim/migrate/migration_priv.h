/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The facts of a migration, and the functions of its checks. facts.c and applications.c collect facts about
 * webhooks, schedulers and applications from parsed objects, values.c reads the values of the chart. The
 * functions of check_*.c read the facts and add findings.
 *
 * Thread: any, one at a time.
 */
#ifndef YK_MIGRATE_MIGRATION_PRIV_H
#define YK_MIGRATE_MIGRATION_PRIV_H

#include "admission/namespaces.h"
#include "base/map.h"
#include "migrate/migration.h"

#include <jansson.h>

/* A webhook of YuniKorn. Texts are in the arena of the migration. */
struct yk_known_webhook {
    enum yk_subject subject; /* MUTATING or VALIDATING */
    /* Name of the configuration object; name of the webhook in it. */
    const char *configuration, *name;
    const char *service_namespace, *service_name; /* "": the webhook calls a URL */
    bool fails;             /* failurePolicy is Fail: requests are refused if nothing answers */
    bool is_service_known;  /* the next two are set */
    bool exists, is_served; /* the Service exists; and has a pod that is ready */
};

/* A Deployment with replicas that runs a scheduler. Texts are in the arena of the migration. */
struct yk_known_scheduler {
    const char *namespace_, *name; /* of the Deployment */
    const char *image;             /* of its container */
    bool is_ours;                  /* of this project; false: of Apache YuniKorn */
    bool is_plugin;                /* runs in the plugin mode of Apache YuniKorn */
};

/* An application, as its pods describe it. */
struct yk_known_app {
    char *id;              /* owned */
    char *namespace_;      /* of its first pod; owned */
    char *other;           /* the first other namespace that has pods of the application; owned; NULL: none */
    char *placeholder;     /* name of its first placeholder; owned; NULL: none */
    uint64_t placeholders; /* placeholders that have not ended */
    uint64_t real_pods;    /* other pods that have not ended */
};

struct yk_migration {
    struct yk_findings findings;
    struct yk_arena arena;
    char *namespace_, *release; /* of the scheduler; owned */
    json_t *values;             /* of the chart; owned; NULL: not given */
    /* Facts of the cluster. */
    struct yk_known_webhook webhooks[YK_MIGRATE_WEBHOOKS_MAX];
    size_t webhook_count;
    struct yk_known_scheduler schedulers[YK_MIGRATE_SCHEDULERS_MAX];
    size_t scheduler_count;
    bool is_ours_installed;     /* the scheduler in `namespace_` is of this project */
    bool has_left_roles;        /* a hook of an Apache YuniKorn chart left a role or a role binding */
    struct yk_marks namespaces; /* annotations of the namespaces */
    struct yk_admission_settings admission;
    bool rest_is_set;      /* a ConfigMap has the key service.web.access */
    bool rest_is_open;     /* its value is "none": REST needs no token */
    bool guard_is_off;     /* settings switch off the webhook that guards pods of YuniKorn */
    bool scope_is_cluster; /* service.applicationScope is "cluster" */
    bool saw_schedulers;   /* all Deployments could be read */
    struct yk_strmap apps; /* id -> struct yk_known_app, owned */
    uint64_t waiting_pods; /* pods that name the scheduler, have not ended and have no node */
};

/* ---- reading parsed objects ---- */

/* In the next four functions `object` may be NULL, which counts as an object without members. `path` names
 * members with dots between them, such as "spec.template.spec"; a member has at most 127 bytes and no dot in
 * its name. Results are borrowed from `object`. */

/* The value at `path`. NULL if there is none, or if it is null. */
const json_t *yk__at(const json_t *object, const char *path);
/* The string at `path`; "" if there is none, or the value is not a string. */
const char *yk__text(const json_t *object, const char *path);
/* The string with the key `key`, which may have dots, of the object at `path`; "" if there is none. */
const char *yk__entry(const json_t *object, const char *path, const char *key);
/* Whether the value at `path` is the boolean true. */
bool yk__is_true(const json_t *object, const char *path);
/* A copy of `text` in the arena of the migration, valid until the migration is freed. */
const char *yk__keep(struct yk_migration *migration, const char *text);

/* The next three are used in the function of a check. yk__found() adds a finding about the object of `look`,
 * with a formatted sentence, and returns it, or NULL (yk_findings_add()). yk__command() sets
 * the shell command of `finding`, and yk__values() sets its arguments of `helm upgrade`; `finding` may be
 * NULL. */
#define yk__found(look, ...)                                                                                 \
    yk_findings_add(&(look)->migration->findings, (look)->check, &(look)->name, __VA_ARGS__)
#define yk__command(look, finding, ...)                                                                      \
    yk_finding_set_command(&(look)->migration->findings, (finding), __VA_ARGS__)
#define yk__values(look, finding, ...)                                                                       \
    yk_finding_set_values(&(look)->migration->findings, (finding), __VA_ARGS__)

/* ---- facts ---- */

/* Stores the facts of an object, before its checks. `kind`: of the object, "" if it is not known. Defined in
 * facts.c, as are the next four functions. */
void yk__learn(struct yk_migration *migration, enum yk_subject subject, const char *kind,
               const json_t *object);
/* Whether the object has the label app.kubernetes.io/part-of: yunikorn, which only the chart and the
 * manifests of this project set. */
bool yk__is_of_this_project(const json_t *object);
/* Whether a role binding has subjects, and all of them are in other namespaces than the scheduler's. False
 * for an object without subjects, such as a role. */
bool yk__is_bound_elsewhere(const struct yk_migration *migration, const json_t *object);
/* Whether REST will answer callers without a token after the upgrade. The values decide; without values, the
 * key service.web.access of the ConfigMaps; if they do not have it, REST is open if this project is installed
 * already. */
bool yk__rest_is_open(const struct yk_migration *migration);
/* Whether, after the upgrade, an admission controller sets the scheduler name of new pods in the namespace.
 * Depends on the values, the webhooks, the settings and the annotations of the namespace. */
bool yk__is_routed(const struct yk_migration *migration, const char *namespace_);
/* Counts a pod, and adds it to the facts of its application. Pods of other schedulers and pods that have
 * ended do not count. `pod` may be malformed. Defined in applications.c. */
void yk__app_take_pod(struct yk_migration *migration, const json_t *pod);

/* ---- checks, by file ----
 *
 * The functions of the rows in checks.c, which says what each one finds. Each is called with objects of the
 * subjects of its row, and adds findings with yk__found(). A file name behind a declaration holds for it and
 * for those below, up to the next file name. */

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
void yk__look_value_image(const struct yk_look *look); /* check_values.c */
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

/* The row with that id. It must exist. Static. */
const struct yk_check *yk__check_called(const char *id);

/* The JSON schema of the chart's values: the text of deploy/helm/yunikorn/values.schema.json, and its length
 * in bytes. */
extern const unsigned char yk_values_schema[];
extern const size_t yk_values_schema_len;

#endif
