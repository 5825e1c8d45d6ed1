/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of a trial. trial.c fills it, and answer.c makes the answer of it.
 *
 * Thread: the one of the copy. Nothing is freed, because the process ends after the trial.
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

/* A pod of the question, or a placeholder that the scheduler created in the trial. */
struct yk_trial_pod {
    struct json_t *tree;           /* owned: its present version */
    const char *namespace_, *name; /* borrowed from the tree */
    bool is_placeholder;
    bool has_started; /* it got a node */
    bool has_failed;
    bool is_gone;     /* it has failed, or its deletion was requested */
    int64_t after_ns; /* from the beginning of the trial until it got a node */
    char *node;       /* owned; NULL: it has none yet */
    /* Owned: why it waits or has failed, by the last report of the scheduler; NULL: there is none. */
    char *reason, *message;
};

/* A pod that existed before the trial. */
struct yk_trial_other {
    char *namespace_, *name, *uid, *application, *queue, *node; /* owned; queue NULL: it is not known */
    int64_t after_ns; /* from the beginning of the trial until the event of its list */
};

struct yk_whatif_trial {
    const struct yk_whatif_stage *stage;
    struct yk_whatif_question question;
    struct yk_trial_api api;
    struct yk_apps *apps;
    int64_t begin_mono_ns;                        /* time of the frozen clock at the beginning */
    int64_t real_until_mono_ns;                   /* real time at which the trial answers with what it has */
    uint64_t version;                             /* the last resource version */
    struct yk_vec pods;                           /* struct yk_trial_pod */
    struct yk_strmap by_key;                      /* the same, by "<namespace>/<name>" */
    struct yk_vec victims;                        /* struct yk_trial_other: pods that were preempted */
    struct yk_vec started;                        /* struct yk_trial_other: waiting pods that got a node */
    struct yk_vec lost;                           /* struct yk_trial_other: pods on the removed node */
    struct yk_list leaving;                       /* struct leaving of trial.c: pods that are being deleted */
    size_t more_victims, more_started, more_lost; /* pods beyond YK_TRIAL_LISTED_MAX of each list */
    bool ran_out;                                 /* the real time was over before the horizon */
    uint64_t refused_before;                      /* number of refused configurations at the beginning */
    char *refusal;                                /* owned: why the configuration is refused, or NULL */
    const void *queues_before;                    /* of remember() of struct yk_whatif_core; NULL: none */
};

/* Writes to `answer`, which is empty, the status 200 and the answer as JSON; if it does not fit, the status
 * 500 and a sentence. */
void yk__trial_answer(struct yk_whatif_trial *trial, struct yk_buf *answer);

#endif
