/* SPDX-License-Identifier: Apache-2.0 */
#include "migrate/migration_priv.h"

#include <inttypes.h>

static struct yk_look about(const struct yk_look *look, const struct yk_known_scheduler *scheduler)
{
    struct yk_look at = *look;
    at.name = (struct yk_object_name){YK_STR("Deployment"), yk_str_from(scheduler->namespace_),
                                      yk_str_from(scheduler->name)};
    return at;
}

static void set_end(const struct yk_look *look, struct yk_finding *finding,
                    const struct yk_known_scheduler *scheduler)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf namespace_ = {0};
    YK_CLEANUP(yk_buf_done) struct yk_buf name = {0};
    yk_shell_word(&namespace_, yk_str_from(scheduler->namespace_));
    yk_shell_word(&name, yk_str_from(scheduler->name));
    yk__command(look, finding, "kubectl -n %s scale deployment %s --replicas=0", yk_buf_cstr(&namespace_),
                yk_buf_cstr(&name));
}

static bool is_at_home(const struct yk_migration *migration, const struct yk_known_scheduler *scheduler)
{
    return strcmp(scheduler->namespace_, migration->namespace_) == 0 &&
           strcmp(scheduler->name, "yunikorn-scheduler") == 0;
}

void yk__look_schedulers(const struct yk_look *look)
{
    const struct yk_migration *migration = look->migration;
    for (size_t i = 0; i < migration->scheduler_count && migration->scheduler_count > 1; i++) {
        const struct yk_known_scheduler *scheduler = &migration->schedulers[i];
        if (is_at_home(migration, scheduler))
            continue;
        struct yk_look at = about(look, scheduler);
        set_end(&at,
                yk__found(
                    &at,
                    "it is one of %zu schedulers with the name 'yunikorn': they place pods on the same nodes "
                    "independently of each other",
                    migration->scheduler_count),
                scheduler);
    }
}

void yk__look_no_scheduler(const struct yk_look *look)
{
    const struct yk_migration *migration = look->migration;
    if (!migration->saw_schedulers || migration->scheduler_count > 0 || migration->waiting_pods == 0)
        return;
    struct yk_look at = *look;
    at.name.kind = YK_STR("Pod");
    struct yk_finding *finding =
        yk__found(&at, "%" PRIu64 " pod%s wait%s for the scheduler 'yunikorn', and no Deployment runs one",
                  migration->waiting_pods, migration->waiting_pods == 1 ? "" : "s",
                  migration->waiting_pods == 1 ? "s" : "");
    YK_CLEANUP(yk_buf_done) struct yk_buf namespace_ = {0};
    yk_shell_word(&namespace_, yk_str_from(migration->namespace_));
    yk__command(&at, finding, "kubectl -n %s scale deployment yunikorn-scheduler --replicas=1",
                yk_buf_cstr(&namespace_));
}

void yk__look_old_scheduler(const struct yk_look *look)
{
    const struct yk_migration *migration = look->migration;
    for (size_t i = 0; i < migration->scheduler_count; i++) {
        const struct yk_known_scheduler *scheduler = &migration->schedulers[i];
        if (scheduler->is_ours || !is_at_home(migration, scheduler))
            continue;
        struct yk_look at = about(look, scheduler);
        set_end(
            &at,
            yk__found(
                &at,
                "it runs %s; `helm upgrade` ends it before the new schedulers start, tools that apply the "
                "output of `helm template` need the command first",
                scheduler->image),
            scheduler);
    }
}

void yk__look_plugin(const struct yk_look *look)
{
    const struct yk_migration *migration = look->migration;
    for (size_t i = 0; i < migration->scheduler_count; i++) {
        const struct yk_known_scheduler *scheduler = &migration->schedulers[i];
        if (!scheduler->is_plugin)
            continue;
        struct yk_look at = about(look, scheduler);
        yk__values(
            &at,
            yk__found(
                &at,
                "it runs in plugin mode, which does not exist here: all pods that name 'yunikorn' are in "
                "queues, also those without an application"),
            "--set enableSchedulerPlugin=false");
    }
}
