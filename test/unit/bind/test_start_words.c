/* SPDX-License-Identifier: Apache-2.0 */
/* When a pod may start, as people read it in its condition. */
#include "bind/start_words.h"

#include "lib/cmocka_headers.h"

#define MINUTE_NS (60 * YK_NS_PER_S)
#define NOON      "2026-11-25T12:03:20Z"

static int64_t at(const char *text)
{
    int64_t ns = 0;
    assert_int_equal(yk_time_parse(yk_str_from(text), &ns), YK_OK);
    return ns;
}

/* The estimate is from `from` to `to`; "": it is unknown. */
static struct yk_si_start estimated(const char *from, const char *to)
{
    struct yk_si_start start = {
        .waits = true, .ends_by_itself = true, .queue = "root.a", .is_known = *from != '\0'};
    if (start.is_known) {
        start.earliest_wall_ns = at(from);
        start.latest_wall_ns = at(to);
    }
    return start;
}

static void the_words(void **state)
{
    (void)state;
    static const struct {
        const char *what, *from, *to, *want;
    } cases[] = {
        {"minutes", "2026-11-25T12:04:10Z", "2026-11-25T12:09:50Z", "between 12:04 and 12:10 UTC"},
        {"steps of five minutes", "2026-11-25T12:24:10Z", "2026-11-25T12:41:00Z",
         "between 12:20 and 12:45 UTC"},
        {"steps of half an hour", "2026-11-25T13:24:10Z", "2026-11-25T15:41:00Z",
         "between 13:00 and 16:00 UTC"},
        {"never before now", "2026-11-25T11:00:00Z", "2026-11-25T12:06:00Z", "between 12:03 and 12:07 UTC"},
        {"another day", "2026-11-25T22:00:00Z", "2026-11-26T11:10:00Z",
         "between 2026-11-25 22:00 and 2026-11-26 12:00 UTC"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
        struct yk_si_start start = estimated(cases[i].from, cases[i].to);
        yk_start_words_add(&text, &start, at(NOON));
        if (strstr(yk_buf_cstr(&text), cases[i].want) == NULL)
            fail_msg("%s: %s", cases[i].what, yk_buf_cstr(&text));
        assert_memory_equal(yk_buf_cstr(&text), "; estimated start ", 18);
    }
}

/* The words of REST, from yk_si_start_basis(). */
static void the_words_when_it_is_unknown(void **state)
{
    (void)state;
    static const int64_t window_ns = 90 * YK_NS_PER_S;
    const struct {
        const char *want;
        struct yk_si_start start;
    } cases[] = {
        {"; start unknown: no waiting pods of queue root.a started lately", {.ends_by_itself = true}},
        {"; start unknown: no waiting placeholder pods of gangs of queue root.a started lately",
         {.ends_by_itself = true, .of_gangs = true}},
        {"; start unknown: too few waiting pods of queue root.a started lately",
         {.ends_by_itself = true, .starts = 2, .batches = 1, .window_ns = window_ns}},
        {"; start unknown: too few waiting pods of queue root.a started lately",
         {.ends_by_itself = true, .starts = 8, .batches = 2, .window_ns = window_ns}},
        {"; start unknown: new pods of older applications of queue root.a come as fast as pods start",
         {.ends_by_itself = true, .starts = 8, .batches = 8, .is_overtaken = true}},
        {"; start unknown: pods of other applications of queue root.a start first",
         {.ends_by_itself = true, .starts = 8, .batches = 8, .is_overtaken = true, .application = "app"}},
        {"; start unknown: it starts when the preempted pods have ended",
         {.ends_by_itself = true, .starts = 8, .batches = 8, .is_preempting = true}},
        {"; start unknown: other pods have to start or end first",
         {.ends_by_itself = true, .is_preempting = true, .needs_others = true}},
        {"; start unknown: its pods start only after the timeout of the gang",
         {.ends_by_itself = true, .needs_others = true, .is_after_timeout = true}},
        {"; start unknown: what it waits for does not end by itself", {.is_after_timeout = true}},
        {"; start unknown: queue root.a starts one application at a time, and how long those before this one "
         "take to "
         "start is not known",
         {.ends_by_itself = true, .starts = 8, .batches = 8, .waits_to_start = true}},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
        struct yk_si_start start = cases[i].start;
        yk_start_words_add(&text, &start, at(NOON));
        assert_string_equal(yk_buf_cstr(&text), ""); /* it does not wait */
        start.waits = true;
        start.queue = "root.a";
        yk_start_words_add(&text, &start, at(NOON));
        assert_string_equal(yk_buf_cstr(&text), cases[i].want);
    }
}

static void when_it_has_moved(void **state)
{
    (void)state;
    static const struct {
        const char *what, *from, *to, *now;
        bool moved;
    } cases[] = {
        {"the same", "2026-11-25T12:20:00Z", "2026-11-25T12:41:00Z", NOON, false},
        {"inside the range", "2026-11-25T12:26:00Z", "2026-11-25T12:41:00Z", NOON, false},
        {"it overlaps", "2026-11-25T12:39:00Z", "2026-11-25T12:58:00Z", NOON, false},
        {"after the range", "2026-11-25T12:50:00Z", "2026-11-25T12:58:00Z", NOON, true},
        {"before the range", "2026-11-25T12:04:00Z", "2026-11-25T12:08:00Z", NOON, true},
        {"much narrower", "2026-11-25T12:26:00Z", "2026-11-25T12:29:00Z", "2026-11-25T12:25:00Z", true},
        {"the range is over", "2026-11-25T12:26:00Z", "2026-11-25T12:41:00Z", "2026-11-25T12:46:00Z", true},
        {"unknown now", "", "", NOON, true},
    };
    struct yk_si_start first = estimated("2026-11-25T12:24:10Z", "2026-11-25T12:41:00Z");
    struct yk_start_range written = yk_start_range_of(&first, at(NOON));
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_si_start start = estimated(cases[i].from, cases[i].to);
        if (yk_start_range_moved(written, &start, at(cases[i].now)) != cases[i].moved)
            fail_msg("%s: %s", cases[i].what, cases[i].moved ? "not moved" : "moved");
    }
    struct yk_start_range unknown = {0, 0};
    assert_true(yk_start_range_moved(unknown, &first, at(NOON)));
    struct yk_si_start never = estimated("", "");
    assert_false(yk_start_range_moved(unknown, &never, at(NOON)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_words),
                                       cmocka_unit_test(the_words_when_it_is_unknown),
                                       cmocka_unit_test(when_it_has_moved)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
