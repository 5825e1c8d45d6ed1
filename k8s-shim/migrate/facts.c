/* SPDX-License-Identifier: Apache-2.0 */
/* Collects the facts of objects that checks of other objects need. */
#include "api/json_reader.h"
#include "migrate/migration_priv.h"

#define PART_OF "app.kubernetes.io/part-of"

bool yk__is_of_this_project(const json_t *object)
{
    return strcmp(yk__entry(object, "metadata.labels", PART_OF), "yunikorn") == 0;
}

/* ---- webhooks ---- */

static bool is_known_webhook(const char *configuration, const char *name)
{
    return yk_str_starts(yk_str_from(configuration), "yunikorn-admission-controller") ||
           yk_str_starts(yk_str_from(name), "admission-webhook.yunikorn.");
}

static void learn_webhook(struct yk_migration *migration, enum yk_subject subject, const char *configuration,
                          const json_t *webhook)
{
    const char *name = yk__text(webhook, "name");
    if (!is_known_webhook(configuration, name) || migration->webhook_count == YK_MIGRATE_WEBHOOKS_MAX)
        return;
    migration->webhooks[migration->webhook_count++] = (struct yk_known_webhook){
        .subject = subject,
        .configuration = yk__keep(migration, configuration),
        .name = yk__keep(migration, name),
        .service_namespace = yk__keep(migration, yk__text(webhook, "clientConfig.service.namespace")),
        .service_name = yk__keep(migration, yk__text(webhook, "clientConfig.service.name")),
        .fails = strcmp(yk__text(webhook, "failurePolicy"), "Ignore") != 0, /* Fail is the default */
    };
}

static void learn_webhooks(struct yk_migration *migration, enum yk_subject subject, const json_t *object)
{
    const json_t *webhooks = yk__at(object, "webhooks");
    for (size_t i = 0; i < json_array_size(webhooks); i++)
        learn_webhook(migration, subject, yk__text(object, "metadata.name"), json_array_get(webhooks, i));
}

static bool is_service_of(const struct yk_known_webhook *webhook, const char *namespace_, const char *name)
{
    return strcmp(webhook->service_namespace, namespace_) == 0 && strcmp(webhook->service_name, name) == 0;
}

bool yk_migration_service(const struct yk_migration *migration, size_t i, struct yk_webhook_service *ret)
{
    for (size_t w = 0; w < migration->webhook_count; w++) {
        const struct yk_known_webhook *webhook = &migration->webhooks[w];
        bool is_repeated = webhook->service_name[0] == '\0'; /* the webhook calls a URL */
        for (size_t before = 0; before < w; before++)
            is_repeated = is_repeated || is_service_of(&migration->webhooks[before],
                                                       webhook->service_namespace, webhook->service_name);
        if (is_repeated || i-- > 0)
            continue;
        *ret = (struct yk_webhook_service){webhook->service_namespace, webhook->service_name};
        return true;
    }
    return false;
}

void yk_migration_take_service(struct yk_migration *migration, const struct yk_webhook_service *service,
                               bool exists, bool is_served)
{
    for (size_t w = 0; w < migration->webhook_count; w++) {
        struct yk_known_webhook *webhook = &migration->webhooks[w];
        if (!is_service_of(webhook, service->namespace_, service->name))
            continue;
        webhook->is_service_known = true;
        webhook->exists = exists;
        webhook->is_served = exists && is_served;
    }
}

/* ---- schedulers ---- */

static bool is_image_of_scheduler(const char *image)
{
    return strstr(image, "yunikorn:scheduler-") != NULL;
}

static const json_t *scheduler_in(const json_t *deployment)
{
    const json_t *containers = yk__at(deployment, "spec.template.spec.containers");
    bool is_labelled =
        strcmp(yk__text(deployment, "spec.template.metadata.labels.component"), "yunikorn-scheduler") == 0;
    for (size_t i = 0; i < json_array_size(containers); i++) {
        const json_t *container = json_array_get(containers, i);
        if (is_labelled || is_image_of_scheduler(yk__text(container, "image")) ||
            strcmp(yk__text(container, "name"), "yunikorn-scheduler-k8s") == 0)
            return container;
    }
    return NULL;
}

static bool has_replicas(const json_t *deployment)
{
    const json_t *replicas = yk__at(deployment, "spec.replicas");
    return replicas == NULL || !json_is_integer(replicas) || json_integer_value(replicas) > 0;
}

static void learn_scheduler(struct yk_migration *migration, const json_t *deployment)
{
    const json_t *container = scheduler_in(deployment);
    const char *namespace_ = yk__text(deployment, "metadata.namespace");
    if (container == NULL || !has_replicas(deployment))
        return;
    bool is_ours = yk__is_of_this_project(deployment);
    if (is_ours && strcmp(namespace_, migration->namespace_) == 0)
        migration->is_ours_installed = true;
    if (migration->scheduler_count == YK_MIGRATE_SCHEDULERS_MAX)
        return;
    const char *image = yk__text(container, "image");
    migration->schedulers[migration->scheduler_count++] = (struct yk_known_scheduler){
        .namespace_ = yk__keep(migration, namespace_),
        .name = yk__keep(migration, yk__text(deployment, "metadata.name")),
        .image = yk__keep(migration, image),
        .is_ours = is_ours,
        .is_plugin = strstr(image, "yunikorn:scheduler-plugin-") != NULL,
    };
}

/* ---- what is installed ---- */

/* Objects of subject OWNED are passed before those of subject LEFTOVER, because yk__look_role() reports roles
 * only if the chart of this project is installed. */
static void learn_owned(struct yk_migration *migration, const json_t *object)
{
    if (strcmp(yk__text(object, "metadata.name"), "yunikorn-scheduler") == 0 &&
        yk__is_of_this_project(object))
        migration->is_ours_installed = true;
}

bool yk__is_bound_elsewhere(const struct yk_migration *migration, const json_t *object)
{
    const json_t *subjects = yk__at(object, "subjects");
    for (size_t i = 0; i < json_array_size(subjects); i++) {
        if (strcmp(yk__text(json_array_get(subjects, i), "namespace"), migration->namespace_) == 0)
            return false;
    }
    return json_array_size(subjects) > 0;
}

static void learn_leftover(struct yk_migration *migration, const char *kind, const json_t *object)
{
    if (strcmp(kind, "ServiceAccount") != 0 && !yk__is_bound_elsewhere(migration, object))
        migration->has_left_roles = true;
}

static void learn_namespace(struct yk_migration *migration, const json_t *object)
{
    YK_CLEANUP(yk_object_freep) struct yk_object *namespace_ = NULL;
    struct yk_err err;
    enum yk_status st = yk_object_from_tree(YK_KIND_NAMESPACE, object, &namespace_, &err);
    if (st == YK_OK)
        st = yk_namespaces_put(&migration->namespaces, namespace_, &err);
    if (st != YK_OK)
        return; /* the namespace is treated like one without annotations */
}

void yk__learn(struct yk_migration *migration, enum yk_subject subject, const char *kind,
               const json_t *object)
{
    switch (subject) {
    case YK_SUBJECT_MUTATING:
    case YK_SUBJECT_VALIDATING:
        learn_webhooks(migration, subject, object);
        return;
    case YK_SUBJECT_OWNED:
        learn_owned(migration, object);
        return;
    case YK_SUBJECT_LEFTOVER:
        learn_leftover(migration, kind, object);
        return;
    case YK_SUBJECT_NAMESPACE:
        learn_namespace(migration, object);
        return;
    case YK_SUBJECT_DEPLOYMENT:
        learn_scheduler(migration, object);
        return;
    case YK_SUBJECT_POD:
        yk__app_take_pod(migration, object);
        return;
    case YK_SUBJECT_VERSION:
    case YK_SUBJECT_CONFIG_MAP:
    case YK_SUBJECT_STATEFUL_SET:
    case YK_SUBJECT_DAEMON_SET:
    case YK_SUBJECT_REPLICA_SET:
    case YK_SUBJECT_JOB:
    case YK_SUBJECT_CRON_JOB:
    case YK_SUBJECT_INGRESS:
    case YK_SUBJECT_SERVICE_MONITOR:
    case YK_SUBJECT_POD_MONITOR:
    case YK_SUBJECT_VALUES:
    case YK_SUBJECT_END:
    case YK_SUBJECT_COUNT:
        return;
    }
}

/* ---- settings ---- */

static enum yk_status read_map(struct yk_str json, struct yk_object **ret, struct yk_err *err)
{
    return json.len > 0 ? yk_object_from_json(YK_KIND_CONFIG_MAP, json, ret, err) : YK_OK;
}

static bool setting_is(const struct yk_merged_config *merged, const char *key, const char *value)
{
    return yk_str_is(yk_merged_config_get(merged, yk_str_from(key)), value);
}

static bool setting_is_true(const struct yk_merged_config *merged, const char *key)
{
    bool truth = false;
    return yk_str_to_bool(yk_merged_config_get(merged, yk_str_from(key)), &truth) == YK_OK && truth;
}

static void learn_settings(struct yk_migration *migration, const struct yk_merged_config *merged)
{
    /* not read: the caller passes the same faults to yk_migration_take_verdict() */
    YK_CLEANUP(yk_config_errors_done) struct yk_config_errors faults = {0};
    struct yk_str access = yk_merged_config_get(merged, YK_STR("service.web.access"));
    yk_admission_settings_apply(&migration->admission, merged, &faults);
    migration->rest_is_set = access.p != NULL;
    migration->rest_is_open = yk_str_is(access, "none");
    migration->scope_is_cluster = setting_is(merged, "service.applicationScope", "cluster");
    migration->guard_is_off = setting_is(merged, "admissionController.webHook.failurePolicy", "Ignore") ||
                              setting_is_true(merged, "admissionController.accessControl.bypassAuth");
}

enum yk_status yk_migration_take_config(struct yk_migration *migration, struct yk_str defaults,
                                        struct yk_str configs, struct yk_err *err)
{
    YK_CLEANUP(yk_object_freep) struct yk_object *first = NULL;
    YK_CLEANUP(yk_object_freep) struct yk_object *second = NULL;
    struct yk_merged_config merged;
    enum yk_status st = read_map(defaults, &first, err);
    if (st == YK_OK)
        st = read_map(configs, &second, err);
    if (st != YK_OK)
        return st;
    yk_config_merge(first != NULL ? yk_config_map_of(first) : NULL,
                    second != NULL ? yk_config_map_of(second) : NULL, &merged);
    learn_settings(migration, &merged);
    yk_merged_config_done(&merged);
    return YK_OK;
}

bool yk__rest_is_open(const struct yk_migration *migration)
{
    if (migration->values != NULL) {
        const char *access = yk__text(migration->values, "rest.access");
        const char *setting = yk__entry(migration->values, "yunikornDefaults", "service.web.access");
        return strcmp(setting[0] != '\0' ? setting : access, "none") == 0;
    }
    /* Where this project is installed and the setting is missing, REST is open, as in 1.9. */
    return migration->rest_is_set ? migration->rest_is_open : migration->is_ours_installed;
}

static bool has_router(const struct yk_migration *migration)
{
    if (migration->values != NULL)
        return !json_is_false(yk__at(migration->values, "embedAdmissionController"));
    for (size_t i = 0; i < migration->webhook_count; i++) {
        const struct yk_known_webhook *webhook = &migration->webhooks[i];
        if (webhook->subject == YK_SUBJECT_MUTATING && (!webhook->is_service_known || webhook->is_served))
            return true;
    }
    return false;
}

bool yk__is_routed(const struct yk_migration *migration, const char *namespace_)
{
    return has_router(migration) &&
           yk_namespace_is_processed(&migration->namespaces, &migration->admission, yk_str_from(namespace_));
}
