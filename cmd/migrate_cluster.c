/* SPDX-License-Identifier: Apache-2.0 */
#include "api/json_reader.h"
#include "client/url.h"
#include "cmd/migrate.h"
#include "cmd/verdict.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

#define METADATA_OF_ONE  "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
#define METADATA_OF_LIST "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"

enum { OBJECT_MAX = 16 << 20, PROGRESS_STEP = 10 * 1000 };

struct reading {
    struct yk_getter *getter;
    struct yk_migrate_report *report;
    bool shows_progress;
    /* The list that is being read. */
    enum yk_subject subject;
    const char *what; /* "pods" */
    /* Objects of the list so far; objects among them that could not be parsed. */
    uint64_t count, unreadable;
    struct yk_err unreadable_why; /* why the first of these could not be parsed */
};

/* ---- lists ---- */

static void take_item(void *context, struct yk_str json)
{
    struct reading *reading = context;
    struct yk_err err = {0};
    if (yk_migration_take(reading->report->migration, reading->subject, NULL, json, &err) != YK_OK &&
        reading->unreadable++ == 0)
        reading->unreadable_why = err;
    if (++reading->count % PROGRESS_STEP == 0 && reading->shows_progress)
        (void)fprintf(stderr, "note: %" PRIu64 " %s read\n", reading->count, reading->what);
}

struct list {
    enum yk_subject subject;
    const char *what, *path;
    bool may_be_missing; /* not every cluster has this kind */
};

/* Reads a list. True: the whole list was read, or the cluster need not have this kind and does not have
 * it. */
static bool read_list(struct reading *reading, const struct list *list)
{
    const struct yk_list_text_sink sink = {take_item, reading};
    struct yk_err err = {0};
    reading->subject = list->subject;
    reading->what = list->what;
    reading->count = reading->unreadable = 0;
    enum yk_status st = yk_getter_list(reading->getter, list->path, list->what, NULL, &sink, &err);
    if (st == YK_ERR_NOT_FOUND && list->may_be_missing)
        return true;
    if (st == YK_OK && reading->unreadable > 0)
        st = yk_fail_in(&reading->unreadable_why, YK_ERR_INVALID, "%" PRIu64 " of them", reading->unreadable);
    if (st != YK_OK)
        yk_migrate_unchecked(reading->report, list->what,
                             reading->unreadable > 0 ? &reading->unreadable_why : &err);
    return st == YK_OK;
}

/* ---- single objects ---- */

/* Reads an object. True: it was read, or does not exist (`body` is then empty). */
static bool get(struct reading *reading, const char *path, const char *what, const char *accept,
                struct yk_buf *body)
{
    struct yk_err err = {0};
    enum yk_status st = yk_getter_get(reading->getter, path, accept, body, &err);
    if (st != YK_OK)
        yk_buf_clear(body);
    if (st != YK_OK && st != YK_ERR_NOT_FOUND)
        yk_migrate_unchecked(reading->report, what, &err);
    return st == YK_OK || st == YK_ERR_NOT_FOUND;
}

struct named {
    enum yk_subject subject;
    const char *kind, *group, *plural, *name;
    bool is_namespaced, metadata_only;
};

#define CORE "/api/v1"
#define APPS "/apis/apps/v1"
#define RBAC "/apis/rbac.authorization.k8s.io/v1"

/* Of Secrets, only the metadata is read, never the data. */
static const struct named named_objects[] = {
    {YK_SUBJECT_OWNED, "Deployment", APPS, "deployments", "yunikorn-scheduler", true, true},
    {YK_SUBJECT_OWNED, "Deployment", APPS, "deployments", "yunikorn-admission-controller", true, true},
    {YK_SUBJECT_OWNED, "Service", CORE, "services", "yunikorn-service", true, true},
    {YK_SUBJECT_OWNED, "Service", CORE, "services", "yunikorn-admission-controller-service", true, true},
    {YK_SUBJECT_OWNED, "Secret", CORE, "secrets", "admission-controller-secrets", true, true},
    {YK_SUBJECT_OWNED, "ConfigMap", CORE, "configmaps", "yunikorn-defaults", true, true},
    {YK_SUBJECT_LEFTOVER, "ServiceAccount", CORE, "serviceaccounts", "yunikorn-admin", true, true},
    {YK_SUBJECT_LEFTOVER, "ServiceAccount", CORE, "serviceaccounts", "yunikorn-admission-controller", true,
     true},
    {YK_SUBJECT_LEFTOVER, "ClusterRoleBinding", RBAC, "clusterrolebindings", "yunikorn-rbac", false, false},
    {YK_SUBJECT_LEFTOVER, "ClusterRoleBinding", RBAC, "clusterrolebindings", "yunikorn-rbac-kube-scheduler",
     false, false},
    {YK_SUBJECT_LEFTOVER, "ClusterRoleBinding", RBAC, "clusterrolebindings", "yunikorn-rbac-volume-scheduler",
     false, false},
    {YK_SUBJECT_LEFTOVER, "ClusterRoleBinding", RBAC, "clusterrolebindings",
     "yunikorn-admission-controller-cluster-rbac", false, false},
    {YK_SUBJECT_LEFTOVER, "ClusterRole", RBAC, "clusterroles", "yunikorn-scheduler", false, false},
    {YK_SUBJECT_LEFTOVER, "ClusterRole", RBAC, "clusterroles", "yunikorn-admission-controller-cluster-role",
     false, false},
    {YK_SUBJECT_LEFTOVER, "RoleBinding", RBAC, "rolebindings", "yunikorn-rbac", true, false},
    {YK_SUBJECT_LEFTOVER, "RoleBinding", RBAC, "rolebindings", "yunikorn-admission-controller-rbac", true,
     false},
    {YK_SUBJECT_LEFTOVER, "Role", RBAC, "roles", "yunikorn-scheduler", true, false},
    {YK_SUBJECT_LEFTOVER, "Role", RBAC, "roles", "yunikorn-admission-controller-role", true, false},
};

static void put_path(struct yk_buf *path, const char *group, const char *namespace_, const char *plural,
                     const char *name)
{
    yk_buf_text(path, group);
    if (namespace_ != NULL) {
        yk_buf_text(path, "/namespaces");
        yk_url_segment(path, namespace_);
    }
    yk_url_segment(path, plural);
    if (name != NULL)
        yk_url_segment(path, name);
}

static void read_named(struct reading *reading, const struct named *named)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {0};
    YK_CLEANUP(yk_buf_done) struct yk_buf what = {0};
    YK_CLEANUP(yk_buf_done) struct yk_buf body = {.max = OBJECT_MAX};
    struct yk_err err = {0};
    put_path(&path, named->group, named->is_namespaced ? reading->report->namespace_ : NULL, named->plural,
             named->name);
    yk_buf_printf(&what, "%s %s", named->kind, named->name);
    if (!get(reading, yk_buf_cstr(&path), yk_buf_cstr(&what), named->metadata_only ? METADATA_OF_ONE : NULL,
             &body) ||
        body.len == 0)
        return;
    if (yk_migration_take(reading->report->migration, named->subject, named->kind, yk_buf_view(&body),
                          &err) != YK_OK)
        yk_migrate_unchecked(reading->report, yk_buf_cstr(&what), &err);
}

/* ---- queues and settings ---- */

static bool get_config_map(struct reading *reading, const char *name, struct yk_buf *body)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {0};
    YK_CLEANUP(yk_buf_done) struct yk_buf what = {0};
    put_path(&path, CORE, reading->report->namespace_, "configmaps", name);
    yk_buf_printf(&what, "ConfigMap %s", name);
    return get(reading, yk_buf_cstr(&path), yk_buf_cstr(&what), NULL, body);
}

static enum yk_status parse_map(const struct yk_buf *body, struct yk_object **ret, struct yk_err *err)
{
    return body->len > 0 ? yk_object_from_json(YK_KIND_CONFIG_MAP, yk_buf_view(body), ret, err) : YK_OK;
}

void yk_migrate_check_config(struct yk_migration *migration, struct yk_effective_config *effective,
                             const struct yk_object_name *name)
{
    YK_CLEANUP(yk_source_done) struct yk_source source = {.name = "cluster", .effective = *effective};
    yk_source_check_content(&source);
    yk_migration_take_verdict(migration, name, source.config, &source.errors, &source.warnings);
}

static enum yk_status check_maps(struct reading *reading, const struct yk_buf *defaults,
                                 const struct yk_buf *configs, struct yk_err *err)
{
    YK_CLEANUP(yk_object_freep) struct yk_object *first = NULL;
    YK_CLEANUP(yk_object_freep) struct yk_object *second = NULL;
    struct yk_effective_config effective;
    enum yk_status st = parse_map(defaults, &first, err);
    if (st == YK_OK)
        st = parse_map(configs, &second, err);
    if (st == YK_OK)
        st = yk_migration_take_config(reading->report->migration, yk_buf_view(defaults), yk_buf_view(configs),
                                      err);
    if (st != YK_OK)
        return st;
    const struct yk_object_name name = {YK_STR("ConfigMap"), yk_str_from(reading->report->namespace_),
                                        second != NULL ? YK_STR("yunikorn-configs")
                                                       : YK_STR("yunikorn-defaults")};
    yk_effective_config_merge(first != NULL ? yk_config_map_of(first) : NULL,
                              second != NULL ? yk_config_map_of(second) : NULL, &effective);
    yk_migrate_check_config(reading->report->migration, &effective, &name);
    return YK_OK;
}

static void read_config(struct reading *reading)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf defaults = {.max = OBJECT_MAX};
    YK_CLEANUP(yk_buf_done) struct yk_buf configs = {.max = OBJECT_MAX};
    struct yk_err err = {0};
    if (get_config_map(reading, YK_CONFIG_MAP_DEFAULTS, &defaults) &&
        get_config_map(reading, YK_CONFIG_MAP_CONFIGS, &configs) &&
        check_maps(reading, &defaults, &configs, &err) != YK_OK)
        yk_migrate_unchecked(reading->report, "queues and settings", &err);
}

/* ---- Services of webhooks ---- */

/* Sets the bool that `context` points to if the EndpointSlice has an endpoint whose condition `ready` is true
 * or not set. */
static void take_slice(void *context, struct yk_str json)
{
    bool *is_served = context;
    json_t *slice = NULL;
    if (yk_json_parse(json, &slice, NULL) != YK_OK)
        return;
    const json_t *endpoints = json_object_get(slice, "endpoints");
    for (size_t i = 0; i < json_array_size(endpoints); i++) {
        const json_t *ready =
            json_object_get(json_object_get(json_array_get(endpoints, i), "conditions"), "ready");
        *is_served = *is_served || !json_is_false(ready);
    }
    json_decref(slice);
}

static void read_service(struct reading *reading, const struct yk_webhook_service *service)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {0};
    YK_CLEANUP(yk_buf_done) struct yk_buf slices = {0};
    YK_CLEANUP(yk_buf_done) struct yk_buf selector = {0};
    YK_CLEANUP(yk_buf_done) struct yk_buf body = {.max = OBJECT_MAX};
    struct yk_err err = {0};
    bool is_served = false;
    const struct yk_list_text_sink sink = {take_slice, &is_served};
    put_path(&path, CORE, service->namespace_, "services", service->name);
    if (!get(reading, yk_buf_cstr(&path), "the Service of a webhook", METADATA_OF_ONE, &body))
        return;
    put_path(&slices, "/apis/discovery.k8s.io/v1", service->namespace_, "endpointslices", NULL);
    yk_buf_printf(&selector, "kubernetes.io/service-name=%s", service->name);
    yk_url_query(&slices, "labelSelector", yk_buf_cstr(&selector));
    if (yk_getter_list(reading->getter, yk_buf_cstr(&slices), "endpoint slices", NULL, &sink, &err) != YK_OK)
        yk_migrate_unchecked(reading->report, "endpoints of the Service of a webhook", &err);
    else
        yk_migration_take_service(reading->report->migration, service, body.len > 0, is_served);
}

static void read_services(struct reading *reading)
{
    struct yk_webhook_service service;
    for (size_t i = 0; yk_migration_service(reading->report->migration, i, &service); i++)
        read_service(reading, &service);
}

/* ---- the cluster ---- */

#define ADMISSION_REGISTRATION "/apis/admissionregistration.k8s.io/v1"
#define MONITORING             "/apis/monitoring.coreos.com/v1"

static const struct list lists_of_facts[] = {
    {YK_SUBJECT_NAMESPACE, "namespaces", CORE "/namespaces", false},
    {YK_SUBJECT_MUTATING, "mutating webhook configurations",
     ADMISSION_REGISTRATION "/mutatingwebhookconfigurations", false},
    {YK_SUBJECT_VALIDATING, "validating webhook configurations",
     ADMISSION_REGISTRATION "/validatingwebhookconfigurations", false},
};

static const struct list lists_of_objects[] = {
    {YK_SUBJECT_CONFIG_MAP, "config maps", CORE "/configmaps", false},
    {YK_SUBJECT_STATEFUL_SET, "stateful sets", APPS "/statefulsets", false},
    {YK_SUBJECT_DAEMON_SET, "daemon sets", APPS "/daemonsets", false},
    {YK_SUBJECT_REPLICA_SET, "replica sets", APPS "/replicasets", false},
    {YK_SUBJECT_JOB, "jobs", "/apis/batch/v1/jobs", false},
    {YK_SUBJECT_CRON_JOB, "cron jobs", "/apis/batch/v1/cronjobs", false},
    {YK_SUBJECT_INGRESS, "ingresses", "/apis/networking.k8s.io/v1/ingresses", false},
    {YK_SUBJECT_SERVICE_MONITOR, "service monitors", MONITORING "/servicemonitors", true},
    {YK_SUBJECT_POD_MONITOR, "pod monitors", MONITORING "/podmonitors", true},
    {YK_SUBJECT_POD, "pods",
     CORE "/pods?fieldSelector=status.phase%21%3DSucceeded%2Cstatus.phase%21%3DFailed", false},
};

/* If the API server refuses the request, `body` stays empty, and the other checks go on. */
static enum yk_status read_version(struct reading *reading, struct yk_buf *body, struct yk_err *err)
{
    enum yk_status st = yk_getter_get(reading->getter, "/version", NULL, body, err);
    if (st != YK_ERR_DENIED && st != YK_ERR_NOT_FOUND)
        return st;
    yk_buf_clear(body);
    yk_migrate_unchecked(reading->report, "version of the API server", err);
    return YK_OK;
}

enum yk_status yk_migrate_read_cluster(struct yk_getter *getter, struct yk_migrate_report *report,
                                       bool shows_progress, struct yk_err *err)
{
    static const struct list deployments = {YK_SUBJECT_DEPLOYMENT, "deployments", APPS "/deployments", false};
    struct reading reading = {.getter = getter, .report = report, .shows_progress = shows_progress};
    YK_CLEANUP(yk_buf_done) struct yk_buf version = {.max = 1 << 20};
    enum yk_status st = read_version(&reading, &version, err);
    if (st == YK_OK)
        read_config(&reading); /* before all checks of objects and of the version: they look at settings */
    if (st == YK_OK && version.len > 0)
        st =
            yk_migration_take(report->migration, YK_SUBJECT_VERSION, "APIServer", yk_buf_view(&version), err);
    if (st != YK_OK)
        return st;
    for (size_t i = 0; i < YK_COUNT(named_objects); i++)
        read_named(&reading, &named_objects[i]);
    for (size_t i = 0; i < YK_COUNT(lists_of_facts); i++)
        (void)read_list(&reading, &lists_of_facts[i]); /* what failed is in the report */
    read_services(&reading);
    bool saw_schedulers = read_list(&reading, &deployments);
    for (size_t i = 0; i < YK_COUNT(lists_of_objects); i++)
        (void)read_list(&reading, &lists_of_objects[i]);
    yk_migration_end(report->migration, saw_schedulers);
    return YK_OK;
}

/* ---- the namespace of the scheduler ---- */

struct search {
    char *namespace_, *release; /* of the first Deployment that was found; owned */
    size_t found;               /* number of Deployments */
};

static void take_deployment(void *context, struct yk_str json)
{
    struct search *search = context;
    json_t *object = NULL;
    if (yk_json_parse(json, &object, NULL) != YK_OK)
        return;
    const json_t *metadata = json_object_get(object, "metadata");
    const char *name = json_string_value(json_object_get(metadata, "name"));
    const char *namespace_ = json_string_value(json_object_get(metadata, "namespace"));
    const char *release = json_string_value(
        json_object_get(json_object_get(metadata, "annotations"), "meta.helm.sh/release-name"));
    if (name != NULL && namespace_ != NULL && strcmp(name, "yunikorn-scheduler") == 0 &&
        search->found++ == 0) {
        search->namespace_ = yk_strdup(namespace_);
        search->release = yk_strdup_or_null(release);
    }
    json_decref(object);
}

enum yk_status yk_migrate_find_scheduler(struct yk_getter *getter, char **ret_namespace, char **ret_release,
                                         struct yk_err *err)
{
    struct search search = {0};
    const struct yk_list_text_sink sink = {take_deployment, &search};
    enum yk_status st = yk_getter_list(getter, APPS "/deployments?labelSelector=app%3Dyunikorn",
                                       "deployments", METADATA_OF_LIST, &sink, err);
    if (st != YK_OK || search.found != 1) {
        free(search.namespace_);
        free(search.release);
        search = (struct search){0};
    }
    *ret_namespace = search.namespace_;
    *ret_release = search.release;
    return st == YK_ERR_UNAVAILABLE ? st : YK_OK; /* yk_migrate_read_cluster() will report other errors */
}
