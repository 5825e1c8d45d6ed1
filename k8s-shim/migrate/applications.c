/* SPDX-License-Identifier: Apache-2.0 */
/* Applications, as their pods describe them: their namespaces, and whether a gang has pods besides
 * placeholders. */
#include "api/pod_keys.h"
#include "migrate/migration_priv.h"

enum { APP_ID_MAX = 512 }; /* bytes; pods with a longer id are not added to an application */

/* The application id of the pod, from the first label or annotation that has one (P02 in
 * docs/reference/kubernetes.md). "" for a pod without an id. `*ret_label`: the label; NULL for an annotation. */
static const char *app_id_of(const json_t *pod, const char **ret_label)
{
    static const struct {
        const char *map, *key;
    } sources[] = {{"metadata.labels", YK_KEY_APP_ID},
                   {"metadata.annotations", YK_KEY_APP_ID},
                   {"metadata.labels", YK_KEY_OLD_APP_ID},
                   {"metadata.labels", YK_KEY_SPARK}};
    for (size_t i = 0; i < YK_COUNT(sources); i++) {
        const char *id = yk__entry(pod, sources[i].map, sources[i].key);
        *ret_label = strcmp(sources[i].map, "metadata.labels") == 0 ? sources[i].key : NULL;
        if (id[0] != '\0')
            return id;
    }
    return "";
}

static bool is_placeholder(const json_t *pod)
{
    return strcmp(yk__entry(pod, "metadata.annotations", YK_KEY_PLACEHOLDER), "true") == 0 ||
           (strcmp(yk__entry(pod, "metadata.annotations", YK_KEY_OLD_PLACEHOLDER), "true") == 0 &&
            strncmp(yk__entry(pod, "metadata.annotations", YK_KEY_TASK_GROUP_NAME), "tg-", 3) == 0);
}

static bool has_ended(const json_t *pod)
{
    const char *phase = yk__text(pod, "status.phase");
    return strcmp(phase, "Succeeded") == 0 || strcmp(phase, "Failed") == 0;
}

/* NULL: the application is not known, and YK_MIGRATE_APPLICATIONS_MAX others are. */
static struct yk_known_app *find_or_add(struct yk_migration *migration, const char *id,
                                        const char *namespace_)
{
    struct yk_known_app *app = yk_strmap_get(&migration->apps, yk_str_from(id));
    if (app != NULL || migration->apps.count >= YK_MIGRATE_APPLICATIONS_MAX)
        return app;
    app = yk_new0(struct yk_known_app);
    app->id = yk_strdup(id);
    app->namespace_ = yk_strdup(namespace_);
    (void)yk_strmap_put(&migration->apps, yk_str_from(app->id), app); /* the key is new */
    return app;
}

static void count_pod(struct yk_known_app *app, const json_t *pod, const char *label)
{
    const char *namespace_ = yk__text(pod, "metadata.namespace");
    if (app->other == NULL && strcmp(app->namespace_, namespace_) != 0)
        app->other = yk_strdup(namespace_);
    if (!is_placeholder(pod)) {
        app->real_pods++;
        return;
    }
    app->placeholders++;
    if (app->placeholder != NULL)
        return;
    app->placeholder = yk_strdup(yk__text(pod, "metadata.name"));
    app->label = label;
}

void yk__app_take_pod(struct yk_migration *migration, const json_t *pod)
{
    const char *label, *id = app_id_of(pod, &label);
    if (strcmp(yk__text(pod, "spec.schedulerName"), "yunikorn") != 0 || has_ended(pod))
        return;
    if (yk__text(pod, "spec.nodeName")[0] == '\0')
        migration->waiting_pods++;
    if (id[0] == '\0' || strlen(id) > APP_ID_MAX)
        return;
    struct yk_known_app *app = find_or_add(migration, id, yk__text(pod, "metadata.namespace"));
    if (app != NULL)
        count_pod(app, pod, label);
}
