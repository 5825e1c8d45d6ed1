/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of a trial. trial.c sets it, and answer.c makes the answer from it.
 *
 * Thread: the thread of the copy. Nothing is freed, because the process ends after the trial.
 */
#ifndef YK_WHATIF_TRIAL_PRIV_H
#define YK_WHATIF_TRIAL_PRIV_H

#include "app/apps.h"
#include "base/list.h"
#include "base/map.h"
#include "base/vec.h"
#include "whatif/question.h"
#include "whatif/trial.h"
#include "whatif/trial_api.h"

enum { YK_TRIAL_LISTED_MAX = 1000 }; /* entries of each list of the answer */

/* A pod of the question, or a placeholder that the scheduler created in the trial, for any application. */
struct yk_trial_pod {
    struct json_t *tree;           /* owned: the present version of the pod */
    const char *namespace_, *name; /* borrowed from the tree */
    bool is_placeholder;
    bool has_started; /* it got a node */
    bool has_failed;
    bool is_gone;     /* it has failed, or its deletion was requested */
    int64_t after_ns; /* time from the beginning of the trial until the pod got a node */
    char *node;       /* owned; NULL: the pod has no node yet */
    /* Owned: why the pod waits or has failed, as the scheduler reported last; NULL: there is no report. */
    char *reason, *message;
};

/* A pod that existed before the trial. */
struct yk_trial_other {
    char *namespace_, *name, *uid, *application, *queue, *node; /* owned; `queue` NULL: it is not known */
    int64_t after_ns; /* time from the beginning of the trial until the pod was added to its list */
};

struct yk_whatif_trial {
    const struct yk_whatif_stage *stage;
    struct yk_whatif_question question;
    struct yk_trial_api api;
    struct yk_apps *apps;
    int64_t begin_mono_ns;      /* time of the frozen clock at the beginning */
    int64_t real_until_mono_ns; /* real time at which the trial answers with what it has */
    uint64_t version;           /* the last resource version */
    struct yk_vec pods;         /* struct yk_trial_pod */
    struct yk_strmap by_key;    /* struct yk_trial_pod by "<namespace>/<name>" */
    struct yk_vec victims;      /* struct yk_trial_other: pods that were preempted */
    struct yk_vec started;      /* struct yk_trial_other: waiting pods that got a node */
    struct yk_vec lost;         /* struct yk_trial_other: pods on the removed node */
    /* struct yk_trial_other: pods on the resized node for which its new size has no capacity left after older
     * pods. The scheduler lets them run. */
    struct yk_vec unfit;
    struct yk_resvec overcommitted; /* what the pods on the resized node use above its new size */
    struct yk_strmap waiting_uids;  /* of pods without a node at the beginning; the values are not used */
    size_t waiting;                 /* of these, pods that got none, also if they were deleted in the trial */
    struct yk_list leaving;         /* struct leaving of trial.c: pods that are being deleted */
    /* pods beyond YK_TRIAL_LISTED_MAX of each list */
    size_t more_victims, more_started, more_lost, more_unfit;
    bool ran_out;                             /* the real time for the trial is used up */
    uint64_t refused_before;                  /* number of refused configurations at the beginning */
    char *refusal;                            /* owned: why the configuration is refused; may be NULL */
    const struct yk_application *application; /* of the pods of the question; NULL: there is none */
    const void *queues_before;                /* result of remember() of struct yk_whatif_core, or NULL */
};

/* Writes the status 200 and the answer as JSON to `answer`, which is empty. If the answer is too large,
 * writes the status 500 and a sentence instead. */
void yk__trial_answer(struct yk_whatif_trial *trial, struct yk_buf *answer);

#endif
