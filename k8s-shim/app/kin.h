/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the tasks of pods that are alike (api/likeness.h) have in common, found out once.
 *
 * Thread:    scheduling thread only.
 * Invariant: what is remembered is what looking at any of the pods would give. Nothing in it is counted, so
 * it is forgotten when an application or a shared text is freed, and when a setting changes that it follows
 * from. What a priority class says is not part of it.
 */
#ifndef YK_APP_KIN_H
#define YK_APP_KIN_H

#include "app/pod_to_ask.h"
#include "base/memo.h"

struct yk_application;

struct yk_kin {
    struct yk_application *app;
    struct yk_blob *app_details, *ask_details;
    enum yk_preemptible preemptible;
    bool may_preempt, is_placeholder;
    bool has_placeholder_name; /* the one thing that decides about it and that the likeness does not say */
};

struct yk_kinship {
    struct yk_memo by_likeness; /* struct yk_kin, in `all`; without `app`: each pod is of another one */
    struct yk_kin *all;         /* owned; each at the number of its slot */
    /* As of which it holds: */
    uint64_t freed_blobs;
    bool unique_ids, with_gangs;
};

struct yk_apps;

/*
 * What makes the task of a pod; the details are counted, for the caller. The application is made if need be.
 * Errors: YK_ERR_LIMIT, as of yk_pod_application_id().
 */
YK_NODISCARD enum yk_status yk__kin_get(struct yk_apps *apps, const struct yk_pod *pod, struct yk_kin *ret,
                                        struct yk_err *err);
void yk__kinship_done(struct yk_kinship *kinship);

#endif
