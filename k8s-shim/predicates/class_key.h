/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The canonical form of what makes a scheduling class: two pods get the same bytes exactly when their
 * tolerations, node name, node selector and required node affinity say the same, in whatever order they say
 * it. Source: docs/reference/predicates.md 7.1.
 */
#ifndef YK_PREDICATES_CLASS_KEY_H
#define YK_PREDICATES_CLASS_KEY_H

#include "api/object.h"

/* Scratch memory, kept from pod to pod. */
struct yk_class_key {
    struct yk_buf bytes; /* the answer */
    struct yk_buf spare;
    struct part *parts; /* owned */
    size_t part_count, part_capacity;
};

void yk_class_key_done(struct yk_class_key *key);
/* Fills key->bytes anew. */
void yk_class_key_make(struct yk_class_key *key, const struct yk_pod *pod);

#endif
