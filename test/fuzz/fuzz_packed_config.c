/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packed ConfigMaps. The input is the binaryData of yunikorn-configs: "<key>\n", two bytes of length, bytes,
 * and so on. Values are unpacked within the limit or left out; data of the same key stays then. What is
 * packed here is unpacked to the same bytes.
 */
#include "base/log.h"
#include "cache/config_merge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ENTRIES_MAX = 64 };

static uint32_t read_entries(struct yk_str rest, struct yk_pair *entries)
{
    uint32_t count = 0;
    struct yk_str key;
    while (count < ENTRIES_MAX && yk_str_split(&rest, '\n', &key) && rest.len >= 2) {
        size_t len = (size_t)(uint8_t)rest.p[0] << 8 | (uint8_t)rest.p[1];
        len = YK_MIN(len, rest.len - 2);
        entries[count++] = (struct yk_pair){key, {rest.p + 2, len}};
        rest = (struct yk_str){rest.p + 2 + len, rest.len - 2 - len};
    }
    return count;
}

static void check_merged(const struct yk_merged_config *merged, const struct yk_config_map *configs)
{
    for (uint32_t i = 0; i < merged->count; i++) {
        if (merged->items[i].value.len > YK_CONFIG_UNPACKED_MAX)
            abort();
    }
    for (uint32_t i = 0; i < configs->data.count; i++) {
        if (yk_merged_config_get(merged, configs->data.items[i].key).p == NULL)
            abort();
    }
}

static void check_round_trip(struct yk_str text)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf packed = {0};
    YK_CLEANUP(yk_buf_done) struct yk_buf unpacked = {.max = YK_CONFIG_UNPACKED_MAX};
    yk_gzip(text, &packed);
    if (yk_gunzip(yk_buf_view(&packed), &unpacked, NULL) != YK_OK || !yk_str_eq(yk_buf_view(&unpacked), text))
        abort();
}

/* With a maximum of its own, however much the bytes promise. */
static void check_limit(struct yk_str bytes)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf unpacked = {.max = 100};
    struct yk_err err = {0};
    enum yk_status st = yk_gunzip(bytes, &unpacked, &err);
    if (unpacked.len > 100 || (st != YK_OK && err.text[0] == '\0'))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct yk_pair entries[ENTRIES_MAX];
    struct yk_pair plain[] = {{YK_STR("queues.yaml"), YK_STR("partitions: []")},
                              {YK_STR("log.level"), YK_STR("INFO")}};
    struct yk_config_map defaults = {.object = {.kind = YK_KIND_CONFIG_MAP}}, configs = defaults;
    struct yk_str all = {(const char *)data, size};
    struct yk_merged_config merged;
    yk_log_set_stream(NULL);
    if (size == 0)
        return 0;
    configs.binary_data = (struct yk_pairs){entries, read_entries(all, entries)};
    defaults.binary_data = configs.binary_data;
    configs.data = (struct yk_pairs){plain, YK_COUNT(plain)};
    yk_config_merge(&defaults, &configs, &merged);
    check_merged(&merged, &configs);
    yk_merged_config_keep_settings(&merged);
    yk_merged_config_done(&merged);
    check_round_trip(all);
    for (uint32_t i = 0; i < configs.binary_data.count; i++)
        check_limit(entries[i].value);
    return 0;
}
