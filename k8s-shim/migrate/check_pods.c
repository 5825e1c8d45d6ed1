/* SPDX-License-Identifier: Apache-2.0 */
#include "api/pod_keys.h"
#include "base/vec.h"
#include "migrate/migration_priv.h"

#include <inttypes.h>

/* ---- pods that no admission controller sends to the scheduler ---- */

static bool has_key_of_yunikorn(const json_t *map)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)map, key, value)
    {
        bool is_ours = strncmp(key, "yunikorn.apache.org/", strlen("yunikorn.apache.org/")) == 0;
        if ((is_ours || strcmp(key, YK_KEY_OLD_APP_ID) == 0) && json_is_string(value))
            return true;
    }
    return false;
}

static bool names_yunikorn(const json_t *metadata)
{
    return has_key_of_yunikorn(yk__at(metadata, "labels")) ||
           has_key_of_yunikorn(yk__at(metadata, "annotations"));
}

static bool is_of_default_scheduler(const json_t *spec)
{
    const char *name = yk__text(spec, "schedulerName");
    return name[0] == '\0' || strcmp(name, "default-scheduler") == 0;
}

static bool is_controlled(const json_t *object)
{
    return json_array_size(yk__at(object, "metadata.ownerReferences")) > 0;
}

static const json_t *template_of(const struct yk_look *look)
{
    return yk__at(look->object,
                  look->subject == YK_SUBJECT_CRON_JOB ? "spec.jobTemplate.spec.template" : "spec.template");
}

static const char *merge_patch(const struct yk_look *look)
{
    return look->subject == YK_SUBJECT_CRON_JOB
               ? "{\"spec\":{\"jobTemplate\":{\"spec\":{\"template\":{\"spec\":{\"schedulerName\":"
                 "\"yunikorn\"}}}}}}"
               : "{\"spec\":{\"template\":{\"spec\":{\"schedulerName\":\"yunikorn\"}}}}";
}

/* Neither the template of a Job nor the scheduler name of a pod can be changed, so Jobs and pods are created
 * again. Other workloads are patched. */
static void set_remedy(const struct yk_look *look, struct yk_finding *finding)
{
    YK_CLEANUP(yk_freep) char *kind = yk_str_lower(look->name.kind);
    YK_CLEANUP(yk_buf_done) struct yk_buf namespace_ = {0};
    YK_CLEANUP(yk_buf_done) struct yk_buf name = {0};
    yk_shell_word(&namespace_, look->name.namespace_);
    yk_shell_word(&name, look->name.name);
    if (look->subject == YK_SUBJECT_POD || look->subject == YK_SUBJECT_JOB)
        yk__command(look, finding,
                    "kubectl -n %s get %s %s -o json | jq '.spec%s.schedulerName = \"yunikorn\" | "
                    "del(.status, .metadata.uid, "
                    ".metadata.resourceVersion%s)' | kubectl replace --force -f -",
                    yk_buf_cstr(&namespace_), kind, yk_buf_cstr(&name),
                    look->subject == YK_SUBJECT_JOB ? ".template.spec" : "",
                    look->subject == YK_SUBJECT_JOB
                        ? ", .spec.selector, .spec.template.metadata.labels[\"controller-uid\", "
                          "\"batch.kubernetes.io/controller-uid\"]"
                        : "");
    else
        yk__command(look, finding, "kubectl -n %s patch %s %s --type merge -p '%s'", yk_buf_cstr(&namespace_),
                    kind, yk_buf_cstr(&name), merge_patch(look));
}

void yk__look_template(const struct yk_look *look)
{
    const json_t *template = template_of(look);
    if (is_controlled(look->object) || !names_yunikorn(yk__at(template, "metadata")) ||
        !is_of_default_scheduler(yk__at(template, "spec")) ||
        yk__is_routed(look->migration, yk__text(look->object, "metadata.namespace")))
        return;
    set_remedy(
        look,
        yk__found(look,
                  "its pods have labels or annotations of YuniKorn and name no scheduler, and no admission "
                  "controller names it for them: kube-scheduler places them outside of all queues"));
}

static bool waits(const json_t *pod)
{
    const char *phase = yk__text(pod, "status.phase");
    return yk__text(pod, "spec.nodeName")[0] == '\0' && (phase[0] == '\0' || strcmp(phase, "Pending") == 0);
}

void yk__look_pod(const struct yk_look *look)
{
    if (!waits(look->object) || is_controlled(look->object) ||
        !names_yunikorn(yk__at(look->object, "metadata")) ||
        !is_of_default_scheduler(yk__at(look->object, "spec")))
        return;
    set_remedy(
        look,
        yk__found(
            look,
            "it waits, has labels or annotations of YuniKorn and names the default scheduler, which will "
            "place it outside of all queues"));
}

/* ---- applications ---- */

static int by_id(const void *a, const void *b)
{
    return strcmp(((const struct yk_known_app *)a)->id, ((const struct yk_known_app *)b)->id);
}

static void for_each_app(const struct yk_look *look,
                         void (*tell)(const struct yk_look *look, const struct yk_known_app *app))
{
    struct yk_vec apps = {0};
    struct yk_known_app *app;
    yk_strmap_foreach (app, &look->migration->apps)
        yk_vec_append(&apps, app);
    yk_vec_sort(&apps, by_id);
    yk_vec_foreach (app, &apps)
        tell(look, app);
    yk_vec_done(&apps);
}

static void tell_shared(const struct yk_look *look, const struct yk_known_app *app)
{
    if (app->other == NULL)
        return;
    struct yk_look at = *look;
    at.name =
        (struct yk_object_name){YK_STR("Application"), yk_str_from(app->namespace_), yk_str_from(app->id)};
    yk__values(&at,
               yk__found(&at,
                         "its pods are in the namespaces '%s' and '%s': here, an application belongs to one "
                         "namespace, and "
                         "pods of others wait",
                         app->namespace_, app->other),
               "--set 'yunikornDefaults.service\\.applicationScope=cluster'");
}

void yk__look_shared_apps(const struct yk_look *look)
{
    const json_t *values = look->migration->values;
    bool is_cluster =
        values != NULL &&
        strcmp(yk__entry(values, "yunikornDefaults", "service.applicationScope"), "cluster") == 0;
    if (!look->migration->scope_is_cluster && !is_cluster)
        for_each_app(look, tell_shared);
}

static void tell_lone(const struct yk_look *look, const struct yk_known_app *app)
{
    if (app->placeholders == 0 || app->real_pods > 0)
        return;
    struct yk_look at = *look;
    at.name =
        (struct yk_object_name){YK_STR("Pod"), yk_str_from(app->namespace_), yk_str_from(app->placeholder)};
    struct yk_finding *finding = yk__found(
        &at,
        "%" PRIu64
        " placeholder%s of application '%s' hold%s capacity, and the application has no other pod; the new "
        "scheduler deletes them when it starts",
        app->placeholders, app->placeholders == 1 ? "" : "s", app->id, app->placeholders == 1 ? "s" : "");
    YK_CLEANUP(yk_buf_done) struct yk_buf namespace_ = {0};
    YK_CLEANUP(yk_buf_done) struct yk_buf selector = {0};
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    if (app->label == NULL)
        return; /* no selector finds the id in an annotation */
    yk_shell_word(&namespace_, yk_str_from(app->namespace_));
    yk_buf_printf(&text, "%s=%s", app->label, app->id);
    yk_shell_word(&selector, yk_buf_view(&text));
    /* Pods that have ended, such as a driver with its log, are not only placeholders. */
    yk__command(
        &at, finding,
        "kubectl -n %s delete pods -l %s --field-selector status.phase!=Succeeded,status.phase!=Failed",
        yk_buf_cstr(&namespace_), yk_buf_cstr(&selector));
}

void yk__look_lone_placeholders(const struct yk_look *look)
{
    for_each_app(look, tell_lone);
}
