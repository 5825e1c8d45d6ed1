/* SPDX-License-Identifier: Apache-2.0 */
#include "cache/config_merge.h"

#include "lib/kube_objects.h"

#include <zlib.h>

#include "lib/cmocka_headers.h"

/* Test data: `text` as gzip. */
static size_t gzip(const char *text, size_t len, unsigned char *out, size_t room)
{
    z_stream stream = {.avail_in = (uInt)len, .next_out = out, .avail_out = (uInt)room};
    stream.next_in = (z_const Bytef *)(uintptr_t)text;
    assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    size_t got = stream.total_out;
    deflateEnd(&stream);
    return got;
}

static void add_binary(struct yk_config_map *map, const char *key, const void *bytes, size_t len)
{
    add_pair(&map->object, &map->binary_data, key, "");
    map->binary_data.items[map->binary_data.count - 1].value =
        yk_arena_str(&map->object.arena, (struct yk_str){bytes, len});
}

/* C1, C2 */
static void later_wins(void **state)
{
    (void)state;
    unsigned char packed[256];
    struct yk_config_map *defaults = make_config_map("y", YK_CONFIG_MAP_DEFAULTS, "1");
    struct yk_config_map *configs = make_config_map("y", YK_CONFIG_MAP_CONFIGS, "1");
    add_pair(&defaults->object, &defaults->data, "a", "data of defaults");
    add_pair(&defaults->object, &defaults->data, "b", "data of defaults");
    add_pair(&defaults->object, &defaults->data, "c", "data of defaults");
    add_binary(defaults, "b.gz", packed, gzip("binary of defaults", 18, packed, sizeof(packed)));
    add_binary(defaults, "c.GZ", packed, gzip("binary of defaults", 18, packed, sizeof(packed)));
    add_pair(&configs->object, &configs->data, "c", "data of configs");
    add_pair(&configs->object, &configs->data, "queues.yaml", "data of configs");
    add_binary(configs, "queues.yaml.gz", packed, gzip("binary of configs", 17, packed, sizeof(packed)));
    add_binary(configs, "plain.bin", "x", 1);
    add_binary(configs, "bad.gz", "not gzip", 8);
    static const struct {
        const char *key, *want;
    } cases[] = {
        {"a", "data of defaults"},
        {"b", "binary of defaults"},
        {"c", "data of configs"},
        {"queues.yaml", "binary of configs"},
        {"plain", NULL},
        {"plain.bin", NULL},
        {"bad", NULL},
        {"bad.gz", NULL},
    };
    struct yk_merged_config merged;
    yk_config_merge(defaults, configs, &merged);
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_str got = yk_merged_config_get(&merged, yk_str_from(cases[i].key));
        if ((got.p == NULL) != (cases[i].want == NULL) || (got.p != NULL && !yk_str_is(got, cases[i].want)))
            fail_msg("%s: got '" YK_STR_FMT "'", cases[i].key, YK_STR_ARG(got));
    }
    assert_int_equal(merged.count, 4);
    yk_merged_config_done(&merged);
    yk_config_merge(NULL, NULL, &merged);
    assert_int_equal(merged.count, 0);
    yk_merged_config_done(&merged);
    yk_object_free(&defaults->object);
    yk_object_free(&configs->object);
}

static void unpacking_is_bounded(void **state)
{
    (void)state;
    char *zeros = yk_alloc0(1 << 20);
    unsigned char packed[8192];
    size_t len = gzip(zeros, 1 << 20, packed, sizeof(packed));
    struct yk_err err;
    struct yk_buf out = {.max = 1000};
    assert_int_equal(yk_gunzip((struct yk_str){(const char *)packed, len}, &out, &err), YK_ERR_LIMIT);
    yk_buf_done(&out);
    out = (struct yk_buf){.max = 2 << 20};
    assert_int_equal(yk_gunzip((struct yk_str){(const char *)packed, len}, &out, &err), YK_OK);
    assert_int_equal(out.len, 1 << 20);
    yk_buf_done(&out);
    for (size_t cut = 0; cut < len; cut += 97) {
        out = (struct yk_buf){.max = 2 << 20};
        assert_int_equal(yk_gunzip((struct yk_str){(const char *)packed, cut}, &out, &err), YK_ERR_INVALID);
        yk_buf_done(&out);
    }
    free(zeros);
}

/* As 1.9 does: `cat a.gz b.gz` is a valid file. */
static void all_members_are_unpacked(void **state)
{
    (void)state;
    static const struct {
        const char *after;
        size_t len;
        enum yk_status want;
    } cases[] = {{"", 0, YK_OK}, {"x", 1, YK_ERR_INVALID}, {"no more gzip", 12, YK_ERR_INVALID}};
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf packed = {0}, out = {.max = 100};
        struct yk_err err;
        yk_gzip(YK_STR("one,"), &packed);
        yk_gzip(YK_STR(""), &packed);
        yk_gzip(YK_STR("two"), &packed);
        yk_buf_add(&packed, cases[i].after, cases[i].len);
        assert_int_equal(yk_gunzip(yk_buf_view(&packed), &out, &err), cases[i].want);
        if (cases[i].want == YK_OK)
            assert_string_equal(yk_buf_cstr(&out), "one,two");
    }
}

/* Each entry is within its bound, all of them are not. */
static void all_entries_together_are_bounded(void **state)
{
    (void)state;
    enum { ENTRY = 3 << 20, ENTRIES = 8, FIT = YK_CONFIG_UNPACKED_TOTAL_MAX / ENTRY };
    static const char *const keys[ENTRIES] = {"a.gz", "b.gz", "c.gz", "d.gz", "e.gz", "f.gz", "g.gz", "h.gz"};
    YK_CLEANUP(yk_buf_done) struct yk_buf packed = {0};
    YK_CLEANUP(yk_freep) char *text = yk_alloc0(ENTRY);
    struct yk_config_map *defaults = make_config_map("y", YK_CONFIG_MAP_DEFAULTS, "1");
    struct yk_config_map *configs = make_config_map("y", YK_CONFIG_MAP_CONFIGS, "1");
    struct yk_merged_config merged;
    yk_gzip((struct yk_str){text, ENTRY}, &packed);
    for (size_t i = 0; i < ENTRIES; i++)
        add_binary(i < ENTRIES / 2 ? defaults : configs, keys[i], packed.p, packed.len);
    yk_config_merge(defaults, configs, &merged);
    assert_int_equal(merged.count, FIT);
    assert_int_equal(merged.unpacked_bytes, (size_t)FIT * ENTRY);
    yk_merged_config_done(&merged);
    yk_object_free(&defaults->object);
    yk_object_free(&configs->object);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(later_wins), cmocka_unit_test(unpacking_is_bounded),
                                       cmocka_unit_test(all_members_are_unpacked),
                                       cmocka_unit_test(all_entries_together_are_bounded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
