/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes, classes and groups are shared and counted: nothing is left when the last user goes. */
#include "base/random.h"
#include "objects/app.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { CLASSES = 4, SIZES = 6, HELD = 200, STEPS = 20000 };

static struct yk_resvec size_of(uint64_t number)
{
    struct yk_resvec size = {0};
    yk_resvec_put(&size, YK_RESTYPE_VCORE, (int64_t)(number / 2));
    if (number % 2 == 1)
        yk_resvec_put(&size, YK_RESTYPE_MEMORY, 0); /* present with 0 is another size than absent */
    return size;
}

static yk_si_class class_of(uint64_t number)
{
    static const yk_si_class classes[CLASSES] = {YK_SI_CLASS_ANY, 0, 1, UINT32_MAX - 1};
    return classes[number];
}

static void shapes_are_shared_and_counted(void **state)
{
    (void)state;
    struct yk_shapes shapes;
    struct yk_shape *held[HELD] = {0};
    uint32_t uses[CLASSES][SIZES] = {0};
    uint64_t chosen[HELD][2];
    struct yk_random random;
    yk_random_init(&random, 7);
    yk_shapes_init(&shapes);
    for (int step = 0; step < STEPS; step++) {
        uint64_t at = yk_random_below(&random, HELD), class_ = yk_random_below(&random, CLASSES);
        uint64_t number = yk_random_below(&random, SIZES);
        if (held[at] != NULL) {
            uses[chosen[at][0]][chosen[at][1]]--;
            yk_shape_put(&shapes, held[at]);
            held[at] = NULL;
            continue;
        }
        struct yk_resvec size = size_of(number);
        held[at] = yk_shape_get(&shapes, class_of(class_), &size);
        chosen[at][0] = class_;
        chosen[at][1] = number;
        uses[class_][number]++;
        assert_int_equal(held[at]->groups_count, uses[class_][number]);
        assert_true(yk_resvec_same(&held[at]->size, &size));
        yk_shape_set_parked(&shapes, held[at], yk_random_below(&random, 2) == 0);
        uint32_t distinct = 0;
        for (size_t i = 0; i < CLASSES * SIZES; i++)
            distinct += uses[i / SIZES][i % SIZES] > 0;
        assert_int_equal(shapes.count, distinct);
        assert_true(shapes.parked_count <= shapes.count);
    }
    for (size_t i = 0; i < HELD; i++) {
        if (held[i] != NULL)
            yk_shape_put(&shapes, held[i]);
    }
    assert_int_equal(shapes.count, 0);
    assert_int_equal(shapes.parked_count, 0);
    assert_int_equal(shapes.classes.count, 0);
    assert_true(yk_list_empty(&shapes.class_list) && yk_list_empty(&shapes.open) &&
                yk_list_empty(&shapes.parked));
    yk_shapes_done(&shapes);
}

static void groups_hold_one_use_of_their_shape(void **state)
{
    (void)state;
    struct yk_shapes shapes;
    struct yk_si_new_app request = {.application_id = "app"};
    struct yk_app *app = yk_app_new(&request, "joe", NULL, 0, 1);
    struct yk_resvec size = size_of(4);
    static const int32_t priorities[] = {0, 1, -1, INT32_MIN, INT32_MAX, 0, INT32_MIN};
    struct yk_group *groups[YK_COUNT(priorities)];
    yk_shapes_init(&shapes);
    for (size_t i = 0; i < YK_COUNT(priorities); i++) {
        const struct yk_group_key key = {.shape = yk_shape_get(&shapes, 3, &size), .priority = priorities[i]};
        groups[i] = yk_app_group(app, &key, &shapes);
        assert_int_equal(groups[i]->priority, priorities[i]);
    }
    assert_ptr_equal(groups[0], groups[5]);
    assert_ptr_equal(groups[3], groups[6]);
    assert_int_equal(groups[0]->ask_count, 2);
    assert_int_equal(groups[0]->shape->groups_count, 5);
    for (size_t i = 0; i < YK_COUNT(priorities); i++)
        yk_group_put(groups[i], &shapes);
    assert_int_equal(shapes.count, 0);
    assert_int_equal(app->groups_by_shape.count, 0);
    yk_app_free(app);
    yk_shapes_done(&shapes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_are_shared_and_counted),
        cmocka_unit_test(groups_hold_one_use_of_their_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
