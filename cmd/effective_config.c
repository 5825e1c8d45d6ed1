/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/effective_config.h"

#include "config/manifest.h"

/* Adds a warning for each entry that yk_config_merge() leaves out because of its key. */
static void note_unpacked(const struct yk_config_map *map, struct yk_effective_config *ret)
{
    for (uint32_t i = 0; map != NULL && i < map->binary_data.count; i++) {
        struct yk_str key = map->binary_data.items[i].key;
        struct yk_err err;
        if (yk_config_key_is_packed(key))
            continue;
        (void)yk_fail(&err, YK_OK, "binaryData '" YK_STR_FMT "' does not end in .gz and is ignored",
                      YK_STR_ARG(key)); /* only sets the text */
        yk_config_errors_add(&ret->warnings, &err);
    }
}

/* Adds an error for each entry that yk_config_merge() could not unpack. */
static void note_unreadable(const struct yk_merged_config *merged, struct yk_effective_config *ret)
{
    for (uint32_t i = 0; i < merged->ignored_count; i++) {
        const struct yk_config_ignored *ignored = &merged->ignored[i];
        struct yk_err err;
        (void)yk_fail(&err, YK_ERR_INVALID, "binaryData '" YK_STR_FMT "' cannot be read: " YK_STR_FMT,
                      YK_STR_ARG(ignored->key), YK_STR_ARG(ignored->why)); /* only sets the text */
        yk_config_errors_add(&ret->errors, &err);
    }
}

static void take_settings(const struct yk_merged_config *merged, struct yk_effective_config *ret)
{
    struct yk_pairs *settings = &ret->settings;
    settings->items =
        yk_arena_alloc0(&ret->arena, yk_size_mul((size_t)merged->count + 1, sizeof(*settings->items)));
    for (uint32_t i = 0; i < merged->count; i++) {
        if (!yk_str_ends(merged->items[i].key, ".yaml"))
            settings->items[settings->count++] =
                (struct yk_pair){yk_arena_str(&ret->arena, merged->items[i].key),
                                 yk_arena_str(&ret->arena, merged->items[i].value)};
    }
}

static void take_file_name(const struct yk_merged_config *merged, struct yk_effective_config *ret)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf key = {.max = 4096};
    struct yk_str group = yk_merged_config_get(merged, YK_STR("service.policyGroup"));
    yk_buf_str(&key, group.len > 0 ? group : YK_STR("queues"));
    yk_buf_text(&key, ".yaml");
    ret->file = yk_arena_str(&ret->arena, yk_buf_view(&key));
    ret->has_queues = yk_merged_config_get(merged, ret->file).p != NULL;
}

void yk_effective_config_merge(const struct yk_config_map *defaults, const struct yk_config_map *configs,
                               struct yk_effective_config *ret)
{
    YK_CLEANUP(yk_merged_config_done) struct yk_merged_config merged;
    *ret = (struct yk_effective_config){.queues = {.max = YK_CONFIG_BYTES_MAX + 1}, .from_config_maps = true};
    yk_config_merge(defaults, configs, &merged);
    note_unreadable(&merged, ret);
    note_unpacked(defaults, ret);
    note_unpacked(configs, ret);
    take_file_name(&merged, ret);
    take_settings(&merged, ret);
    yk_buf_str(&ret->queues, yk_merged_config_get(&merged, ret->file));
}

/* ---- from manifests ---- */

static struct yk_pairs pairs_of(struct yk_arena *arena, const struct yk_manifest_entries *entries)
{
    struct yk_pairs pairs = {
        yk_arena_alloc0(arena, yk_size_mul((size_t)entries->count + 1, sizeof(*pairs.items))),
        entries->count};
    for (uint32_t i = 0; i < entries->count; i++)
        pairs.items[i] = (struct yk_pair){entries->items[i].key, entries->items[i].value};
    return pairs;
}

static enum yk_status decode_binary(struct yk_arena *arena, const struct yk_manifest *manifest,
                                    struct yk_pairs *pairs, struct yk_err *err)
{
    for (uint32_t i = 0; i < pairs->count; i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf bytes = {.max = YK_CONFIG_BYTES_MAX};
        enum yk_status st = yk_base64_decode(pairs->items[i].value, &bytes, err);
        if (st != YK_OK)
            return yk_fail_at(err, st, manifest->binary_data.items[i].line, 0,
                              "binaryData '" YK_STR_FMT "' is not base64", YK_STR_ARG(pairs->items[i].key));
        pairs->items[i].value = yk_arena_str(arena, yk_buf_view(&bytes));
    }
    return YK_OK;
}

static enum yk_status config_map_from(struct yk_arena *arena, const struct yk_manifest *manifest,
                                      struct yk_config_map *ret_map, struct yk_err *err)
{
    *ret_map = (struct yk_config_map){.object = {.name = manifest->name}};
    ret_map->data = pairs_of(arena, &manifest->data);
    ret_map->binary_data = pairs_of(arena, &manifest->binary_data);
    return decode_binary(arena, manifest, &ret_map->binary_data, err);
}

/* Sets `*ret_found` to the ConfigMap of that name, or to NULL. Errors: YK_ERR_INVALID, there are two. */
static enum yk_status find_named(const struct yk_manifests *manifests, const char *name,
                                 const struct yk_manifest **ret_found, struct yk_err *err)
{
    *ret_found = NULL;
    for (uint32_t i = 0; i < manifests->count; i++) {
        const struct yk_manifest *manifest = &manifests->items[i];
        if (!yk_str_is(manifest->name, name))
            continue;
        if (*ret_found != NULL)
            return yk_fail_at(err, YK_ERR_INVALID, manifest->line, 0,
                              "ConfigMap '%s' is there twice (also in line %u)", name, (*ret_found)->line);
        *ret_found = manifest;
    }
    return YK_OK;
}

static enum yk_status choose(const struct yk_manifests *manifests, const struct yk_manifest **ret_defaults,
                             const struct yk_manifest **ret_configs, struct yk_err *err)
{
    enum yk_status st = find_named(manifests, YK_CONFIG_MAP_DEFAULTS, ret_defaults, err);
    if (st == YK_OK)
        st = find_named(manifests, YK_CONFIG_MAP_CONFIGS, ret_configs, err);
    if (st != YK_OK || *ret_defaults != NULL || *ret_configs != NULL)
        return st;
    if (manifests->count != 1)
        return yk_fail(err, YK_ERR_INVALID,
                       "the text has %u ConfigMaps, and none is called " YK_CONFIG_MAP_DEFAULTS
                       " or " YK_CONFIG_MAP_CONFIGS,
                       manifests->count);
    *ret_configs = &manifests->items[0];
    return YK_OK;
}

/* Whether the ConfigMap has the entry `file`. `*ret_line` is the line of the entry; 0 if the entry is
 * compressed, because its lines are not lines of the manifest. */
static bool has_file(const struct yk_manifest *manifest, struct yk_str file, uint32_t *ret_line)
{
    bool found = false;
    *ret_line = 0;
    for (uint32_t i = 0; manifest != NULL && i < manifest->data.count; i++) {
        if (!yk_str_eq(manifest->data.items[i].key, file))
            continue;
        *ret_line = manifest->data.items[i].line;
        found = true;
    }
    for (uint32_t i = 0; manifest != NULL && i < manifest->binary_data.count; i++) {
        struct yk_str key = manifest->binary_data.items[i].key;
        if (!yk_config_key_is_packed(key) || !yk_str_eq(yk_config_key_unpacked(key), file))
            continue;
        *ret_line = 0;
        found = true;
    }
    return found;
}

static enum yk_status merge_manifests(const struct yk_manifests *manifests, struct yk_effective_config *ret,
                                      struct yk_err *err)
{
    const struct yk_manifest *manifest[2] = {NULL, NULL};
    struct yk_config_map maps[2];
    struct yk_arena arena = {0};
    enum yk_status st = choose(manifests, &manifest[0], &manifest[1], err);
    for (int i = 0; i < 2 && st == YK_OK; i++) {
        if (manifest[i] != NULL)
            st = config_map_from(&arena, manifest[i], &maps[i], err);
    }
    if (st == YK_OK) {
        yk_effective_config_merge(manifest[0] != NULL ? &maps[0] : NULL,
                                  manifest[1] != NULL ? &maps[1] : NULL, ret);
        if (!has_file(manifest[1], ret->file, &ret->entry_line))
            /* Sets the line to 0 if this ConfigMap has no such entry either. */
            (void)has_file(manifest[0], ret->file, &ret->entry_line);
    }
    yk_arena_done(&arena);
    return st;
}

enum yk_status yk_effective_config_read(struct yk_str text, struct yk_effective_config *ret,
                                        struct yk_err *err)
{
    YK_CLEANUP(yk_manifests_done) struct yk_manifests manifests;
    *ret = (struct yk_effective_config){.queues = {.max = YK_CONFIG_BYTES_MAX + 1}};
    enum yk_status st = yk_manifests_read(text, &manifests, err);
    if (st != YK_OK)
        return st;
    if (manifests.count > 0 || manifests.of_kubernetes)
        return merge_manifests(&manifests, ret, err);
    yk_buf_str(&ret->queues, text);
    return YK_OK;
}

void yk_effective_config_done(struct yk_effective_config *config)
{
    yk_buf_done(&config->queues);
    yk_config_errors_done(&config->errors);
    yk_config_errors_done(&config->warnings);
    yk_arena_done(&config->arena);
    *config = (struct yk_effective_config){0};
}
