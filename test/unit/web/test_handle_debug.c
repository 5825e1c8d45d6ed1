/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks and profiles over HTTP, and the format of pprof. */
#include "web/browser.h"
#include "web/profile.h"

#include <zlib.h>

static const char config[] = "partitions: [{name: default, queues: [{name: root}]}]";

static void stacks(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, config);
    struct yk_answer answer = browse(&world, "/debug/stack", 200);
    assert_non_null(strstr(yk_buf_cstr(&answer.body), "thread "));
    assert_non_null(strstr(yk_buf_cstr(&answer.body), "\n    "));
    yk_answer_done(&answer);
    answer = browse(&world, "/ws/v1/stack?a=b", 301);
    assert_string_equal(yk_buf_cstr(&answer.location), "/debug/stack?a=b");
    yk_answer_done(&answer);
    world_done(&world);
}

static void what_pprof_asks_for(void **state)
{
    (void)state;
    static const char *const without[] = {"heap",  "allocs", "goroutine", "threadcreate",
                                          "block", "mutex",  "symbol",    "trace"};
    struct world world;
    world_init(&world, config);
    struct yk_answer answer = browse(&world, "/debug/pprof/", 200);
    assert_non_null(strstr(yk_buf_cstr(&answer.body), "profile"));
    yk_answer_done(&answer);
    answer = browse(&world, "/debug/pprof/cmdline", 200);
    assert_non_null(strstr(yk_buf_cstr(&answer.body), "test_web_handle_debug"));
    yk_answer_done(&answer);
    for (size_t i = 0; i < YK_COUNT(without); i++) {
        char target[64];
        (void)snprintf(target, sizeof(target), "/debug/pprof/%s", without[i]);
        answer = browse(&world, target, 501);
        assert_non_null(strstr(yk_buf_cstr(&answer.body), "\"message\""));
        yk_answer_done(&answer);
    }
    answer = browse(&world, "/debug/pprof/unheard", 404);
    yk_answer_done(&answer);
    answer = browse(&world, "/debug/pprof/profile?seconds=x", 400);
    yk_answer_done(&answer);
    answer = browse(&world, "/debug/pprof/profile?seconds=%zz", 400);
    yk_answer_done(&answer);
    world_done(&world);
}

static void unpack(const struct yk_buf *packed, struct yk_buf *out)
{
    z_stream stream = {0};
    assert_int_equal(inflateInit2(&stream, 15 + 16), Z_OK);
    stream.next_in = (Bytef *)packed->p;
    stream.avail_in = (uInt)packed->len;
    stream.next_out = (Bytef *)yk_buf_reserve(out, 1 << 20);
    stream.avail_out = 1 << 20;
    assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
    out->len += stream.total_out;
    assert_int_equal(inflateEnd(&stream), Z_OK);
}

static bool holds(const struct yk_buf *bytes, const char *text)
{
    return memmem(bytes->p, bytes->len, text, strlen(text)) != NULL;
}

static __attribute__((noinline)) void a_function_with_a_name(void)
{
    __asm__ volatile("");
}

static void names_are_in_the_profile(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf packed = {0}, plain = {0};
    struct yk_sample samples[] = {
        {.depth = 2, .frames = {(void *)(uintptr_t)a_function_with_a_name, (void *)(uintptr_t)1}},
        {.depth = 0},
        {.depth = 1, .frames = {(void *)(uintptr_t)a_function_with_a_name}},
    };
    const struct yk_profile_times times = {1, 2, 10000000};
    a_function_with_a_name();
    yk_profile_write(samples, YK_COUNT(samples), &times, &packed);
    unpack(&packed, &plain);
    static const char *const texts[] = {"samples", "count", "cpu", "nanoseconds", "a_function_with_a_name"};
    for (size_t i = 0; i < YK_COUNT(texts); i++)
        assert_true(holds(&plain, texts[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stacks),
        cmocka_unit_test(what_pprof_asks_for),
        cmocka_unit_test(names_are_in_the_profile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
