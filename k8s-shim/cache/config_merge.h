/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The effective configuration: two ConfigMaps laid over each other.
 *
 * data of yunikorn-defaults, its binaryData, data of yunikorn-configs, its binaryData; later entries win.
 * Keys of binaryData that end in ".gz" are unpacked and lose the suffix; others are left out with an error in
 * the log.
 * Thread: any.
 * Source: docs/reference/kubernetes.md 4.1 (C01, C02).
 */
#ifndef YK_CACHE_CONFIG_MERGE_H
#define YK_CACHE_CONFIG_MERGE_H

#include "api/object.h"
#include "base/map.h"

#define YK_CONFIG_MAP_DEFAULTS "yunikorn-defaults"
#define YK_CONFIG_MAP_CONFIGS  "yunikorn-configs"

enum {
    YK_CONFIG_UNPACKED_MAX = 4 << 20,        /* bytes of one value after unpacking */
    YK_CONFIG_UNPACKED_TOTAL_MAX = 16 << 20, /* of all values of one merge; further ones are left out */
};

/* Where a value is from; texts and map are borrowed from the ConfigMaps. */
struct yk_config_origin {
    const struct yk_object *map; /* NULL: there is no value */
    struct yk_str key;           /* as the ConfigMap has it: "queues.yaml.gz" for "queues.yaml" */
};

struct yk_merged_config {
    struct yk_arena arena;            /* holds the unpacked values */
    struct yk_pair *items;            /* owned; texts are borrowed from the ConfigMaps or the arena */
    struct yk_config_origin *origins; /* owned; of `items`; NULL after yk_merged_config_keep_settings() */
    uint32_t count, capacity;
    struct yk_pair *ignored; /* owned; key of binaryData that was left out, and a sentence that says why */
    uint32_t ignored_count;
    struct yk_strmap places; /* key -> index + 1 */
    size_t unpacked_bytes;
};

/* Merges the two ConfigMaps, each of which may be NULL. `*ret` is overwritten and borrows texts from them;
 * the caller ends it with yk_merged_config_done() before they change. */
void yk_config_merge(const struct yk_config_map *defaults, const struct yk_config_map *configs,
                     struct yk_merged_config *ret);
void yk_merged_config_done(struct yk_merged_config *merged);
/* Copies what is borrowed, so that it outlives the ConfigMaps. The values of *.yaml, which may be large, are
 * left out. */
void yk_merged_config_keep_settings(struct yk_merged_config *merged);
/* The value of the key, borrowed from `merged`; absent when there is none. */
struct yk_str yk_merged_config_get(const struct yk_merged_config *merged, struct yk_str key);
/* Where that value is from. Not after yk_merged_config_keep_settings(). */
struct yk_config_origin yk_merged_config_origin(const struct yk_merged_config *merged, struct yk_str key);
/* Why the entry of binaryData that would give `key` was left out, borrowed from `merged`; absent if none was. */
struct yk_str yk_merged_config_ignored(const struct yk_merged_config *merged, struct yk_str key);
/* Whether an entry of binaryData is unpacked: its key ends in ".gz", in any case. */
bool yk_config_key_is_packed(struct yk_str key);
/* Appends `text` in gzip form to `out`; the same text gives the same bytes. */
void yk_gzip(struct yk_str text, struct yk_buf *out);
/* Unpacks gzip bytes and appends them to `out`, which has a maximum. Errors: YK_ERR_INVALID, no gzip;
 * YK_ERR_LIMIT, longer than `out->max`. After an error `out` may have a part of the text. */
YK_NODISCARD enum yk_status yk_gunzip(struct yk_str bytes, struct yk_buf *out, struct yk_err *err);

#endif
