/* SPDX-License-Identifier: Apache-2.0 */
#include "app/kin.h"

#include "app/apps_priv.h"

static enum yk_status find_app(struct yk_apps *apps, const struct yk_pod *pod, struct yk_application **ret,
                               struct yk_err *err)
{
    char id[YK_SI_APPLICATION_ID_MAX + 1];
    enum yk_status st = yk_pod_application_id(pod, apps->unique_ids, id, err);
    if (st == YK_OK)
        *ret = yk__application_for(apps, id, pod->object.namespace_);
    return st;
}

/* All but its application. */
static struct yk_kin find_out(struct yk_apps *apps, const struct yk_pod *pod)
{
    struct yk_blobs *blobs = &apps->cache->blobs;
    return (struct yk_kin){
        .app_details = yk_pod_app_details(blobs, pod, apps->with_gangs, &apps->scratch),
        .ask_details = yk_pod_ask_details(blobs, pod, &apps->scratch),
        .preemptible = yk_pod_preemptible(pod),
        .may_preempt = yk_pod_may_preempt(pod),
        .is_placeholder = yk_pod_is_placeholder(pod),
        .has_placeholder_name = yk_pod_has_placeholder_name(pod),
    };
}

static void forget_what_is_old(struct yk_apps *apps)
{
    struct yk_kinship *kinship = &apps->kinship;
    if (kinship->freed_blobs == apps->cache->blobs.freed && kinship->unique_ids == apps->unique_ids &&
        kinship->with_gangs == apps->with_gangs)
        return;
    yk_memo_forget(&kinship->by_likeness);
    kinship->freed_blobs = apps->cache->blobs.freed;
    kinship->unique_ids = apps->unique_ids;
    kinship->with_gangs = apps->with_gangs;
}

static const struct yk_kin *remembered(struct yk_apps *apps, const struct yk_pod *pod)
{
    forget_what_is_old(apps);
    const struct yk_kin *kin = yk_memo_get(&apps->kinship.by_likeness, pod->likeness);
    return kin != NULL && kin->has_placeholder_name == yk_pod_has_placeholder_name(pod) ? kin : NULL;
}

static void remember(struct yk_apps *apps, const struct yk_pod *pod, const struct yk_kin *kin)
{
    struct yk_kinship *kinship = &apps->kinship;
    struct yk_memo_slot *slot = yk_memo_take(&kinship->by_likeness, pod->likeness);
    if (slot == NULL)
        return;
    if (kinship->all == NULL)
        kinship->all = yk_new0_array(struct yk_kin, YK_MEMO_SLOTS);
    struct yk_kin *place = &kinship->all[slot - kinship->by_likeness.slots];
    *place = *kin;
    if (!yk_pod_shares_application(pod, apps->unique_ids))
        place->app = NULL;
    slot->value = place;
}

enum yk_status yk__kin_get(struct yk_apps *apps, const struct yk_pod *pod, struct yk_kin *ret,
                           struct yk_err *err)
{
    const struct yk_kin *there = remembered(apps, pod);
    struct yk_application *app = there != NULL ? there->app : NULL;
    enum yk_status st = app != NULL ? YK_OK : find_app(apps, pod, &app, err);
    if (st != YK_OK)
        return st;
    *ret = there != NULL ? *there : find_out(apps, pod);
    ret->app = app;
    if (there == NULL) {
        remember(apps, pod, ret);
    } else {
        yk_blob_ref(ret->app_details);
        yk_blob_ref(ret->ask_details);
    }
    return YK_OK;
}

void yk__kinship_done(struct yk_kinship *kinship)
{
    yk_memo_done(&kinship->by_likeness);
    free(kinship->all);
    *kinship = (struct yk_kinship){.all = NULL};
}
