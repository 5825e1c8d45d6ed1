/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Labels whose value few other pods have: packed behind one pointer of the pod, where they cost their text.
 *
 * Which keys are kept so is decided by the books (label_keys.c). The key's name is held by whoever packs.
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

/* One after the other, `*at` being 0 at first; false at the end. NULL has none. */
bool yk_own_labels_next(const struct yk_own_labels *labels, size_t *at, struct yk_own_label *ret);
/* Adds one to what is being packed. False: it does not fit there, nothing was added. */
bool yk_own_labels_pack(struct yk_buf *packed, yk_name key, struct yk_str value);
/* Of packed ones; NULL for none. free() it. */
struct yk_own_labels *yk_own_labels_new(const struct yk_buf *packed);
bool yk_own_labels_are(const struct yk_own_labels *labels, const struct yk_buf *packed);

#endif
