/* SPDX-License-Identifier: Apache-2.0 */
/* AdmissionReviews as an API server sends them, and what the reviewer answers. */
#ifndef YK_TEST_ADMISSION_REVIEW_H
#define YK_TEST_ADMISSION_REVIEW_H

#include "admission/reviewer.h"

#include <jansson.h>

struct review_case {
    const char *operation, *group, *version, *kind, *namespace_; /* NULL: CREATE, "", v1, Pod, dev */
    const char *user, *groups;                                   /* NULL: "alice", ["staff"] */
    const char *object, *old;                                    /* JSON; NULL: null */
    bool dry_run;
};

struct answer {
    json_t *review; /* owned */
    json_t *object; /* with the patch applied; NULL if denied. Owned */
    bool allowed;
    bool patched;
    const char *reason; /* "" if there is none. Borrowed */
    const char *uid;    /* borrowed */
};

struct yk_reviewer *new_reviewer(void); /* of the namespace yunikorn */
/* Sets one or more settings: yunikorn-configs with this `data` (JSON). */
void put_configs(struct yk_reviewer *reviewer, const char *data);
void put_defaults(struct yk_reviewer *reviewer, const char *data);
void put_namespace(struct yk_reviewer *reviewer, const char *name, const char *annotations);
void put_class(struct yk_reviewer *reviewer, const char *name, const char *annotations);
/* Fails the test if the answer is no AdmissionReview or its patch does not apply. */
struct answer review(struct yk_reviewer *reviewer, enum yk_review_path path, const struct review_case *one);
struct answer review_text(struct yk_reviewer *reviewer, enum yk_review_path path, struct yk_str body);
void answer_done(struct answer *answer);
/* Fails the test, naming `what`, unless `answer` is as wanted: `denied` NULL: allowed, otherwise the reason.
 * `object` (JSON) NULL: no patch. */
void expect(const char *what, const struct answer *answer, const char *denied, const char *object);

/* Fails the test, naming `what`, unless a review of the patched object allows it as it is. */
void expect_same_again(const char *what, struct yk_reviewer *reviewer, const struct review_case *one,
                       const struct answer *answer);
/* Reviews for mutation and fails the test, naming `what`, unless the answer is as wanted, as in expect(), and a second
 * review of the patched object changes nothing. */
void expect_mutation(const char *what, struct yk_reviewer *reviewer, const struct review_case *one,
                     const char *denied, const char *object);

#endif
