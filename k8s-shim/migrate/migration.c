/* SPDX-License-Identifier: Apache-2.0 */
#include "migrate/migration_priv.h"

#include "api/json_reader.h"

struct yk_migration *yk_migration_new(const char *namespace_, const char *release)
{
    struct yk_migration *migration = yk_new0(struct yk_migration);
    migration->namespace_ = yk_strdup(namespace_);
    migration->release = yk_strdup(release);
    yk_admission_settings_init(&migration->admission);
    return migration;
}

static void free_app(struct yk_known_app *app)
{
    free(app->id);
    free(app->namespace_);
    free(app->other);
    free(app->placeholder);
    free(app);
}

void yk_migration_free(struct yk_migration *migration)
{
    struct yk_known_app *app;
    if (migration == NULL)
        return;
    yk_strmap_foreach (app, &migration->apps)
        free_app(app);
    yk_strmap_done(&migration->apps);
    yk_marks_done(&migration->namespaces);
    yk_admission_settings_done(&migration->admission);
    yk_findings_done(&migration->findings);
    yk_arena_done(&migration->arena);
    json_decref(migration->values);
    free(migration->namespace_);
    free(migration->release);
    free(migration);
}

struct yk_findings *yk_migration_findings(struct yk_migration *migration)
{
    return &migration->findings;
}

/* ---- checks ---- */

static void run_checks(struct yk_look *look)
{
    for (size_t i = 0; i < yk_check_count; i++) {
        look->check = &yk_checks[i];
        if ((look->check->subjects & (1u << look->subject)) != 0)
            look->check->look(look);
    }
}

static void look_at(struct yk_migration *migration, enum yk_subject subject, const char *kind,
                    const json_t *object)
{
    struct yk_look look = {
        .migration = migration,
        .subject = subject,
        .object = object,
        .name = {.kind = yk_str_from(kind),
                 .namespace_ = yk_str_from(yk__text(object, "metadata.namespace")),
                 .name = yk_str_from(yk__text(object, "metadata.name"))},
    };
    run_checks(&look);
}

enum yk_status yk_migration_take(struct yk_migration *migration, enum yk_subject subject, const char *kind,
                                 struct yk_str json, struct yk_err *err)
{
    json_t *object = NULL;
    enum yk_status st = yk_json_parse(json, &object, err);
    if (st != YK_OK)
        return st;
    if (json_is_object(object)) {
        kind = kind != NULL ? kind : yk_subject_kind(subject);
        yk__learn(migration, subject, kind, object);
        look_at(migration, subject, kind, object);
    } else {
        st = yk_fail(err, YK_ERR_INVALID, "not an object");
    }
    json_decref(object);
    return st;
}

void yk_migration_end(struct yk_migration *migration, bool saw_schedulers)
{
    migration->saw_schedulers = saw_schedulers;
    look_at(migration, YK_SUBJECT_END, "", NULL);
}
