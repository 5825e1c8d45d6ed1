/* SPDX-License-Identifier: Apache-2.0 */
/* Objects about volumes are stored as they come, found by name, and every difference is reported. */
#include "cache/cache_priv.h"

#include "api/json_reader.h"

#include "lib/cmocka_headers.h"

struct seen {
    struct yk_cache cache;
    struct yk_cache_observer observer;
    struct yk_buf log;
};

static void nothing_listed(void *c, enum yk_kind kind)
{
    (void)c, (void)kind;
}

static void say(struct yk_buf *log, const struct yk_object *object)
{
    if (object == NULL)
        yk_buf_text(log, "-");
    else
        yk_buf_printf(log, "%s@%s", object->name.p, object->resource_version.p);
}

/* The object that the cache keeps; NULL: none. `namespace_` is empty for kinds without. */
static const struct yk_object *kept(const struct seen *seen, enum yk_kind kind, struct yk_str namespace_,
                                    struct yk_str name)
{
    struct yk__key key;
    if (namespace_.len > 0 && yk__make_key(namespace_, name, &key))
        name = (struct yk_str){key.text, key.len};
    const struct yk_cache_entry *entry = yk_strmap_get(&seen->cache.kept[kind], name);
    return entry == NULL ? NULL : entry->object;
}

/* By the time of the call the cache knows `after` and nothing else. */
static void kept_changed(void *c, enum yk_kind kind, const struct yk_object *before,
                         const struct yk_object *after)
{
    struct seen *seen = c;
    const struct yk_object *any = after != NULL ? after : before;
    yk_buf_printf(&seen->log, "%s%s ", seen->log.len > 0 ? "; " : "", yk_kind_name(kind));
    say(&seen->log, before);
    yk_buf_text(&seen->log, ">");
    say(&seen->log, after);
    if (kind == YK_KIND_VOLUME)
        assert_ptr_equal(kept(seen, kind, YK_STR(""), any->name), after);
}

static int set_up(void **state)
{
    struct seen *seen = yk_new0(struct seen);
    seen->observer =
        (struct yk_cache_observer){.context = seen, .listed = nothing_listed, .kept_changed = kept_changed};
    yk_cache_init(&seen->cache, &seen->observer, "yunikorn");
    *state = seen;
    return 0;
}

static int tear_down(void **state)
{
    struct seen *seen = *state;
    yk_cache_done(&seen->cache);
    yk_buf_done(&seen->log);
    free(seen);
    return 0;
}

/* `namespace_` may be NULL; `rest`: more members of the object, or "". */
static struct yk_object *object(enum yk_kind kind, const char *namespace_, const char *name,
                                const char *version, const char *rest)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    struct yk_object *made = NULL;
    struct yk_err err = {0};
    yk_buf_printf(
        &text,
        "{\"metadata\":{\"name\":\"%s\",\"namespace\":\"%s\",\"uid\":\"u-%s\",\"resourceVersion\":\"%s\"}%s}",
        name, namespace_ != NULL ? namespace_ : "", name, version, rest);
    if (yk_object_from_json(kind, yk_buf_view(&text), &made, &err) != YK_OK)
        fail_msg("%s", err.text);
    return made;
}

static void put(struct seen *seen, struct yk_object *made)
{
    yk_cache_apply(&seen->cache, made->kind, YK_WATCH_UPSERT, made);
}

static void check(struct seen *seen, const char *what, const char *want)
{
    const char *got = seen->log.len > 0 ? yk_buf_cstr(&seen->log) : "";
    if (strcmp(got, want) != 0)
        fail_msg("%s: got '%s'", what, got);
    yk_buf_clear(&seen->log);
}

static void claims_are_found_by_namespace_and_name(void **state)
{
    struct seen *seen = *state;
    put(seen, object(YK_KIND_VOLUME_CLAIM, "a", "data", "1", ",\"spec\":{\"volumeName\":\"pv-a\"}"));
    put(seen, object(YK_KIND_VOLUME_CLAIM, "b", "data", "2", ""));
    put(seen, object(YK_KIND_VOLUME_CLAIM, "a", "data", "3", ",\"spec\":{\"volumeName\":\"pv-b\"}"));
    check(seen, "two namespaces",
          "persistentvolumeclaims ->data@1; persistentvolumeclaims ->data@2; persistentvolumeclaims "
          "data@1>data@3");
    const struct yk_volume_claim *claim =
        (const void *)kept(seen, YK_KIND_VOLUME_CLAIM, YK_STR("a"), YK_STR("data"));
    assert_string_equal(claim->volume_name.p, "pv-b");
    assert_null(kept(seen, YK_KIND_VOLUME_CLAIM, YK_STR("c"), YK_STR("data")));
    yk_cache_apply(&seen->cache, YK_KIND_VOLUME_CLAIM, YK_WATCH_DELETED,
                   object(YK_KIND_VOLUME_CLAIM, "a", "data", "4", ""));
    check(seen, "one goes", "persistentvolumeclaims data@3>-");
    assert_null(kept(seen, YK_KIND_VOLUME_CLAIM, YK_STR("a"), YK_STR("data")));
    assert_non_null(kept(seen, YK_KIND_VOLUME_CLAIM, YK_STR("b"), YK_STR("data")));
}

static void what_a_new_list_does_not_name_is_gone(void **state)
{
    struct seen *seen = *state;
    put(seen, object(YK_KIND_VOLUME, NULL, "one", "1", ""));
    put(seen, object(YK_KIND_VOLUME, NULL, "two", "2", ""));
    check(seen, "two", "persistentvolumes ->one@1; persistentvolumes ->two@2");
    yk_cache_apply(&seen->cache, YK_KIND_VOLUME, YK_WATCH_REPLACE_BEGIN, NULL);
    put(seen, object(YK_KIND_VOLUME, NULL, "two", "2", ""));
    yk_cache_apply(&seen->cache, YK_KIND_VOLUME, YK_WATCH_REPLACE_END, NULL);
    check(seen, "only what is different is reported", "persistentvolumes one@1>-");
    assert_null(kept(seen, YK_KIND_VOLUME, YK_STR(""), YK_STR("one")));
    assert_non_null(kept(seen, YK_KIND_VOLUME, YK_STR(""), YK_STR("two")));
}

static void all_kinds_are_found(void **state)
{
    struct seen *seen = *state;
    put(seen, object(YK_KIND_STORAGE_CLASS, NULL, "fast", "1", ",\"provisioner\":\"csi\""));
    put(seen, object(YK_KIND_CSI_NODE, NULL, "n1", "2", ""));
    put(seen, object(YK_KIND_CSI_DRIVER, NULL, "csi", "3", ",\"spec\":{\"storageCapacity\":true}"));
    put(seen, object(YK_KIND_CSI_CAPACITY, "a", "c", "4", ""));
    put(seen, object(YK_KIND_CSI_CAPACITY, "b", "c", "5", ""));
    put(seen, object(YK_KIND_VOLUME_ATTACHMENT, NULL, "t", "6", ""));
    assert_string_equal(((const struct yk_storage_class *)(const void *)kept(seen, YK_KIND_STORAGE_CLASS,
                                                                             YK_STR(""), YK_STR("fast")))
                            ->provisioner.p,
                        "csi");
    assert_non_null(kept(seen, YK_KIND_CSI_NODE, YK_STR(""), YK_STR("n1")));
    assert_true(((const struct yk_csi_driver *)(const void *)kept(seen, YK_KIND_CSI_DRIVER, YK_STR(""),
                                                                  YK_STR("csi")))
                    ->storage_capacity);
    assert_null(kept(seen, YK_KIND_CSI_DRIVER, YK_STR(""), YK_STR("fast")));
    assert_int_equal(seen->cache.kept[YK_KIND_CSI_CAPACITY].count, 2);
    assert_int_equal(seen->cache.kept[YK_KIND_VOLUME_ATTACHMENT].count, 1);
}

static void impossible_names_are_refused(void **state)
{
    struct seen *seen = *state;
    char name[400];
    memset(name, 'x', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    put(seen, object(YK_KIND_VOLUME_CLAIM, NULL, "data", "1", ""));
    put(seen, object(YK_KIND_VOLUME_CLAIM, "a", "", "1", ""));
    put(seen, object(YK_KIND_VOLUME_CLAIM, "a", name, "1", ""));
    put(seen, object(YK_KIND_VOLUME, NULL, "", "1", ""));
    yk_cache_apply(&seen->cache, YK_KIND_VOLUME_CLAIM, YK_WATCH_DELETED,
                   object(YK_KIND_VOLUME_CLAIM, "a", "", "1", ""));
    check(seen, "nothing came, nothing went", "");
    assert_int_equal(seen->cache.refused, 4);
    assert_int_equal(seen->cache.kept[YK_KIND_VOLUME_CLAIM].count, 0);
}

static void each_kind_is_in_sync_when_it_is_listed(void **state)
{
    struct seen *seen = *state;
    for (int kind = YK_KIND_VOLUME_FIRST; kind <= YK_KIND_VOLUME_LAST; kind++) {
        assert_false(seen->cache.synced[kind]);
        yk_cache_apply(&seen->cache, (enum yk_kind)kind, YK_WATCH_REPLACE_BEGIN, NULL);
        yk_cache_apply(&seen->cache, (enum yk_kind)kind, YK_WATCH_REPLACE_END, NULL);
        assert_true(seen->cache.synced[kind]);
    }
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(claims_are_found_by_namespace_and_name),
        CASE(what_a_new_list_does_not_name_is_gone),
        CASE(all_kinds_are_found),
        CASE(impossible_names_are_refused),
        CASE(each_kind_is_in_sync_when_it_is_listed),
    };
    return cmocka_run_group_tests_name("cache/volumes", tests, NULL, NULL);
}
