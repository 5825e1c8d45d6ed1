/* SPDX-License-Identifier: Apache-2.0 */
/* Headroom, fair maximum, room and priorities of queues against naive recomputations (queues.md R23 to R29,
 * R46). */
#include "base/random.h"
#include "lib/amounts.h"
#include "objects/queue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { DEPTH = 5, TYPES = 5, ROUNDS = 3000 };

static struct yk_resvec random_amounts(struct yk_random *random, int64_t from, uint64_t most)
{
    struct yk_resvec amounts = {0};
    for (int type = 0; type < TYPES; type++) {
        if (yk_random_below(random, 2) == 0)
            yk_resvec_put(&amounts, type, from + (int64_t)yk_random_below(random, most));
    }
    return amounts;
}

/* path[0] is the root. */
static void build_path(struct yk_random *random, struct yk_queue *path[DEPTH])
{
    for (int i = 0; i < DEPTH; i++) {
        path[i] = yk_queue_new(i > 0 ? path[i - 1] : NULL, YK_STR("q"), i == DEPTH - 1, true, 1);
        path[i]->has_max = yk_random_below(random, 3) != 0;
        if (path[i]->has_max)
            set_amounts(&path[i]->max, random_amounts(random, 0, 10));
        set_amounts(&path[i]->allocated, random_amounts(random, 0, 12));
    }
    for (int i = 0; i < DEPTH; i++)
        yk_queue_update_fair_max(path[i]);
}

/* R26 for one type: the smallest max - allocated of those that limit it. */
static bool naive_headroom(struct yk_queue *const path[DEPTH], int type, bool with_root, int64_t *ret_least)
{
    bool limited = false;
    for (int i = with_root ? 0 : 1; i < DEPTH; i++) {
        if (!path[i]->has_max || !yk_resvec_has(&path[i]->max, type))
            continue;
        int64_t room = yk_resvec_get(&path[i]->max, type) - yk_resvec_get(&path[i]->allocated, type);
        *ret_least = limited ? YK_MIN(*ret_least, room) : room;
        limited = true;
    }
    return limited;
}

static void check_headroom(struct yk_queue *const path[DEPTH], bool with_root)
{
    YK_RESVEC(headroom);
    bool any = yk_queue_headroom(path[DEPTH - 1], with_root, &headroom), want_any = false;
    for (int i = with_root ? 0 : 1; i < DEPTH; i++)
        want_any = want_any || path[i]->has_max;
    assert_int_equal(any, want_any);
    for (int type = 0; type < TYPES; type++) {
        int64_t want = 0;
        assert_int_equal(yk_resvec_has(&headroom, type), naive_headroom(path, type, with_root, &want));
        assert_int_equal(yk_resvec_get(&headroom, type), want);
    }
}

/* R25: the nearest queue that sets the type, if the root has a maximum at all. */
static void check_fair_max(struct yk_queue *const path[DEPTH])
{
    const struct yk_queue *leaf = path[DEPTH - 1];
    assert_int_equal(leaf->has_fair_max, path[0]->has_max);
    for (int type = 0; type < TYPES && leaf->has_fair_max; type++) {
        const struct yk_queue *queue = leaf;
        while (queue != NULL && !(queue->has_max && yk_resvec_has(&queue->max, type)))
            queue = queue->parent;
        assert_int_equal(yk_resvec_has(&leaf->fair_max, type), queue != NULL);
        if (queue != NULL)
            assert_int_equal(yk_resvec_get(&leaf->fair_max, type), yk_resvec_get(&queue->max, type));
    }
}

/* R29: the queue nearest to the root where allocated + size does not fit. The root's maximum refuses nothing
 * (scheduling.md 3.5). */
static void check_room(struct yk_queue *const path[DEPTH], const struct yk_resvec *size)
{
    const struct yk_queue *want = NULL;
    for (int i = DEPTH - 1; i > 0; i--) {
        for (int type = 0; type < TYPES; type++) {
            bool limited = path[i]->has_max && yk_resvec_has(&path[i]->max, type);
            if (limited && yk_resvec_has(size, type) &&
                yk_resvec_get(&path[i]->allocated, type) + yk_resvec_get(size, type) >
                    yk_resvec_get(&path[i]->max, type))
                want = path[i];
        }
    }
    struct yk_queue *refusing;
    assert_int_equal(yk_queue_has_headroom(path[DEPTH - 1], size, &refusing), want == NULL);
    assert_ptr_equal(refusing, want);
}

static void amounts_over_the_path(void **state)
{
    (void)state;
    struct yk_random random;
    yk_random_init(&random, yk_random_system_seed());
    for (int round = 0; round < ROUNDS; round++) {
        struct yk_queue *path[DEPTH];
        build_path(&random, path);
        struct yk_resvec size = random_amounts(&random, 0, 4);
        check_headroom(path, true);
        check_headroom(path, false);
        check_fair_max(path);
        check_room(path, &size);
        yk_queue_free(path[0]);
    }
}

static void effective_priority(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        bool fence;
        int32_t offset, current, want;
    } cases[] = {
        {"nothing pending", false, 7, YK_PRIORITY_NONE, YK_PRIORITY_NONE},
        {"nothing pending, fenced", true, 7, YK_PRIORITY_NONE, YK_PRIORITY_NONE},
        {"offset", false, 7, -3, 4},
        {"fence", true, 7, 1000, 7},
        {"the lowest fence: still something pending", true, INT32_MIN, 1000, YK_PRIORITY_NONE + 1},
        {"clamped above", false, 1, INT32_MAX, INT32_MAX},
        {"far above", false, INT32_MAX, INT32_MAX, INT32_MAX},
        {"clamped below: still something pending", false, INT32_MIN, -5, YK_PRIORITY_NONE + 1},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_queue *queue = yk_queue_new(NULL, YK_STR("root"), false, true, 1);
        queue->settings.priority_policy = cases[i].fence ? YK_PRIORITY_FENCE : YK_PRIORITY_DEFAULT;
        queue->settings.priority_offset = cases[i].offset;
        int32_t got = yk_queue_effective_priority(queue, cases[i].current);
        if (got != cases[i].want)
            fail_msg("%s: %d", cases[i].what, got);
        yk_queue_free(queue);
    }
}

static void priorities_are_counted(void **state)
{
    (void)state;
    enum { HELD = 50 };
    struct yk_priority_count counts = {0};
    struct yk_random random;
    int32_t held[HELD];
    yk_random_init(&random, 11);
    for (size_t i = 0; i < HELD; i++)
        held[i] = YK_PRIORITY_NONE;
    static const int32_t values[] = {YK_PRIORITY_NONE, YK_PRIORITY_NONE + 1, -1, 0, 1, 5, INT32_MAX};
    for (int step = 0; step < 20000; step++) {
        uint64_t at = yk_random_below(&random, HELD);
        yk_priority_count_remove(&counts, held[at]);
        held[at] = values[yk_random_below(&random, YK_COUNT(values))];
        yk_priority_count_add(&counts, held[at]);
        int32_t highest = YK_PRIORITY_NONE;
        for (size_t i = 0; i < HELD; i++)
            highest = YK_MAX(highest, held[i]);
        assert_int_equal(yk_priority_count_highest(&counts), highest);
    }
    yk_priority_count_done(&counts);
}

static void deep_paths_are_found_and_freed(void **state)
{
    (void)state;
    enum { LEVELS = 2000 };
    struct yk_queue *root = yk_queue_new(NULL, YK_STR("root"), false, true, 1), *queue = root;
    for (int i = 0; i < LEVELS; i++)
        queue = yk_queue_new(queue, YK_STR("Q"), i == LEVELS - 1, false, 1);
    assert_ptr_equal(yk_queue_find(root, yk_str_from(queue->path)), queue);
    static const char *const wrong[] = {"",        ".",   "root.", ".root", "root..q",
                                        "root.q.", "roo", "rootq", "root.x"};
    for (size_t i = 0; i < YK_COUNT(wrong); i++) {
        if (yk_queue_find(root, yk_str_from(wrong[i])) != NULL)
            fail_msg("'%s' found", wrong[i]);
    }
    int seen = 0;
    for (const struct yk_queue *at = root; at != NULL; at = yk_queue_next(at, root))
        seen++;
    assert_int_equal(seen, LEVELS + 1);
    yk_queue_free(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(amounts_over_the_path),
        cmocka_unit_test(effective_priority),
        cmocka_unit_test(priorities_are_counted),
        cmocka_unit_test(deep_paths_are_found_and_freed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
