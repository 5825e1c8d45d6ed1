/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The facts of a migration, and the functions of its checks, which read the facts and add findings.
 *
 * Thread: any.
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
    bool fails;             /* failurePolicy is Fail or missing: requests are refused if nothing answers */
    bool is_service_known;  /* `exists` and `is_served` are set */
    bool exists, is_served; /* the Service exists; it has a pod that is ready */
};

/* A Deployment that runs a scheduler and is not scaled to 0. Texts are in the arena of the migration. */
struct yk_known_scheduler {
    const char *namespace_, *name; /* of the Deployment */
    const char *image;             /* of its container */
    bool is_ours;                  /* the scheduler is of this project; false: of Apache YuniKorn */
    bool is_plugin;                /* the scheduler runs in the plugin mode of Apache YuniKorn */
};

/* An application, as its pods describe it. */
struct yk_known_app {
    char *id;          /* owned */
    char *namespace_;  /* of its first pod; owned */
    char *other;       /* the first other namespace with pods of it; owned; NULL: there is none */
    char *placeholder; /* name of its first placeholder; owned; NULL: there is none */
    const char *label; /* static; the label of that placeholder that has `id`; NULL: an annotation has it */
    uint64_t placeholders; /* placeholders that have not ended */
    uint64_t real_pods;    /* other pods that have not ended */
};

struct yk_migration {
    struct yk_findings findings;
    struct yk_arena arena;
    char *namespace_, *release; /* namespace of the scheduler; name of the Helm release; owned */
    json_t *values;             /* values of the chart; owned; NULL: none were given */
    /* Facts of the cluster. */
    struct yk_known_webhook webhooks[YK_MIGRATE_WEBHOOKS_MAX];
    size_t webhook_count;
    struct yk_known_scheduler schedulers[YK_MIGRATE_SCHEDULERS_MAX];
    size_t scheduler_count;
    /* The scheduler in `namespace_` is of this project. Set by OWNED objects with the name
     * "yunikorn-scheduler" and by DEPLOYMENT objects. */
    bool is_ours_installed;
    bool has_left_roles;        /* a hook of an Apache YuniKorn chart left a role or a role binding */
    struct yk_marks namespaces; /* annotations of the namespaces */
    struct yk_admission_settings admission;
    bool rest_is_set;      /* a ConfigMap has the key service.web.access */
    bool rest_is_open;     /* the value of service.web.access is "none": REST needs no token */
    bool guard_is_off;     /* settings switch off the webhook that guards pods of YuniKorn */
    bool scope_is_cluster; /* service.applicationScope is "cluster" */
    bool saw_schedulers;   /* all Deployments could be read */
    struct yk_strmap apps; /* id -> struct yk_known_app, owned */
    uint64_t waiting_pods; /* pods that name the scheduler, have not ended and have no node */
};

/* ---- reading parsed objects ---- */

/* In the next four functions, `object` may be NULL, which stands for an object without members. `path`
 * consists of names of members, separated by dots, such as "spec.template.spec". A name has at most 127 bytes
 * and no dot. Results are borrowed from `object`. */

/* The value at `path`. NULL if there is no value, or if the value is null. */
const json_t *yk__at(const json_t *object, const char *path);
/* The string at `path`; "" if there is none, or the value is not a string. */
const char *yk__text(const json_t *object, const char *path);
/* The string with the key `key` in the object at `path`; "" if there is none. The key may have dots. */
const char *yk__entry(const json_t *object, const char *path, const char *key);
/* Whether the value at `path` is the boolean true. */
bool yk__is_true(const json_t *object, const char *path);
/* A copy of `text` in the arena of the migration, valid until the migration is freed. */
const char *yk__keep(struct yk_migration *migration, const char *text);

/* The functions of checks use the next three macros. yk__found() adds a finding about the object of `look`,
 * with a formatted sentence. It returns what yk_findings_add() returns, which may be NULL. yk__command() sets
 * the shell command of `finding`, and yk__values() sets its arguments of `helm upgrade`; `finding` may be
 * NULL. */
#define yk__found(look, ...)                                                                                 \
    yk_findings_add(&(look)->migration->findings, (look)->check, &(look)->name, __VA_ARGS__)
#define yk__command(look, finding, ...)                                                                      \
    yk_finding_set_command(&(look)->migration->findings, (finding), __VA_ARGS__)
#define yk__values(look, finding, ...)                                                                       \
    yk_finding_set_values(&(look)->migration->findings, (finding), __VA_ARGS__)

/* ---- facts ---- */

/* Stores the facts of an object. Called before the checks of the object. `kind` is the kind of the object, or
 * "" if the kind is not known. */
void yk__learn(struct yk_migration *migration, enum yk_subject subject, const char *kind,
               const json_t *object);
/* Whether the object has the label app.kubernetes.io/part-of: yunikorn. The chart and the manifests of this
 * project set it, and the charts of Apache YuniKorn do not. */
bool yk__is_of_this_project(const json_t *object);
/* Whether a role binding has subjects, and none of them is in the namespace of the scheduler. False for an
 * object without subjects, such as a role. */
bool yk__is_bound_elsewhere(const struct yk_migration *migration, const json_t *object);
/* Whether REST will answer callers without a token after the upgrade. If there are values, they decide.
 * Otherwise, the key service.web.access of the ConfigMaps decides. If the ConfigMaps do not have the key,
 * REST is open if this project is installed already. */
bool yk__rest_is_open(const struct yk_migration *migration);
/* Whether, after the upgrade, an admission controller sets the scheduler name of new pods in the namespace.
 * The result depends on the values, the webhooks, the settings and the annotations of the namespace. */
bool yk__is_routed(const struct yk_migration *migration, const char *namespace_);
/* Adds a pod to the number of waiting pods, if it has no node, and to the facts of its application. Ignores
 * pods of other schedulers and pods that have ended. `pod` may be malformed. */
void yk__app_take_pod(struct yk_migration *migration, const json_t *pod);

/* ---- checks, by file ----
 *
 * The functions of the rows in checks.c. Each comment names the row and, in capitals, the subjects of the
 * objects that the function is called with (enum yk_subject). A function adds at most one finding per call,
 * about the object of the call, unless its comment says otherwise. In a function with the subject END,
 * look->object is NULL, and the facts of all objects are known. In the other functions, only the facts of the
 * object and of those that were passed before are known. migration.h says in which order objects are
 * passed. */

/* check_cluster.c */
/* Row `api-server-too-old` (VERSION): adds a finding if `gitVersion` says that the API server is older than
 * 1.24. Adds nothing if `gitVersion` does not begin with a version such as "v1.36". */
void yk__look_version_old(const struct yk_look *look);
/* Row `api-server-cannot-guard` (VERSION): adds a finding if the API server is of version 1.24 to 1.29. Adds
 * nothing if the ConfigMaps, which are passed before, switch off the guard of pods (`guard_is_off`). */
void yk__look_version_guard(const struct yk_look *look);

/* check_leftovers.c */
/* Row `other-release` (OWNED): adds a finding for an object whose annotation names another Helm release, or
 * one with the same name in another namespace. */
void yk__look_owner(const struct yk_look *look);
/* Row `no-release` (OWNED): adds a finding for an object without the annotation of a Helm release. Adds
 * nothing if this project is installed already (`is_ours_installed`). That is known because the Deployment of
 * the scheduler is passed first. */
void yk__look_no_owner(const struct yk_look *look);
/* Row `account-not-adopted` (LEFTOVER): adds a finding for a ServiceAccount without the annotation of a Helm
 * release and without the label of this project (yk__is_of_this_project()). Ignores other kinds. */
void yk__look_account(const struct yk_look *look);
/* Row `role-left` (LEFTOVER): adds a finding for a role or a role binding if this project is installed
 * already (`is_ours_installed`). Ignores service accounts and bindings of other namespaces
 * (yk__is_bound_elsewhere()). */
void yk__look_role(const struct yk_look *look);
/* Row `roles-ahead` (END): adds one finding, about no object, if a hook of an Apache YuniKorn chart left a
 * role or a role binding (`has_left_roles`), and this project is not installed yet. */
void yk__look_roles_ahead(const struct yk_look *look);

/* check_webhooks.c */
/* Row `webhook-unserved` (END): adds a finding for each known webhook whose Service does not exist or has no
 * pod that is ready. Findings are about the configuration of the webhook. Skips webhooks whose Service was
 * not passed (yk_migration_take_service()). */
void yk__look_webhook_unserved(const struct yk_look *look);
/* Row `webhook-elsewhere` (END): adds a finding for each known webhook that calls a Service of another
 * namespace than that of the scheduler. Findings are about the configuration of the webhook. */
void yk__look_webhook_elsewhere(const struct yk_look *look);
/* Row `webhook-left` (END): if the values have `embedAdmissionController: false`, adds a finding for each
 * known webhook that yk__look_webhook_unserved() does not report. Findings are about the configuration of the
 * webhook. Adds nothing without values. */
void yk__look_webhook_left(const struct yk_look *look);

/* check_schedulers.c */
/* Row `schedulers-with-one-name` (END): if several Deployments run a scheduler, adds a finding for each of
 * them, except for "yunikorn-scheduler" in the namespace of the scheduler. */
void yk__look_schedulers(const struct yk_look *look);
/* Row `no-scheduler` (END): adds one finding, about pods, if pods wait for the scheduler, no Deployment runs
 * one, and all Deployments could be read (`saw_schedulers`). */
void yk__look_no_scheduler(const struct yk_look *look);
/* Row `old-scheduler` (END): adds a finding for the Deployment "yunikorn-scheduler" in the namespace of the
 * scheduler, if it runs a scheduler of Apache YuniKorn. */
void yk__look_old_scheduler(const struct yk_look *look);
/* Row `plugin-mode` (END): adds a finding for each Deployment that runs a scheduler in the plugin mode of
 * Apache YuniKorn. */
void yk__look_plugin(const struct yk_look *look);

/* check_pods.c */
/* Row `pod-unrouted` (DEPLOYMENT, STATEFUL_SET, DAEMON_SET, REPLICA_SET, JOB, CRON_JOB): adds a finding for a
 * workload that has no owner, and whose pods have labels or annotations of YuniKorn and are for the default
 * scheduler. Adds nothing if an admission controller sets the scheduler name of pods in the namespace
 * (yk__is_routed()). */
void yk__look_template(const struct yk_look *look);
/* Row `pod-waits-elsewhere` (POD): adds a finding for a pending pod that has neither a node nor an owner, has
 * labels or annotations of YuniKorn, and is for the default scheduler. */
void yk__look_pod(const struct yk_look *look);
/* Row `application-in-namespaces` (END): adds a finding for each application with pods in several namespaces,
 * in the order of the ids of the applications. Findings are about the application. Adds nothing if a
 * ConfigMap or the values set service.applicationScope to "cluster". */
void yk__look_shared_apps(const struct yk_look *look);
/* Row `placeholders-alone` (END): adds a finding for each application that has placeholders and no other
 * pods, in the order of the ids of the applications. Findings are about the first placeholder of the
 * application. */
void yk__look_lone_placeholders(const struct yk_look *look);

/* check_clients.c */
/* Row `rest-client` (CONFIG_MAP): adds a finding for the first entry that names yunikorn-service without
 * https. Adds nothing for a ConfigMap with the name of one of the scheduler, in any namespace, or if REST is
 * open (yk__rest_is_open()). */
void yk__look_rest_text(const struct yk_look *look);
/* Row `rest-client-workload` (DEPLOYMENT, STATEFUL_SET, DAEMON_SET, REPLICA_SET, JOB, CRON_JOB): adds a
 * finding for the first variable, argument or command of a container (no init container) that names
 * yunikorn-service without https. Adds nothing for a workload that has an owner, or if REST is open
 * (yk__rest_is_open()). */
void yk__look_rest_workload(const struct yk_look *look);
/* Row `ingress-to-rest` (INGRESS): adds a finding if a backend is yunikorn-service, in any namespace. Adds
 * nothing if REST is open (yk__rest_is_open()). */
void yk__look_ingress(const struct yk_look *look);
/* Row `scraped-over-http` (SERVICE_MONITOR, POD_MONITOR): adds a finding if the object selects a label of the
 * scheduler, and an endpoint has the scheme http or no scheme. Adds nothing if REST is open
 * (yk__rest_is_open()). */
void yk__look_monitor(const struct yk_look *look);

/* values_schema.c */
/* Row `value-refused` (VALUES): adds a finding for each key that the schema of the chart does not allow, also
 * in inner mappings. Compares keys only, not values. */
void yk__look_value_refused(const struct yk_look *look);

/* check_values.c */
/* Row `value-image` (VALUES): adds a finding for each of `image` and `admissionController.image` that names
 * an image of Apache YuniKorn. Ignores `admissionController.image` if `embedAdmissionController` is false. */
void yk__look_value_image(const struct yk_look *look);
/* Row `value-rest` (VALUES): adds a finding if neither `rest.access` nor `service.web.access` of
 * `yunikornDefaults` is set. */
void yk__look_value_rest(const struct yk_look *look);
/* Row `value-web` (VALUES): adds a finding if `enableWebService` is true. */
void yk__look_value_web(const struct yk_look *look);
/* Row `value-plugin` (VALUES): adds a finding if `enableSchedulerPlugin` is true. */
void yk__look_value_plugin(const struct yk_look *look);
/* Row `value-operators` (VALUES): adds a finding if `operatorPlugins` is a text but not "" or "general". */
void yk__look_value_operators(const struct yk_look *look);
/* Row `value-replicas` (VALUES): adds a finding if `replicaCount` is an integer, also if it is 1. */
void yk__look_value_replicas(const struct yk_look *look);
/* Row `value-node-selector` (VALUES): adds a finding for each label in `nodeSelector` and in
 * `admissionController.nodeSelector` that Kubernetes has replaced by another one. */
void yk__look_value_node_selector(const struct yk_look *look);
/* Row `value-ingress` (VALUES): adds a finding if `ingress.enabled` is true, and the values do not set who
 * may call REST, as in yk__look_value_rest(). */
void yk__look_value_ingress(const struct yk_look *look);
/* Row `value-service` (VALUES): adds a finding if `service.type` is LoadBalancer or NodePort, and the values
 * do not set who may call REST, as in yk__look_value_rest(). */
void yk__look_value_service(const struct yk_look *look);
/* Row `value-scrape` (VALUES): adds a finding if `podAnnotations` have prometheus.io/scrape true, as a text
 * or a boolean, and prometheus.io/scheme is not "https". Adds nothing if REST is open
 * (yk__rest_is_open()). */
void yk__look_value_scrape(const struct yk_look *look);
/* Row `value-resources` (VALUES): adds a finding for each request of memory, of the scheduler and of the
 * admission controller, that is the default of the charts of Apache YuniKorn. */
void yk__look_value_resources(const struct yk_look *look);
/* Row `value-go` (VALUES): adds a finding for each setting of the Go runtime that is not the default of the
 * charts of Apache YuniKorn, such as `goGC`. */
void yk__look_value_go(const struct yk_look *look);
/* Row `value-deprecated` (VALUES): adds a finding for each deprecated key that is set, such as
 * `configuration`. */
void yk__look_value_deprecated(const struct yk_look *look);
/* Row `value-host-network` (VALUES): adds a finding for each of `hostNetwork` and
 * `admissionController.hostNetwork` that is true. */
void yk__look_value_host_network(const struct yk_look *look);
/* Row `value-affinity` (VALUES): adds a finding if `affinity` is a mapping or a list that is not empty. */
void yk__look_value_affinity(const struct yk_look *look);

/* The row with the id `id`, which must exist. Static. */
const struct yk_check *yk__check_called(const char *id);

/* The JSON schema of the chart's values: the text of deploy/helm/yunikorn/values.schema.json, and its length
 * in bytes. */
extern const unsigned char yk_values_schema[];
extern const size_t yk_values_schema_len;

#endif
