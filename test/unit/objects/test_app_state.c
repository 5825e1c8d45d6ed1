/* SPDX-License-Identifier: Apache-2.0 */
/* The application state machine, every cell of its table: docs/reference/scheduling.md 2.1, 2.4. */
#include "objects/app_state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* One letter per state; '-': the event is refused. */
static const char letters[] = {
    [YK_APP_NEW] = 'N',      [YK_APP_ACCEPTED] = 'A',   [YK_APP_STARTING] = 'S',  [YK_APP_RUNNING] = 'R',
    [YK_APP_REJECTED] = 'J', [YK_APP_COMPLETING] = 'C', [YK_APP_COMPLETED] = 'D', [YK_APP_FAILING] = 'F',
    [YK_APP_FAILED] = 'X',   [YK_APP_EXPIRED] = 'E',    [YK_APP_RESUMING] = 'U',
};

static void every_cell_of_the_table(void **state)
{
    (void)state;
    static const struct {
        enum yk_app_state from;
        const char *to; /* by run, reject, complete, fail, expire, resume */
    } rows[] = {
        {YK_APP_NEW, "AJ-F-U"},      {YK_APP_ACCEPTED, "R-CF-U"},   {YK_APP_STARTING, "R-CF--"},
        {YK_APP_RUNNING, "R-CF--"},  {YK_APP_COMPLETING, "R-D---"}, {YK_APP_RESUMING, "A-----"},
        {YK_APP_FAILING, "---X--"},  {YK_APP_COMPLETED, "----E-"},  {YK_APP_FAILED, "----E-"},
        {YK_APP_REJECTED, "----E-"}, {YK_APP_EXPIRED, "------"},
    };
    static const enum yk_app_event events[] = {YK_APP_RUN,  YK_APP_REJECT, YK_APP_COMPLETE,
                                               YK_APP_FAIL, YK_APP_EXPIRE, YK_APP_RESUME};
    YK_STATIC_ASSERT(YK_COUNT(rows) == YK_APP_STATE_COUNT, "every state has its row");
    for (size_t i = 0; i < YK_COUNT(rows); i++) {
        for (size_t e = 0; e < YK_COUNT(events); e++) {
            enum yk_app_state to = YK_APP_NEW;
            char got = yk_app_next_state(rows[i].from, events[e], &to) ? letters[to] : '-';
            if (got != rows[i].to[e])
                fail_msg("%s, %s: %c, not %c", yk_app_state_name(rows[i].from), yk_app_event_name(events[e]),
                         got, rows[i].to[e]);
            if (got == '-')
                assert_int_equal(to, YK_APP_NEW); /* untouched */
        }
    }
}

/* 2.1: the names of the events are seen, as messages. */
static void names_of_events(void **state)
{
    (void)state;
    assert_string_equal(yk_app_event_name(YK_APP_RUN), "runApplication");
    assert_string_equal(yk_app_event_name(YK_APP_REJECT), "rejectApplication");
    assert_string_equal(yk_app_event_name(YK_APP_COMPLETE), "completeApplication");
    assert_string_equal(yk_app_event_name(YK_APP_FAIL), "failApplication");
    assert_string_equal(yk_app_event_name(YK_APP_EXPIRE), "expireApplication");
    assert_string_equal(yk_app_event_name(YK_APP_RESUME), "resumeApplication");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cell_of_the_table),
        cmocka_unit_test(names_of_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
