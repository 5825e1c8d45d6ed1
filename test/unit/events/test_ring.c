/* SPDX-License-Identifier: Apache-2.0 */
#include "events/ring.h"

#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

/* An event whose content follows from its number. */
struct made {
    struct yk_event event;
    char object[64], reference[64], message[3000];
};

static void make(struct made *made, uint64_t number, size_t message_len)
{
    memset(made, 0, sizeof(*made));
    (void)snprintf(made->object, sizeof(made->object), "object-%llu", (unsigned long long)number);
    (void)snprintf(made->reference, sizeof(made->reference), "%llu", (unsigned long long)(number * 7));
    memset(made->message, 'a' + (int)(number % 26), message_len);
    made->event.type = YK_EVENT_APP;
    made->event.change = (enum yk_event_change)(number % 4);
    made->event.detail = YK_EVENT_APP_ALLOC;
    made->event.wall_ns = (int64_t)number * 1000;
    made->event.object_id = yk_str_from(made->object);
    made->event.reference_id = yk_str_from(number % 3 == 0 ? "" : made->reference);
    made->event.message = (struct yk_str){made->message, message_len};
    if (number % 2 == 0)
        yk_resvec_put(&made->event.resource, YK_RESTYPE_VCORE, (int64_t)number);
    if (number % 5 == 0)
        yk_resvec_put(&made->event.resource, YK_RESTYPE_PODS, INT64_MIN);
}

static void check(const struct yk_ring *ring, uint64_t number, size_t message_len)
{
    struct made want;
    YK_EVENT(got);
    make(&want, number, message_len);
    if (!yk_ring_get(ring, number, &got))
        fail_msg("%llu is not there", (unsigned long long)number);
    assert_int_equal(got.type, want.event.type);
    assert_int_equal(got.change, want.event.change);
    assert_int_equal(got.detail, want.event.detail);
    assert_int_equal(got.wall_ns, want.event.wall_ns);
    assert_true(yk_str_eq(got.object_id, want.event.object_id));
    assert_true(yk_str_eq(got.reference_id, want.event.reference_id));
    assert_true(yk_str_eq(got.message, want.event.message));
    assert_true(yk_resvec_same(&got.resource, &want.event.resource));
}

static void empty_ring(void **state)
{
    (void)state;
    YK_CLEANUP(yk_ring_freep) struct yk_ring *ring = yk_ring_new(0);
    YK_EVENT(event);
    assert_int_equal(yk_ring_count(ring), 0);
    assert_false(yk_ring_get(ring, 0, &event));
}

static void the_oldest_go_first(void **state)
{
    (void)state;
    YK_CLEANUP(yk_ring_freep) struct yk_ring *ring = yk_ring_new(10);
    YK_EVENT(event);
    for (uint64_t i = 0; i < 25; i++) {
        struct made made;
        make(&made, i, 20);
        assert_int_equal(yk_ring_add(ring, &made.event), i);
    }
    assert_int_equal(yk_ring_lowest(ring), 15);
    assert_int_equal(yk_ring_next(ring), 25);
    assert_false(yk_ring_get(ring, 14, &event));
    assert_false(yk_ring_get(ring, 25, &event));
    for (uint64_t i = 15; i < 25; i++)
        check(ring, i, 20);
}

static void long_texts_are_cut(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        size_t len;
        const char *at_cut; /* put at byte 1020 */
        size_t want;
        bool dots;
    } cases[] = {
        {"fits", 1024, "", 1024, false},
        {"one too many", 1025, "", 1024, true},
        {"far too many", 2999, "", 1024, true},
        {"not within a character", 2000, "\xe2\x82\xac", 1023, true},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_ring_freep) struct yk_ring *ring = yk_ring_new(4);
        struct made made;
        YK_EVENT(got);
        make(&made, 0, cases[i].len);
        memcpy(made.message + 1020, cases[i].at_cut, strlen(cases[i].at_cut));
        (void)yk_ring_add(ring, &made.event);
        assert_true(yk_ring_get(ring, 0, &got));
        if (got.message.len != cases[i].want || yk_str_ends(got.message, "...") != cases[i].dots)
            fail_msg("%s: %zu bytes", cases[i].what, got.message.len);
    }
    YK_CLEANUP(yk_ring_freep) struct yk_ring *ring = yk_ring_new(4);
    char *name = yk_alloc0(70000);
    struct yk_event event = {.object_id = {memset(name, 'x', 70000), 70000}};
    YK_EVENT(got);
    (void)yk_ring_add(ring, &event);
    assert_true(yk_ring_get(ring, 0, &got));
    assert_int_equal(got.object_id.len, YK_EVENT_ID_MAX);
    free(name);
}

/* Whatever comes, the newest are there, in full, and the numbers have no gap. */
static void random_sizes(void **state)
{
    (void)state;
    enum { EVENTS = 20000 };
    struct yk_random random;
    yk_random_init(&random, 42);
    uint16_t *lens = yk_new0_array(uint16_t, EVENTS);
    YK_CLEANUP(yk_ring_freep) struct yk_ring *ring = yk_ring_new(500);
    for (uint64_t i = 0; i < EVENTS; i++) {
        struct made made;
        lens[i] = (uint16_t)yk_random_below(&random, yk_random_below(&random, 4) == 0 ? 1024 : 30);
        make(&made, i, lens[i]);
        assert_int_equal(yk_ring_add(ring, &made.event), i);
        assert_true(yk_ring_count(ring) >= 40 || yk_ring_lowest(ring) == 0); /* 64 KiB of the largest */
        if (i % 997 == 0) {
            for (uint64_t number = yk_ring_lowest(ring); number < yk_ring_next(ring); number++)
                check(ring, number, lens[number]);
        }
        if (i % 5000 == 4999)
            yk_ring_resize(ring, (size_t)yk_random_below(&random, 900) + 100);
    }
    free(lens);
}

/* The clock of the machine may be set, far back or far ahead. */
static void at_any_time(void **state)
{
    enum { EVENTS = 5000 };
    (void)state;
    YK_CLEANUP(yk_ring_freep) struct yk_ring *ring = yk_ring_new(EVENTS);
    static const int64_t steps[] = {0, 1, -1, (INT64_C(1) << 40) - 1, INT64_C(1) << 40, -(INT64_C(1) << 50)};
    static const int64_t times[] = {INT64_MIN, INT64_MAX, 0, -1};
    int64_t at[EVENTS];
    struct yk_random random;
    yk_random_init(&random, 7);
    for (size_t i = 0; i < EVENTS; i++) {
        bool jumps = i == 0 || yk_random_below(&random, 100) == 0;
        int64_t step = steps[yk_random_below(&random, YK_COUNT(steps))];
        at[i] = jumps ? times[yk_random_below(&random, YK_COUNT(times))]
                      : (int64_t)((uint64_t)at[i - 1] + (uint64_t)step);
        struct yk_event event = {.type = YK_EVENT_USER_GROUP, .wall_ns = at[i]};
        assert_int_equal(yk_ring_add(ring, &event), i);
    }
    for (size_t i = 0; i < EVENTS; i++) {
        YK_EVENT(got);
        assert_true(yk_ring_get(ring, i, &got));
        assert_int_equal(got.wall_ns, at[i]);
        assert_int_equal(got.type, YK_EVENT_USER_GROUP);
    }
}

static void ids_come_back_as_they_were(void **state)
{
    (void)state;
    static const char *const ids[] = {
        "0f5c3ab2-e9a6-4d22-a2b9-cd2e1a0d7f11", "0F5C3AB2-E9A6-4D22-A2B9-CD2E1A0D7F11",
        "0f5c3ab2-e9a6-4d22-a2b9-cd2e1a0d7f1g", "00000000-0000-0000-0000-000000000000",
        "0f5c3ab2-e9a6-4d22-a2b9-cd2e1a0d7f1",  "0f5c3ab2-e9a6-4d22-a2b9-cd2e1a0d7f111",
        "0f5c3ab2:e9a6-4d22-a2b9-cd2e1a0d7f11", "ffffffff-ffff-ffff-ffff-ffffffffffff",
        "a-name-of-thirty-six-characters-1234",
    };
    enum { EVENTS = 2000, COUNT = YK_COUNT(ids) };
    YK_CLEANUP(yk_ring_freep) struct yk_ring *ring = yk_ring_new(EVENTS);
    for (size_t i = 0; i < EVENTS; i++) { /* some in a row, in both places */
        const struct yk_event event = {.object_id = yk_str_from(ids[i / 3 % COUNT]),
                                       .reference_id = yk_str_from(ids[i % COUNT]),
                                       .message = yk_str_from(ids[i / 2 % COUNT])};
        (void)yk_ring_add(ring, &event);
    }
    for (size_t i = 0; i < EVENTS; i++) {
        YK_EVENT(got);
        assert_true(yk_ring_get(ring, i, &got));
        if (!yk_str_is(got.object_id, ids[i / 3 % COUNT]) || !yk_str_is(got.reference_id, ids[i % COUNT]) ||
            !yk_str_is(got.message, ids[i / 2 % COUNT]))
            fail_msg("event %zu: " YK_STR_FMT ", " YK_STR_FMT, i, YK_STR_ARG(got.object_id),
                     YK_STR_ARG(got.reference_id));
    }
}

static void resized(void **state)
{
    (void)state;
    YK_CLEANUP(yk_ring_freep) struct yk_ring *ring = yk_ring_new(10);
    for (uint64_t i = 0; i < 25; i++) {
        struct made made;
        make(&made, i, 20);
        (void)yk_ring_add(ring, &made.event);
    }
    yk_ring_resize(ring, 4);
    assert_int_equal(yk_ring_lowest(ring), 21);
    assert_int_equal(yk_ring_next(ring), 25);
    yk_ring_resize(ring, 1000);
    assert_int_equal(yk_ring_lowest(ring), 21);
    for (uint64_t i = 25; i < 100; i++) {
        struct made made;
        make(&made, i, 20);
        assert_int_equal(yk_ring_add(ring, &made.event), i);
    }
    assert_int_equal(yk_ring_lowest(ring), 21);
    for (uint64_t i = 21; i < 100; i++)
        check(ring, i, 20);
}

/* What a pod tells in its life, in the order in which a busy scheduler tells it, with names as they are. */
static void tell_pod(struct yk_ring *ring, int pod)
{
    char key[40], app[64], node[64];
    (void)snprintf(key, sizeof(key), "%08x-7d3f-4c1a-9b5e-%012x", (unsigned)pod * 2654435761u, (unsigned)pod);
    (void)snprintf(app, sizeof(app), "spark-0f5c3ab2e9a64d22a2b9cd2e1a0d%04d", pod / 500);
    (void)snprintf(node, sizeof(node), "ip-10-0-%d-%d.eu-central-1.compute.internal", pod % 50, pod % 97);
    struct yk_event event = {.type = YK_EVENT_APP, .change = YK_EVENT_ADD, .wall_ns = pod};
    yk_resvec_put(&event.resource, YK_RESTYPE_VCORE, 1000);
    yk_resvec_put(&event.resource, YK_RESTYPE_MEMORY, (int64_t)(1 + pod % 4) << 30);
    yk_resvec_put(&event.resource, YK_RESTYPE_PODS, 1);
    event.object_id = yk_str_from(node);
    event.reference_id = yk_str_from(key);
    (void)yk_ring_add(ring, &event);
    event.object_id = YK_STR("root.production.analytics");
    event.reference_id = YK_STR("team-analytics");
    (void)yk_ring_add(ring, &event);
    event.object_id = yk_str_from(app);
    event.reference_id = yk_str_from(key);
    (void)yk_ring_add(ring, &event);
}

static void a_hundred_thousand_take_5_mb(void **state)
{
    (void)state;
    YK_CLEANUP(yk_ring_freep) struct yk_ring *ring = yk_ring_new(0);
    size_t empty_bytes = yk_ring_bytes(ring);
    for (int pod = 0; pod < 100000; pod++)
        tell_pod(ring, pod);
    assert_int_equal(yk_ring_count(ring), 100000);
    print_message("%zu bytes empty, %zu full\n", empty_bytes, yk_ring_bytes(ring));
    assert_true(empty_bytes < 100 << 10);
    assert_true(yk_ring_bytes(ring) < 5 * 1000 * 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_ring),
        cmocka_unit_test(the_oldest_go_first),
        cmocka_unit_test(long_texts_are_cut),
        cmocka_unit_test(random_sizes),
        cmocka_unit_test(at_any_time),
        cmocka_unit_test(ids_come_back_as_they_were),
        cmocka_unit_test(resized),
        cmocka_unit_test(a_hundred_thousand_take_5_mb),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
