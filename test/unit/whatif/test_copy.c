/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of the process that answer, crash, hang or write too much. */
#include "whatif/copy.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

static int counter;

static void run(struct yk_copy *copy, void (*work)(void *context, struct yk_buf *answer),
                enum yk_copy_end want)
{
    struct yk_err err = {0};
    struct yk_copy_cost cost = {0};
    enum yk_copy_end end = YK_COPY_LATE;
    if (yk_copy_begin(copy, work, &counter, &err) != YK_OK)
        fail_msg("%s", err.text);
    yk_copy_wait(copy, &end, &cost);
    assert_int_equal(end, want);
    assert_int_equal(copy->pid, 0);
    assert_true(cost.fork_ns > 0 && cost.child_ns > 0);
}

static void count_and_say(void *context, struct yk_buf *answer)
{
    int *number = context;
    (*number)++;
    yk_buf_printf(answer, "%d", *number);
}

static void what_a_copy_changes_stays_there(void **state)
{
    (void)state;
    struct yk_copy copy;
    counter = 7;
    run(&copy, count_and_say, YK_COPY_ANSWERED);
    struct yk_str answer = yk_buf_view(&copy.answer);
    assert_true(yk_str_is(answer, "8"));
    assert_int_equal(counter, 7);
    yk_buf_done(&copy.answer);
}

static void die(void *context, struct yk_buf *answer)
{
    (void)context;
    yk_buf_text(answer, "half");
    signal(SIGABRT, SIG_DFL);
    abort();
}

static void leave(void *context, struct yk_buf *answer)
{
    (void)context, (void)answer;
    _exit(0);
}

static void say_too_much(void *context, struct yk_buf *answer)
{
    (void)context;
    for (size_t i = 0; i <= YK_COPY_ANSWER_MAX; i += 1024)
        yk_buf_printf(answer, "%1024s", "");
}

static void a_copy_that_ends_badly_is_an_answer_too(void **state)
{
    (void)state;
    static void (*const works[])(void *, struct yk_buf *) = {die, leave, say_too_much};
    for (size_t i = 0; i < YK_COUNT(works); i++) {
        struct yk_copy copy;
        run(&copy, works[i], YK_COPY_DIED);
        yk_buf_done(&copy.answer);
    }
}

static void say_much(void *context, struct yk_buf *answer)
{
    (void)context;
    for (size_t i = 0; i < YK_COPY_ANSWER_MAX / 1024; i++)
        yk_buf_printf(answer, "%1024s", "");
}

static void the_largest_answer_arrives(void **state)
{
    (void)state;
    struct yk_copy copy;
    run(&copy, say_much, YK_COPY_ANSWERED);
    assert_int_equal(copy.answer.len, YK_COPY_ANSWER_MAX);
    yk_buf_done(&copy.answer);
}

static void hang(void *context, struct yk_buf *answer)
{
    (void)context, (void)answer;
    for (;;)
        pause();
}

static void a_copy_that_hangs_can_be_killed(void **state)
{
    (void)state;
    struct yk_copy copy;
    struct yk_err err = {0};
    struct yk_copy_cost cost;
    enum yk_copy_end end;
    assert_int_equal(yk_copy_begin(&copy, hang, NULL, &err), YK_OK);
    assert_false(yk_copy_poll(&copy, &end, &cost));
    yk_copy_kill(&copy);
    yk_copy_wait(&copy, &end, &cost);
    assert_int_equal(end, YK_COPY_LATE);
    yk_buf_done(&copy.answer);
    assert_int_equal(yk_copy_begin(&copy, hang, NULL, &err), YK_OK);
    yk_copy_done(&copy);
    assert_int_equal(copy.pid, 0);
    yk_copy_done(&copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_copy_changes_stays_there),
        cmocka_unit_test(a_copy_that_ends_badly_is_an_answer_too),
        cmocka_unit_test(the_largest_answer_arrives),
        cmocka_unit_test(a_copy_that_hangs_can_be_killed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
