/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Merges the two ConfigMaps of the configuration.
 *
 * The entries are merged in this order: data of yunikorn-defaults, binaryData of yunikorn-defaults, data of
 * yunikorn-configs, binaryData of yunikorn-configs. A later entry replaces an earlier one with the same key.
 * Entries of binaryData whose keys end in ".gz" are unpacked, and get the key without this suffix. Other
 * entries of binaryData are left out with an error in the log, and so are entries that cannot be unpacked.
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
    YK_CONFIG_UNPACKED_MAX = 4 << 20, /* bytes of one value after unpacking */
    /* bytes of all unpacked values of one merge; an entry that would exceed this is left out */
    YK_CONFIG_UNPACKED_TOTAL_MAX = 16 << 20,
};

/* Where a value is from; texts and map are borrowed from the ConfigMaps. */
struct yk_config_origin {
    const struct yk_object *map; /* NULL: there is no value */
    /* the key in the ConfigMap, such as "queues.yaml.gz" for the value "queues.yaml" */
    struct yk_str key;
};

/* An entry of binaryData that was left out because it could not be unpacked. */
struct yk_config_ignored {
    struct yk_str key;      /* the key in the ConfigMap; borrowed from the ConfigMap */
    struct yk_str sentence; /* names the entry and its ConfigMap, and ends in `why`; in the arena */
    struct yk_str why;      /* such as "not valid gzip: cut short"; part of `sentence` */
};

struct yk_merged_config {
    struct yk_arena arena;            /* owns the texts that are not those of the ConfigMaps */
    struct yk_pair *items;            /* owned array; its texts are those of the ConfigMaps or of the arena */
    struct yk_config_origin *origins; /* owned; one per item; NULL after yk_merged_config_keep_settings() */
    uint32_t count, capacity;         /* length of `items`; items for which there is memory */
    /* Owned: the packed entries of binaryData that were left out, in the order of the merge. */
    struct yk_config_ignored *ignored;
    uint32_t ignored_count;
    struct yk_strmap places; /* key -> index in `items` + 1 */
    size_t unpacked_bytes;   /* bytes of all unpacked values */
};

/* Merges the two ConfigMaps, each of which may be NULL. `*ret` is overwritten and borrows texts from the
 * ConfigMaps; the caller ends it with yk_merged_config_done() before the ConfigMaps change. */
void yk_config_merge(const struct yk_config_map *defaults, const struct yk_config_map *configs,
                     struct yk_merged_config *ret);
void yk_merged_config_done(struct yk_merged_config *merged);
/* Copies the borrowed texts, so that `merged` is valid after the ConfigMaps were freed. The values of keys
 * that end in ".yaml" become absent, because they may be large. */
void yk_merged_config_keep_settings(struct yk_merged_config *merged);
/* The value of the key, borrowed from `merged`; absent if there is no entry with this key. */
struct yk_str yk_merged_config_get(const struct yk_merged_config *merged, struct yk_str key);
/* Where the value of the key is from. Must not be called after yk_merged_config_keep_settings(). */
struct yk_config_origin yk_merged_config_origin(const struct yk_merged_config *merged, struct yk_str key);
/* The sentence that says why the packed entry for `key` was left out, borrowed from `merged`. Absent if no
 * such entry was left out, and after yk_merged_config_keep_settings(). */
struct yk_str yk_merged_config_ignored(const struct yk_merged_config *merged, struct yk_str key);
/* Whether an entry of binaryData with this key is unpacked: the key ends in ".gz", in upper or lower case. */
bool yk_config_key_is_packed(struct yk_str key);
/* The key of the value that is unpacked from the entry `key`, such as "queues.yaml" for "queues.yaml.gz".
 * Borrowed from `key`. yk_config_key_is_packed() must be true for `key`. */
struct yk_str yk_config_key_unpacked(struct yk_str key);
/* Compresses `text` with gzip and appends the result to `out`. The same text always gives the same bytes. */
void yk_gzip(struct yk_str text, struct yk_buf *out);
/* Unpacks gzip bytes, which may have several members, and appends the text to `out`. The caller has set
 * out->max. Errors: YK_ERR_INVALID: `bytes` are not gzip, or something else follows; YK_ERR_LIMIT: the text is longer than out->max, or `bytes` has more than UINT32_MAX
 * bytes. After an error, `out` may contain a part of the text. */
YK_NODISCARD enum yk_status yk_gunzip(struct yk_str bytes, struct yk_buf *out, struct yk_err *err);

#endif
