/* SPDX-License-Identifier: Apache-2.0 */
#include "base/mailbox.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

enum { LETTERS = 20000, BOX_MAX = 64 };

struct letter {
    struct yk_command command; /* first */
    int number;
};

static int next_number, dropped, rooms;

static void read_letter(struct yk_command *command)
{
    struct letter *letter = (struct letter *)(void *)command;
    if (letter->number != next_number)
        fail_msg("letter %d instead of %d", letter->number, next_number);
    next_number++;
    free(letter);
}

static void drop_letter(struct yk_command *command)
{
    dropped++;
    free(command);
}

static struct yk_command *new_letter(int number, uint32_t weight)
{
    struct letter *letter = yk_new0(struct letter);
    *letter = (struct letter){{.run = read_letter, .drop = drop_letter, .weight = weight}, number};
    return &letter->command;
}

static void count_room(void *context)
{
    (void)context;
    rooms++;
}

static void count_wake(void *context)
{
    ++*(int *)context;
}

static void order_weight_and_bound(void **state)
{
    (void)state;
    struct yk_mailbox box;
    int wakes = 0;
    next_number = rooms = dropped = 0;
    yk_mailbox_init(&box, 10);
    box.wake = count_wake;
    box.wake_context = &wakes;
    box.on_capacity = count_room;
    yk_mailbox_post(&box, new_letter(0, 0));
    yk_mailbox_post(&box, new_letter(1, 8));
    assert_int_equal(wakes, 1); /* only when it was empty */
    assert_int_equal(yk_mailbox_weight(&box), 9);
    assert_false(yk_mailbox_is_full(&box));
    yk_mailbox_post(&box, new_letter(2, 3));
    assert_true(yk_mailbox_is_full(&box));
    assert_int_equal(yk_mailbox_run(&box, 1), 1);
    assert_int_equal(rooms, 0); /* 11 of 10 left: not below half */
    assert_int_equal(yk_mailbox_run(&box, 100), 2);
    assert_int_equal(rooms, 1);
    assert_int_equal(yk_mailbox_run(&box, 100), 0);
    yk_mailbox_post(&box, new_letter(3, 1));
    assert_int_equal(wakes, 2);
    yk_mailbox_close(&box);
    assert_int_equal(dropped, 1);
    yk_mailbox_post(&box, new_letter(4, 1));
    assert_int_equal(dropped, 2);
    assert_int_equal(yk_mailbox_weight(&box), 0);
    yk_mailbox_done(&box);
}

static void *post_all(void *context)
{
    struct yk_mailbox *box = context;
    for (int i = 0; i < LETTERS; i++) {
        while (yk_mailbox_is_full(box))
            (void)sched_yield(); /* a producer that can wait */
        yk_mailbox_post(box, new_letter(i, 1));
    }
    return NULL;
}

static void two_threads_meet(void **state)
{
    (void)state;
    struct yk_mailbox box;
    pthread_t thread;
    size_t heaviest = 0;
    next_number = rooms = dropped = 0;
    yk_mailbox_init(&box, BOX_MAX);
    box.on_capacity = count_room;
    assert_int_equal(pthread_create(&thread, NULL, post_all, &box), 0);
    while (next_number < LETTERS) {
        heaviest = YK_MAX(heaviest, yk_mailbox_weight(&box));
        if (yk_mailbox_run(&box, 16) == 0)
            (void)sched_yield();
    }
    (void)pthread_join(thread, NULL);
    assert_true(heaviest <= BOX_MAX);
    assert_int_equal(next_number, LETTERS);
    yk_mailbox_done(&box);
    assert_int_equal(dropped, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_weight_and_bound),
        cmocka_unit_test(two_threads_meet),
    };
    return cmocka_run_group_tests_name("base/mailbox", tests, NULL, NULL);
}
