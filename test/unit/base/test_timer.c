/* SPDX-License-Identifier: Apache-2.0 */
/* Timers on a virtual clock, and the actor that runs them. */
#include "base/actor.h"
#include "base/clock.h"
#include "base/timer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#define S YK_NS_PER_S

struct bell {
    struct yk_timer timer; /* first */
    struct yk_timers *timers;
    char *log;
    char letter;
    int again; /* arms itself this often for now */
    struct bell *cancels;
};

static void ring(struct yk_timer *timer)
{
    struct bell *bell = (struct bell *)(void *)timer;
    size_t len = strlen(bell->log);
    bell->log[len] = bell->letter;
    bell->log[len + 1] = '\0';
    if (bell->again-- > 0)
        yk_timer_arm(bell->timers, timer, 0);
    if (bell->cancels != NULL)
        yk_timer_cancel(bell->timers, &bell->cancels->timer);
}

static void timers_fire_in_order(void **state)
{
    (void)state;
    struct yk_clock clock;
    struct yk_timers timers;
    char log[32] = "";
    struct bell a = {{.fire = ring}, &timers, log, 'a', 0, NULL}, b = a, c = a, d = a;
    b.letter = 'b';
    c.letter = 'c';
    d.letter = 'd';
    yk_clock_virtual_init(&clock, 1000 * S);
    yk_timers_init(&timers, &clock);
    assert_int_equal(yk_timers_next_ns(&timers), INT64_MAX);
    yk_timer_arm(&timers, &c.timer, 3 * S);
    yk_timer_arm(&timers, &a.timer, 2 * S);
    yk_timer_arm(&timers, &b.timer, 2 * S); /* same time: in the order they were armed */
    yk_timer_arm(&timers, &d.timer, -5);
    assert_int_equal(yk_timers_run(&timers), 1); /* only what is due */
    assert_int_equal(yk_timers_next_ns(&timers), yk_clock_mono_ns(&clock) + 2 * S);
    yk_clock_advance(&clock, 2 * S - 1);
    assert_int_equal(yk_timers_run(&timers), 0);
    yk_clock_advance(&clock, 1);
    assert_int_equal(yk_timers_run(&timers), 2);
    yk_timer_arm(&timers, &c.timer, 10 * S); /* moved */
    yk_clock_advance(&clock, 5 * S);
    assert_int_equal(yk_timers_run(&timers), 0);
    assert_true(yk_timer_armed(&c.timer));
    yk_timer_cancel(&timers, &c.timer);
    yk_timer_cancel(&timers, &c.timer);
    assert_false(yk_timer_armed(&c.timer));
    assert_string_equal(log, "dab");
    assert_int_equal(yk_clock_wall_ns(&clock), 1007 * S);
    yk_timers_done(&timers);
}

static void timers_may_arm_and_cancel_while_firing(void **state)
{
    (void)state;
    struct yk_clock clock;
    struct yk_timers timers;
    char log[32] = "";
    struct bell a = {{.fire = ring}, &timers, log, 'a', 2, NULL},
                b = {{.fire = ring}, &timers, log, 'b', 0, NULL};
    a.cancels = &b;
    yk_clock_virtual_init(&clock, 0);
    yk_timers_init(&timers, &clock);
    yk_timer_arm(&timers, &a.timer, 0);
    yk_timer_arm(&timers, &b.timer, 0);
    assert_int_equal(yk_timers_run(&timers), 1); /* b was cancelled, a's next round is for the next run */
    assert_int_equal(yk_timers_run(&timers), 1);
    assert_int_equal(yk_timers_run(&timers), 1);
    assert_int_equal(yk_timers_run(&timers), 0);
    assert_string_equal(log, "aaa");
    yk_timers_done(&timers);
}

/* --- the actor: one step at a time --- */

struct note {
    struct yk_command command; /* first */
    char *log;
};

static void run_note(struct yk_command *command)
{
    struct note *note = (struct note *)(void *)command;
    (void)snprintf(note->log + strlen(note->log), 8, "c");
    free(note);
}

static void drop_note(struct yk_command *command)
{
    free(command);
}

static int slices;

static bool work_slice(void *context)
{
    char *log = context;
    (void)snprintf(log + strlen(log), 8, "w");
    return --slices > 0;
}

static void an_actor_runs_commands_timers_and_slices(void **state)
{
    (void)state;
    struct yk_clock clock;
    struct yk_actor actor;
    char log[32] = "";
    yk_clock_virtual_init(&clock, 0);
    yk_actor_init(&actor, &clock, 10);
    actor.work = work_slice;
    actor.context = log;
    slices = 2;
    struct bell bell = {{.fire = ring}, &actor.timers, log, 't', 0, NULL};
    yk_timer_arm(&actor.timers, &bell.timer, 0);
    struct note *note = yk_new0(struct note);
    *note = (struct note){{.run = run_note, .drop = drop_note}, log};
    yk_mailbox_post(&actor.inbox, &note->command);
    assert_true(yk_actor_step(&actor));
    assert_string_equal(log, "ctw");
    assert_false(yk_actor_step(&actor));
    assert_string_equal(log, "ctww");
    assert_int_equal(yk_actor_next_ns(&actor), INT64_MAX);
    yk_actor_done(&actor);
}

/* ---- what has changed ---- */

struct reader {
    struct yk_command command; /* first */
    struct yk_timer timer;
    struct yk_actor *actor;
    bool only_reads;
};

static void run_reader(struct yk_command *command)
{
    struct reader *reader = YK_CONTAINER(command, struct reader, command);
    if (reader->only_reads)
        yk_mailbox_nothing_changed(&reader->actor->inbox);
}

static void fire_reader(struct yk_timer *timer)
{
    struct reader *reader = YK_CONTAINER(timer, struct reader, timer);
    if (reader->only_reads)
        yk_timers_nothing_changed(&reader->actor->outside);
}

static void keep(struct yk_command *command)
{
    (void)command;
}

static bool no_work(void *context)
{
    return *(bool *)context;
}

static bool changes(struct yk_actor *actor)
{
    uint64_t before = yk_actor_changes(actor);
    (void)yk_actor_step(actor); /* whether there is more does not matter */
    return yk_actor_changes(actor) != before;
}

static void an_actor_says_whether_something_has_changed(void **state)
{
    (void)state;
    struct yk_clock clock;
    struct yk_actor actor;
    bool has_more = false;
    yk_clock_virtual_init(&clock, 0);
    yk_actor_init(&actor, &clock, 10);
    actor.work = no_work;
    actor.context = &has_more;
    struct reader reader = {{.run = run_reader, .drop = keep}, {.fire = fire_reader}, &actor, true};
    assert_false(changes(&actor));
    for (int writes = 0; writes < 2; writes++) {
        reader.only_reads = writes == 0;
        yk_mailbox_post(&actor.inbox, &reader.command);
        assert_int_equal(changes(&actor), writes);
        yk_timer_arm(&actor.outside, &reader.timer, 0);
        assert_int_equal(changes(&actor), writes);
        assert_false(changes(&actor));
    }
    has_more = true;
    assert_true(changes(&actor));
    has_more = false;
    assert_true(changes(&actor)); /* the work that was left */
    assert_false(changes(&actor));
    yk_actor_done(&actor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(timers_fire_in_order),
        cmocka_unit_test(timers_may_arm_and_cancel_while_firing),
        cmocka_unit_test(an_actor_runs_commands_timers_and_slices),
        cmocka_unit_test(an_actor_says_whether_something_has_changed),
    };
    return cmocka_run_group_tests_name("base/timer", tests, NULL, NULL);
}
