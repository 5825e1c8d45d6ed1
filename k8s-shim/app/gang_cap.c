/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits the number of placeholders of a namespace (service.maxPlaceholdersPerNamespace), so that one
 * annotation cannot create an unlimited number of pods. A gang is admitted as a whole, before its first
 * placeholder is created. While an admitted gang waits for its placeholders (yk__gang_reserves()), at least
 * all of its members count. Otherwise, only the live placeholders of its application count.
 *
 * Source: docs/reference/kubernetes.md, "Gangs", "How many".
 */
#include "app/apps_priv.h"

struct usage {
    char *namespace_; /* owned */
    uint64_t members; /* the sum of gang->charged of its gangs */
};

static struct usage *usage_of(struct yk_apps *apps, const char *namespace_)
{
    struct usage *usage = yk_strmap_get(&apps->gang_members, yk_str_from(namespace_));
    if (usage != NULL)
        return usage;
    usage = yk_new0(struct usage);
    usage->namespace_ = yk_strdup(namespace_);
    (void)yk_strmap_put(&apps->gang_members, yk_str_from(usage->namespace_), usage); /* the key is new */
    return usage;
}

static void charge(struct yk_apps *apps, struct yk_app_gang *gang, uint32_t members)
{
    if (members == gang->charged)
        return;
    struct usage *usage = usage_of(apps, gang->namespace_);
    usage->members += members;
    usage->members -= gang->charged;
    gang->charged = members;
    if (usage->members > 0)
        return;
    (void)yk_strmap_remove(&apps->gang_members, yk_str_from(usage->namespace_)); /* the result is `usage` */
    free(usage->namespace_);
    free(usage);
}

void yk__gang_recharge(struct yk_apps *apps, struct yk_application *app)
{
    struct yk_app_gang *gang = app->gang;
    if (gang == NULL)
        return;
    bool counts_whole = gang->admitted && yk__gang_reserves(gang);
    charge(apps, gang,
           counts_whole ? YK_MAX(gang->groups.members, app->live_placeholders) : app->live_placeholders);
}

void yk__gang_uncharge(struct yk_apps *apps, struct yk_app_gang *gang)
{
    charge(apps, gang, 0);
}

bool yk__gang_exceeds_cap(const struct yk_apps *apps, const struct yk_app_gang *gang)
{
    return apps->placeholders_max > 0 && gang->groups.members > apps->placeholders_max;
}

bool yk__gang_admit(struct yk_apps *apps, struct yk_app_gang *gang)
{
    const struct usage *usage = yk_strmap_get(&apps->gang_members, yk_str_from(gang->namespace_));
    uint64_t others = usage != NULL ? usage->members - gang->charged : 0;
    bool fits = apps->placeholders_max == 0 || others + gang->groups.members <= apps->placeholders_max;
    /* A gang that has placeholders was admitted earlier, for example before a restart of this process. */
    gang->admitted = gang->admitted || fits || gang->app->live_placeholders > 0;
    yk__gang_recharge(apps, gang->app);
    return gang->admitted;
}
