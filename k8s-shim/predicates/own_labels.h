/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Own labels of a pod: labels that the pod stores itself, in one block of memory, and not in its profile.
 *
 * label_keys.c decides which keys are stored this way: those whose values few pods share, and those that
 * number the pods of a set, unless a rule that is matched with profiles refers to the key. The block has the
 * ids of keys, but no references to their names. The records of the keys (struct yk_label_key) hold the names
 * for as long as pods have the labels.
 *
 * Thread: scheduling thread only.
 */
#ifndef YK_PREDICATES_OWN_LABELS_H
#define YK_PREDICATES_OWN_LABELS_H

#include "base/name.h"

struct yk_own_labels {
    uint16_t len; /* of `bytes` */
    char bytes[]; /* for each label: id of the key, length of the value (one byte), value, NUL */
};

struct yk_own_label {
    yk_name key;         /* without a reference */
    struct yk_str value; /* borrowed from the labels; a NUL follows it */
};

/* Sets `*ret` to the next label. `*at`: 0 for the first one; the function advances it. False: there are no
 * more labels, and `*ret` is not set. `labels` NULL: no labels. */
bool yk_own_labels_next(const struct yk_own_labels *labels, size_t *at, struct yk_own_label *ret);
/* Appends a label to `packed`, whose bytes yk_own_labels_new() copies to yk_own_labels.bytes. `packed` is
 * empty before the first label. Adds no reference to `key`: the caller makes sure that struct yk_label_key
 * holds the name. False: the value has more than 255 bytes or a NUL, or all labels together have more than
 * 65,535 bytes; nothing was appended, and the label stays in the profile. */
bool yk_own_labels_pack(struct yk_buf *packed, yk_name key, struct yk_str value);
/* Makes labels from `packed`, whose bytes are copied. Returns NULL if `packed` is empty. The caller frees the
 * labels with free(). */
struct yk_own_labels *yk_own_labels_new(const struct yk_buf *packed);
/* Whether `labels` (NULL: no labels) are the same as those in `packed`, in the same order. */
bool yk_own_labels_are(const struct yk_own_labels *labels, const struct yk_buf *packed);

#endif
