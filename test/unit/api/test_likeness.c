/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whatever the field tables read of a pod is part of its likeness, but for what is its own (api/likeness.h):
 * found out by walking the tables, changing one thing after the other.
 */
#include "api/fields.h"
#include "api/json_reader.h"
#include "api/likeness.h"
#include "base/map.h"
#include "base/memo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

enum { PATH_MAX = 256, CHANGES_MIN = 250 };

static bool is_own(const char *path)
{
    static const char *const own[] = {
        "metadata.name",
        "metadata.uid",
        "metadata.generation",
        "metadata.resourceVersion",
        "spec.nodeName",
        "metadata.creationTimestamp",
        "status",
        "metadata.deletionTimestamp",
    };
    for (size_t i = 0; i < YK_COUNT(own); i++) {
        size_t len = strlen(own[i]);
        if (strncmp(path, own[i], len) == 0 && (path[len] == '\0' || path[len] == '.'))
            return true;
    }
    return false;
}

/* ---- a pod that says something everywhere ---- */

struct making {
    struct yk_arena *arena;
    int texts; /* so far: each is another one */
};

static void fill_text(struct making *making, char *target)
{
    char text[16];
    snprintf(text, sizeof(text), "t%03d", ++making->texts);
    *(struct yk_str *)(void *)target = yk_arena_str(making->arena, yk_str_from(text));
}

static void fill_table(struct making *making, const struct yk_fields *table, char *base);

static void fill_item(struct making *making, const struct yk_field *field, char *item)
{
    if (field->type == YK_FIELD_ITEMS) {
        fill_table(making, field->nested, item);
        return;
    }
    fill_text(making, item); /* a text, or the key or name of a pair */
    if (field->type == YK_FIELD_AMOUNTS)
        ((struct yk_amount *)(void *)item)->quantity = ++making->texts;
    else if (field->type != YK_FIELD_TEXTS)
        fill_text(making, item + offsetof(struct yk_pair, value));
}

static void fill_list(struct making *making, const struct yk_field *field, char *list)
{
    size_t item_bytes = yk_field_item_bytes(field);
    uint32_t count = 2;
    char *items = yk_arena_alloc0(making->arena, count * item_bytes);
    memcpy(list, &items, sizeof(items));
    memcpy(list + sizeof(items), &count, sizeof(count));
    for (uint32_t i = 0; i < count; i++)
        fill_item(making, field, items + i * item_bytes);
}

static void fill_field(struct making *making, const struct yk_field *field, char *target)
{
    switch ((enum yk_field_type)field->type) {
    case YK_FIELD_TEXT:
        fill_text(making, target);
        break;
    case YK_FIELD_I32:
        *(int32_t *)(void *)target = ++making->texts;
        break;
    case YK_FIELD_I64:
        *(int64_t *)(void *)target = ++making->texts;
        break;
    case YK_FIELD_BOOL:
    case YK_FIELD_PRESENT:
        *(bool *)(void *)target = true;
        break;
    case YK_FIELD_TIME:
        *(int64_t *)(void *)target = ++making->texts;
        break;
    case YK_FIELD_QUANTITY:
        *(yk_quantity *)(void *)target = ++making->texts;
        break;
    case YK_FIELD_NESTED:
        fill_table(making, field->nested, target);
        break;
    case YK_FIELD_TEXTS:
    case YK_FIELD_ITEMS:
    case YK_FIELD_PAIRS:
    case YK_FIELD_BYTE_PAIRS:
    case YK_FIELD_ANNOTATIONS:
    case YK_FIELD_AMOUNTS:
        fill_list(making, field, target);
        break;
    }
}

static void fill_table(struct making *making, const struct yk_fields *table, char *base)
{
    for (uint32_t i = 0; i < table->count; i++) {
        const struct yk_field *field = &table->items[i];
        fill_field(making, field, base + field->offset);
        if (field->present_offset != 0)
            *(bool *)(void *)(base + field->present_offset) = true;
    }
}

/* ---- one change at a time, and back again ---- */

struct changing {
    struct yk_pod *pod;
    uint64_t before[2];
    struct yk_idmap seen; /* first halves: no two changes lead to the same */
    int changes, own;
};

static void look(struct changing *changing, const char *path, const char *what)
{
    struct yk_pod *pod = changing->pod;
    yk_pod_set_likeness(pod);
    if (!yk_likeness_is_known(pod->likeness))
        fail_msg("%s: %s: its likeness is not known", path, what);
    bool same = memcmp(pod->likeness, changing->before, sizeof(changing->before)) == 0;
    if (same != is_own(path))
        fail_msg("%s: %s: the likeness is %s", path, what, same ? "the same" : "another one");
    if (!same && yk_idmap_put(&changing->seen, pod->likeness[0], changing) != NULL)
        fail_msg("%s: %s: as another change", path, what);
    changing->changes += !same;
    changing->own += same;
}

static void change_bytes(struct changing *changing, const char *path, const char *what, void *at,
                         const void *value, size_t len)
{
    char before[32];
    assert_true(len <= sizeof(before));
    memcpy(before, at, len);
    memcpy(at, value, len);
    look(changing, path, what);
    memcpy(at, before, len);
}

static void change_text(struct changing *changing, const char *path, const char *what, char *target)
{
    struct yk_str *text = (struct yk_str *)(void *)target;
    const struct yk_str longer = {"t0010", 5}, none = {0};
    char other[8];
    snprintf(other, sizeof(other), "o%s", text->p + 1);
    change_bytes(changing, path, what, text, &(struct yk_str){other, text->len}, sizeof(*text));
    change_bytes(changing, path, "longer", text, &longer, sizeof(*text));
    change_bytes(changing, path, "nothing", text, &none, sizeof(*text));
}

static void change_table(struct changing *changing, const char *path, const struct yk_fields *table,
                         char *base);

static void change_item(struct changing *changing, const char *path, const struct yk_field *field, char *item)
{
    if (field->type == YK_FIELD_ITEMS) {
        change_table(changing, path, field->nested, item);
        return;
    }
    change_text(changing, path, "name or key", item);
    if (field->type == YK_FIELD_AMOUNTS) {
        yk_quantity *quantity = &((struct yk_amount *)(void *)item)->quantity;
        yk_quantity low = *quantity + 1000, high = *quantity + ((yk_quantity)1 << 90);
        change_bytes(changing, path, "quantity", quantity, &low, sizeof(low));
        change_bytes(changing, path, "large quantity", quantity, &high, sizeof(high));
    } else if (field->type != YK_FIELD_TEXTS) {
        change_text(changing, path, "value", item + offsetof(struct yk_pair, value));
    }
}

static void change_list(struct changing *changing, const char *path, const struct yk_field *field, char *list)
{
    size_t item_bytes = yk_field_item_bytes(field);
    char *items;
    memcpy(&items, list, sizeof(items));
    for (uint32_t count = 0; count < 2; count++)
        change_bytes(changing, path, "count", list + sizeof(items), &count, sizeof(count));
    change_item(changing, path, field, items);
    change_item(changing, path, field, items + item_bytes);
}

static void change_field(struct changing *changing, const char *path, const struct yk_field *field,
                         char *target)
{
    switch ((enum yk_field_type)field->type) {
    case YK_FIELD_TEXT:
        change_text(changing, path, "text", target);
        break;
    case YK_FIELD_I32:
        change_bytes(changing, path, "number", target, &(int32_t){-7}, sizeof(int32_t));
        change_bytes(changing, path, "zero", target, &(int32_t){0}, sizeof(int32_t));
        break;
    case YK_FIELD_I64:
        change_bytes(changing, path, "large number", target, &(int64_t){INT64_C(7) << 40}, sizeof(int64_t));
        change_bytes(changing, path, "zero", target, &(int64_t){0}, sizeof(int64_t));
        break;
    case YK_FIELD_BOOL:
    case YK_FIELD_PRESENT:
        change_bytes(changing, path, "flag", target, &(bool){false}, sizeof(bool));
        break;
    case YK_FIELD_TIME:
        change_bytes(changing, path, "time", target, &(int64_t){-7}, sizeof(int64_t));
        break;
    case YK_FIELD_QUANTITY:
        change_bytes(changing, path, "quantity", target, &(yk_quantity){-7}, sizeof(yk_quantity));
        break;
    case YK_FIELD_NESTED:
        change_table(changing, path, field->nested, target);
        break;
    case YK_FIELD_TEXTS:
    case YK_FIELD_ITEMS:
    case YK_FIELD_PAIRS:
    case YK_FIELD_BYTE_PAIRS:
    case YK_FIELD_ANNOTATIONS:
    case YK_FIELD_AMOUNTS:
        change_list(changing, path, field, target);
        break;
    }
}

static void change_table(struct changing *changing, const char *path, const struct yk_fields *table,
                         char *base)
{
    for (uint32_t i = 0; i < table->count; i++) {
        const struct yk_field *field = &table->items[i];
        char deeper[PATH_MAX];
        bool is_named = field->json != NULL;
        snprintf(deeper, sizeof(deeper), "%s%s%s", path, is_named && *path != '\0' ? "." : "",
                 is_named ? field->json : "");
        change_field(changing, deeper, field, base + field->offset);
        if (field->present_offset != 0)
            change_bytes(changing, deeper, "presence", base + field->present_offset, &(bool){false},
                         sizeof(bool));
    }
}

static void each_field_counts_but_its_own(void **state)
{
    (void)state;
    struct yk_arena arena = {0};
    struct yk_pod pod = {.object = {.kind = YK_KIND_POD}};
    struct making making = {.arena = &arena};
    fill_table(&making, &yk_pod_fields, (char *)&pod);
    struct changing changing = {.pod = &pod};
    yk_pod_set_likeness(&pod);
    assert_true(yk_likeness_is_known(pod.likeness));
    memcpy(changing.before, pod.likeness, sizeof(changing.before));
    change_table(&changing, "", &yk_pod_fields, (char *)&pod);
    yk_pod_set_likeness(&pod); /* all was put back */
    assert_memory_equal(pod.likeness, changing.before, sizeof(changing.before));
    assert_true(changing.changes > CHANGES_MIN && changing.own > 8);
    yk_idmap_done(&changing.seen);
    yk_arena_done(&arena);
}

/* ---- where one thing ends and the next begins ---- */

static void what_says_much_is_unknown(void **state)
{
    (void)state;
    char value[YK_LIKENESS_BYTES_MAX + 1];
    memset(value, 'v', sizeof(value));
    struct yk_pair pair = {.key = YK_STR("k"), .value = {value, 0}};
    struct yk_pod pod = {.object = {.annotations = {&pair, 1}}};
    bool was_known = true;
    for (size_t len = 0; len <= sizeof(value); len++) {
        pair.value.len = len;
        yk_pod_set_likeness(&pod);
        bool known = yk_likeness_is_known(pod.likeness);
        assert_true(was_known || !known); /* once too long, always too long */
        if (known != was_known)
            assert_in_range(len, YK_LIKENESS_BYTES_MAX - 100, YK_LIKENESS_BYTES_MAX);
        was_known = known;
    }
    assert_false(was_known);
}

/* Their keys count, their values do not. */
static void labels_that_number_pods(void **state)
{
    (void)state;
    static const struct {
        const char *what, *key, *value;
        bool alike, is_numbered;
    } cases[] = {
        {"another number", "spark-exec-id", "2", true, true},
        {"no number", "spark-exec-id", "", true, true},
        {"another key", "apps.kubernetes.io/pod-index", "1", false, true},
        {"a key of somebody's own", "spark-exec-ids", "1", false, false},
    };
    struct yk_pair first = {YK_STR("spark-exec-id"), YK_STR("1")};
    struct yk_pod pod = {.object = {.labels = {&first, 1}}}, bare = {.object = {.labels = {&first, 0}}};
    yk_pod_set_likeness(&pod);
    yk_pod_set_likeness(&bare);
    assert_true(pod.is_numbered && !bare.is_numbered);
    assert_memory_not_equal(pod.likeness, bare.likeness, sizeof(pod.likeness));
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_pair label = {yk_str_from(cases[i].key), yk_str_from(cases[i].value)};
        struct yk_pod other = {.object = {.labels = {&label, 1}}};
        yk_pod_set_likeness(&other);
        bool alike = memcmp(pod.likeness, other.likeness, sizeof(pod.likeness)) == 0;
        if (alike != cases[i].alike || other.is_numbered != cases[i].is_numbered)
            fail_msg("%s: alike %d, numbered %d", cases[i].what, alike, other.is_numbered);
    }
}

static void texts_do_not_run_together(void **state)
{
    (void)state;
    struct yk_pair pairs[] = {{YK_STR("ab"), YK_STR("c")}, {YK_STR("a"), YK_STR("bc")}};
    struct yk_pod one = {.object = {.labels = {&pairs[0], 1}}}, two = {.object = {.labels = {&pairs[1], 1}}},
                  three = {.object = {.annotations = {&pairs[0], 1}}};
    yk_pod_set_likeness(&one);
    yk_pod_set_likeness(&two);
    yk_pod_set_likeness(&three);
    assert_memory_not_equal(one.likeness, two.likeness, sizeof(one.likeness));
    assert_memory_not_equal(one.likeness, three.likeness, sizeof(one.likeness));
}

/* A port more in the first container is not one more in the second. */
static void items_do_not_run_together(void **state)
{
    (void)state;
    struct yk_container_port port = {.host_port = 80};
    struct yk_container containers[2][2] = {{{.ports = &port, .port_count = 1}, {.name = YK_STR("b")}},
                                            {{.name = {0}}, {YK_STR("b"), .ports = &port, .port_count = 1}}};
    struct yk_pod one = {.containers = containers[0], .container_count = 2},
                  two = {.containers = containers[1], .container_count = 2},
                  three = {.init_containers = containers[0], .init_container_count = 2};
    yk_pod_set_likeness(&one);
    yk_pod_set_likeness(&two);
    yk_pod_set_likeness(&three);
    assert_memory_not_equal(one.likeness, two.likeness, sizeof(one.likeness));
    assert_memory_not_equal(one.likeness, three.likeness, sizeof(one.likeness));
}

static struct yk_object *read_json(const char *text)
{
    struct yk_object *object = NULL;
    struct yk_err err;
    if (yk_object_from_json(YK_KIND_POD, yk_str_from(text), &object, &err) != YK_OK)
        fail_msg("%s", err.text);
    return object;
}

/* As a controller makes them, and one of them later on. */
static void pods_of_a_workload_are_alike(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"metadata\":{\"name\":\"a\",\"namespace\":\"n\",\"uid\":\"1\",\"resourceVersion\":\"5\","
        "\"labels\":{"
        "\"l\":\"v\"}},\"spec\":{\"schedulerName\":\"yunikorn\"},\"status\":{\"phase\":\"Pending\"}}",
        "{\"metadata\":{\"name\":\"b\",\"namespace\":\"n\",\"uid\":\"2\",\"resourceVersion\":\"6\","
        "\"labels\":{"
        "\"l\":\"v\"}},\"spec\":{\"schedulerName\":\"yunikorn\"},\"status\":{\"phase\":\"Pending\"}}",
        "{\"metadata\":{\"name\":\"a\",\"namespace\":\"n\",\"uid\":\"1\",\"resourceVersion\":\"9\","
        "\"generation\":"
        "2,\"labels\":{\"l\":\"v\"},\"creationTimestamp\":\"2024-01-01T00:00:00Z\"},\"spec\":{"
        "\"schedulerName\":"
        "\"yunikorn\",\"nodeName\":\"node\"},\"status\":{\"phase\":\"Running\",\"conditions\":[{\"type\":"
        "\"Ready\"}]"
        "}}",
        "{\"metadata\":{\"name\":\"a\",\"namespace\":\"n\",\"uid\":\"1\",\"resourceVersion\":\"5\","
        "\"labels\":{"
        "\"l\":\"w\"}},\"spec\":{\"schedulerName\":\"yunikorn\"},\"status\":{\"phase\":\"Pending\"}}",
    };
    struct yk_object *objects[YK_COUNT(texts)];
    const uint64_t *first = NULL;
    for (size_t i = 0; i < YK_COUNT(texts); i++) {
        objects[i] = read_json(texts[i]);
        const uint64_t *likeness = yk_pod_of(objects[i])->likeness;
        assert_true(yk_likeness_is_known(likeness));
        first = i == 0 ? likeness : first;
        assert_int_equal(memcmp(first, likeness, sizeof(uint64_t[2])) == 0, i < 3);
    }
    for (size_t i = 0; i < YK_COUNT(texts); i++)
        yk_object_free(objects[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_field_counts_but_its_own), cmocka_unit_test(what_says_much_is_unknown),
        cmocka_unit_test(labels_that_number_pods),       cmocka_unit_test(texts_do_not_run_together),
        cmocka_unit_test(items_do_not_run_together),     cmocka_unit_test(pods_of_a_workload_are_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
