/* SPDX-License-Identifier: Apache-2.0 */
/* Back-off, token bucket and URLs: what bounds and shapes our requests. */
#include "client/backoff.h"
#include "client/token_bucket.h"
#include "client/url.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void backoff_doubles_up_to_its_cap(void **state)
{
    (void)state;
    static const int64_t steps_ms[] = {800, 1600, 3200, 6400, 12800, 25600, 30000, 30000};
    struct yk_random random;
    for (uint64_t seed = 1; seed < 50; seed++) {
        struct yk_backoff backoff = {0};
        int64_t now_ns = YK_NS_PER_S;
        yk_random_init(&random, seed);
        for (size_t i = 0; i < YK_COUNT(steps_ms); i++) {
            int64_t step_ns = steps_ms[i] * YK_NS_PER_MS,
                    delay_ns = yk_backoff_next_ns(&backoff, &random, now_ns);
            if (delay_ns < step_ns || delay_ns >= 2 * step_ns)
                fail_msg("failure %zu with seed %llu waits %lld ns", i, (unsigned long long)seed,
                         (long long)delay_ns);
            now_ns += delay_ns;
        }
        int64_t fresh_ns = yk_backoff_next_ns(&backoff, &random, now_ns + 121 * YK_NS_PER_S);
        assert_true(fresh_ns >= 800 * YK_NS_PER_MS && fresh_ns < 1600 * YK_NS_PER_MS);
    }
}

static void bucket_limits(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        int64_t qps, burst;
        enum yk_status want;
        int at_once, in_a_second; /* tokens; -1: no limit */
    } cases[] = {
        {"five a second by default", 0, 0, YK_OK, 10, 5},
        {"a burst, then the rate", 100, 3, YK_OK, 3, 3},
        {"rate below burst", 2, 5, YK_OK, 5, 2},
        {"off", -1, 0, YK_OK, -1, -1},
        {"a rate without a burst", 10, 0, YK_ERR_INVALID, 0, 0},
        {"a rate with a negative burst", 10, -3, YK_ERR_INVALID, 0, 0},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_token_bucket bucket;
        struct yk_err err = {0};
        enum yk_status st = yk_token_bucket_init(&bucket, cases[i].qps, cases[i].burst, 0, &err);
        if (st != cases[i].want)
            fail_msg("%s: %s", cases[i].what, err.text);
        if (st != YK_OK)
            continue;
        int at_once = 0, later = 0;
        while (at_once < 1000 && yk_token_bucket_take(&bucket, 0) == 0)
            at_once++;
        while (later < 1000 && yk_token_bucket_take(&bucket, YK_NS_PER_S) == 0)
            later++;
        if (at_once != (cases[i].at_once < 0 ? 1000 : cases[i].at_once) ||
            later != (cases[i].in_a_second < 0 ? 1000 : cases[i].in_a_second))
            fail_msg("%s: %d at once, %d a second later", cases[i].what, at_once, later);
    }
}

static void bucket_says_when(void **state)
{
    (void)state;
    struct yk_token_bucket bucket;
    assert_int_equal(yk_token_bucket_init(&bucket, 3, 1, 0, NULL), YK_OK);
    for (int64_t now_ns = 0, i = 0; i < 1000; i++) {
        assert_int_equal(yk_token_bucket_take(&bucket, now_ns), 0);
        int64_t wait_ns = yk_token_bucket_take(&bucket, now_ns);
        assert_in_range(wait_ns, 1, YK_NS_PER_S / 3 + 2);
        now_ns += wait_ns; /* exactly then there is one */
    }
}

static void urls_are_escaped(void **state)
{
    (void)state;
    struct yk_buf url = {0};
    yk_buf_text(&url, "/api");
    yk_url_segment(&url, "a b/c");
    yk_url_segment(&url, "..");
    yk_url_query(&url, "x", "1&y=2");
    yk_url_query(&url, "fieldSelector", "status.phase!=Failed,a=b");
    assert_string_equal(yk_buf_cstr(&url),
                        "/api/a%20b%2Fc/%2E%2E?x=1%26y%3D2&fieldSelector=status.phase%21%3DFailed%2Ca%3Db");
    yk_buf_done(&url);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(backoff_doubles_up_to_its_cap),
        cmocka_unit_test(bucket_limits),
        cmocka_unit_test(bucket_says_when),
        cmocka_unit_test(urls_are_escaped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
