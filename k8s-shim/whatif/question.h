/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A what-if question: the body of the request, JSON or YAML, as a checked struct. A manifest of a Pod, Job,
 * Node or ConfigMap, or queues.yaml, stands for the question about it. Objects in a question are still trees
 * of JSON; what is wrong with one of them is found when it is read (whatif/manifest.h).
 *
 * Thread: any; nothing is shared.
 * Source: docs/whatif.md, "Questions".
 */
#ifndef YK_WHATIF_QUESTION_H
#define YK_WHATIF_QUESTION_H

#include "base/str.h"

struct json_t;

enum {
    YK_WHATIF_BODY_MAX = 4 << 20, /* bytes */
    YK_WHATIF_PODS_MAX = 1000,    /* that one question may add */
    YK_WHATIF_HORIZON_S = 60,     /* unless the question says another one */
    YK_WHATIF_HORIZON_S_MAX = 3600,
    YK_WHATIF_GROUPS_MAX = 256, /* of the user of a question */
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
    struct json_t *root; /* owned; the rest borrows from it */
    enum yk_whatif_kind kind;
    enum yk_whatif_node_action action; /* of NODE */
    struct json_t *object;             /* the pod's or the node's manifest; NULL: QUEUES */
    struct json_t *task_groups;        /* of GANG; NULL: the pod's annotation has them */
    struct yk_str queues;              /* of QUEUES: queues.yaml */
    uint32_t count;                    /* pods, at least 1 */
    int64_t horizon_ns;                /* how far the clock is moved at most */
    const char *user;                  /* who submits the pods; NULL: what they say */
    const char *groups[YK_WHATIF_GROUPS_MAX];
    size_t group_count;
};

/* "pod", "job", ...; static. */
const char *yk_whatif_kind_word(enum yk_whatif_kind kind);
/*
 * Parses a question. The caller ends `*ret` with yk_whatif_question_done(). Errors: YK_ERR_INVALID,
 * YK_ERR_LIMIT; the sentence names the member of the body. Then `*ret` is empty.
 */
YK_NODISCARD enum yk_status yk_whatif_question_parse(struct yk_str body, struct yk_whatif_question *ret,
                                                     struct yk_err *err);
void yk_whatif_question_done(struct yk_whatif_question *question);

#endif
