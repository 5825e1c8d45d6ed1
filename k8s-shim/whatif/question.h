/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A what-if question: the body of the request, JSON or YAML, as a checked struct. The body may also be a
 * manifest of a Pod, Job, Node or ConfigMap, or the text of queues.yaml. The objects of a question are trees
 * of JSON. The functions of whatif/manifest.h check these trees when they read them.
 *
 * Thread: any; nothing is shared.
 * Source: docs/whatif.md, "Questions".
 */
#ifndef YK_WHATIF_QUESTION_H
#define YK_WHATIF_QUESTION_H

#include "base/str.h"

struct json_t;

enum {
    YK_WHATIF_BODY_MAX = 4 << 20, /* bytes of the body */
    YK_WHATIF_PODS_MAX = 1000,    /* pods that one question may add */
    YK_WHATIF_HORIZON_S = 60,     /* the default of `horizonSeconds` */
    YK_WHATIF_HORIZON_S_MAX = 3600,
    YK_WHATIF_GROUPS_MAX = 256, /* groups of the user of a question */
};

enum yk_whatif_kind {
    YK_WHATIF_POD,
    YK_WHATIF_JOB,
    YK_WHATIF_GANG,
    YK_WHATIF_NODE,
    YK_WHATIF_QUEUES,
};
enum { YK_WHATIF_KIND_COUNT = YK_WHATIF_QUEUES + 1 };

enum yk_whatif_node_action {
    YK_WHATIF_ADD,
    YK_WHATIF_REMOVE,
    YK_WHATIF_CORDON,
    YK_WHATIF_UNCORDON,
    YK_WHATIF_RESIZE,
};

struct yk_whatif_question {
    struct json_t *root; /* owned; the members below borrow from it */
    enum yk_whatif_kind kind;
    enum yk_whatif_node_action action; /* for YK_WHATIF_NODE */
    struct json_t *object;             /* the manifest of the pod or node; NULL for YK_WHATIF_QUEUES */
    struct json_t *task_groups;        /* for YK_WHATIF_GANG; NULL: they are in the annotation of the pod */
    struct yk_str queues;              /* for YK_WHATIF_QUEUES: the text of queues.yaml */
    uint32_t count;                    /* number of pods, at least 1 */
    int64_t horizon_ns;                /* how far the trial moves the clock at most */
    const char *user;                  /* who submits the pods, whatever user.info says; NULL: not given */
    const char *groups[YK_WHATIF_GROUPS_MAX]; /* of `user` */
    size_t group_count;
};

/* The word for a kind, such as "pod". Static text. */
const char *yk_whatif_kind_word(enum yk_whatif_kind kind);
/*
 * Parses a question. `*ret` borrows nothing from `body`. The caller ends `*ret` with
 * yk_whatif_question_done(). Manifests are only checked to be objects; yk_whatif_check() checks
 * more. Errors: YK_ERR_INVALID: `body` is
 * malformed; YK_ERR_LIMIT: `body` is too large or nested too deeply, a number is not in its range, or there
 * are too many groups. After an error, the caller need not end `*ret`.
 */
YK_NODISCARD enum yk_status yk_whatif_question_parse(struct yk_str body, struct yk_whatif_question *ret,
                                                     struct yk_err *err);
void yk_whatif_question_done(struct yk_whatif_question *question);

#endif
