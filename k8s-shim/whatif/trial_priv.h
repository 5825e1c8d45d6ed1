/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of a trial, which trial.c fills and answer.c writes.
 * Thread: scheduling thread only.
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

struct yk_trial_pod {              /* of the question, or a placeholder that the scheduler created */
    struct json_t *tree;           /* owned; as the API server has it now */
    const char *namespace_, *name; /* in the tree */
    bool is_placeholder;
    bool has_started, has_failed, is_gone; /* is_gone: it has failed, or its deletion was requested */
    int64_t after_ns;                      /* from the beginning until it has a node */
    char *node;                            /* owned; NULL: it has none yet */
    char *reason,
        *message; /* owned; why it waits or failed, as the scheduler says it last; NULL: it did not */
};

struct yk_trial_other {                                         /* a pod that was there before */
    char *namespace_, *name, *uid, *application, *queue, *node; /* owned; queue may be NULL */
    int64_t after_ns;
};

struct yk_whatif_trial {
    const struct yk_whatif_stage *stage;
    struct yk_whatif_question question;
    struct yk_trial_api api;
    struct yk_apps *apps;
    int64_t begin_mono_ns;      /* of the clock that stands still */
    int64_t real_until_mono_ns; /* of the real one: then the trial ends with what it has */
    uint64_t version;
    struct yk_vec pods;                           /* struct yk_trial_pod */
    struct yk_strmap by_key;                      /* the same; "<namespace>/<name>" */
    struct yk_vec victims;                        /* struct yk_trial_other: ended by the scheduler */
    struct yk_vec started;                        /* the same: got a node */
    struct yk_vec lost;                           /* the same: on the node that was removed */
    struct yk_list leaving;                       /* pods that are being deleted */
    size_t more_victims, more_started, more_lost; /* beyond YK_TRIAL_LISTED_MAX */
    bool ran_out;                                 /* of real time */
    uint64_t refused_before;                      /* configurations */
    char *refusal;                                /* owned; why the configuration is refused */
    const void *queues_before;
};

/* Appends the whole answer as JSON. */
void yk__trial_answer(struct yk_whatif_trial *trial, struct yk_buf *answer);

#endif
