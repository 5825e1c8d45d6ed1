/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Labels whose value few other pods have, packed behind one pointer of the pod.
 *
 * label_keys.c decides which keys are stored this way. The caller that packs a label holds the name of its
 * key.
 *
 * Thread: scheduling thread only.
 */
#ifndef YK_PREDICATES_OWN_LABELS_H
#define YK_PREDICATES_OWN_LABELS_H

#include "base/name.h"

struct yk_own_labels {
    uint16_t len; /* of the bytes */
    char bytes[]; /* for each: id of the key, length of the value, value, NUL */
};

struct yk_own_label {
    yk_name key;
    struct yk_str value; /* terminated */
};

/* Sets `*ret` to the next label, borrowed from `labels`; `*at` is 0 at first. False at the end. `labels` may
 * be NULL: no labels. */
bool yk_own_labels_next(const struct yk_own_labels *labels, size_t *at, struct yk_own_label *ret);
/* Appends a label. False: it is too long, nothing was appended. */
bool yk_own_labels_pack(struct yk_buf *packed, yk_name key, struct yk_str value);
/* Makes labels from packed ones, which are copied; NULL if there are none. The caller frees them with
 * free(). */
struct yk_own_labels *yk_own_labels_new(const struct yk_buf *packed);
/* Whether `labels` (NULL: none) equal those in `packed`. */
bool yk_own_labels_are(const struct yk_own_labels *labels, const struct yk_buf *packed);

#endif
