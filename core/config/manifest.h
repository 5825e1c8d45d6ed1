/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads ConfigMaps as kubectl and helm write them: one manifest, a list, or several documents in YAML or
 * JSON.
 *
 * Owns:   copies of all texts, in its arena.
 * Thread: any.
 */
#ifndef YK_CONFIG_MANIFEST_H
#define YK_CONFIG_MANIFEST_H

#include "config/config.h"

struct yk_manifest_entry {
    struct yk_str key, value; /* an entry of binaryData has base64 as its value */
    uint32_t line;            /* in which the value begins, from 1 */
};

/* In the order of the text. A key that is there twice has two entries. */
struct yk_manifest_entries {
    struct yk_manifest_entry *items;
    uint32_t count;
};

struct yk_manifest {
    struct yk_str name; /* metadata.name, "" if there is none */
    uint32_t line;      /* in which the object begins, from 1 */
    struct yk_manifest_entries data, binary_data;
};

struct yk_manifests {
    struct yk_arena arena;
    struct yk_manifest *items; /* the ConfigMaps, in the order of the text */
    uint32_t count;
    bool of_kubernetes; /* the text has Kubernetes objects, so it is no queue configuration */
};

/*
 * Finds the ConfigMaps in `text` and copies them. A queue configuration, a text that is not YAML, and a text
 * of more than YK_CONFIG_BYTES_MAX bytes have none; this is no error. Objects of other kinds are left out.
 * The caller ends `*ret_manifests` with yk_manifests_done(), also after an error. Errors, with the place:
 * YK_ERR_INVALID, the data of a ConfigMap are no mapping or an entry is not a text; YK_ERR_LIMIT, too many
 * ConfigMaps or lists in lists.
 */
YK_NODISCARD enum yk_status yk_manifests_read(struct yk_str text, struct yk_manifests *ret_manifests,
                                              struct yk_err *err);
void yk_manifests_done(struct yk_manifests *manifests);

#endif
