/* SPDX-License-Identifier: Apache-2.0 */
/* The containers against naive models, in long random runs; a failure prints the seed. */
#include "base/arena.h"
#include "base/bitset.h"
#include "base/heap.h"
#include "base/list.h"
#include "base/map.h"
#include "base/name.h"
#include "base/pool.h"
#include "base/random.h"
#include "base/tree.h"
#include "base/vec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

enum { SEEDS = 20, STEPS = 3000, ITEMS = 200 };

#define AT(link_pointer, T, member) YK_CONTAINER(link_pointer, T, member)

/* --- tree --- */

struct leaf {
    struct yk_tree_link link;
    int64_t key, id;
    int64_t largest; /* summary: the largest id in this branch */
};

static const struct leaf *leaf_of(const struct yk_tree_link *link)
{
    return AT(link, const struct leaf, link);
}

static int leaf_order(const struct yk_tree_link *a, const struct yk_tree_link *b)
{
    const struct leaf *x = leaf_of(a), *y = leaf_of(b);
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

static int64_t largest_below(const struct yk_tree_link *link)
{
    int64_t largest = leaf_of(link)->id;
    if (link->left != NULL)
        largest = YK_MAX(largest, leaf_of(link->left)->largest);
    if (link->right != NULL)
        largest = YK_MAX(largest, leaf_of(link->right)->largest);
    return largest;
}

static bool summarize(struct yk_tree_link *link, const struct yk_tree_link *same)
{
    struct leaf *leaf = AT(link, struct leaf, link);
    int64_t before = leaf->largest;
    leaf->largest = same != NULL ? leaf_of(same)->largest : largest_below(link);
    return leaf->largest != before;
}

static void check_tree(const struct yk_tree *tree, const struct leaf *leaves, uint64_t seed)
{
    size_t linked = 0, walked = 0;
    int64_t largest = -1;
    for (int i = 0; i < ITEMS; i++) {
        if (!yk_tree_linked(&leaves[i].link))
            continue;
        linked++;
        largest = YK_MAX(largest, leaves[i].id);
    }
    const struct leaf *before = NULL, *leaf;
    yk_tree_foreach (leaf, tree, const struct leaf, link) {
        if (before != NULL && leaf_order(&before->link, &leaf->link) >= 0)
            fail_msg("seed %llu: out of order", (unsigned long long)seed);
        if (leaf->largest != largest_below(&leaf->link))
            fail_msg("seed %llu: a summary is wrong", (unsigned long long)seed);
        before = leaf;
        walked++;
    }
    if (!yk_tree_valid(tree) || linked != tree->count || walked != tree->count)
        fail_msg("seed %llu: %zu linked, %zu walked, %zu counted", (unsigned long long)seed, linked, walked,
                 tree->count);
    if (tree->root != NULL && leaf_of(tree->root)->largest != largest)
        fail_msg("seed %llu: summary of the root is wrong", (unsigned long long)seed);
}

static void step_tree(struct yk_tree *tree, struct leaf *leaf, struct yk_random *random)
{
    if (!yk_tree_linked(&leaf->link)) {
        leaf->key = (int64_t)yk_random_below(random, 50);
        yk_tree_insert(tree, &leaf->link);
    } else if (yk_random_below(random, 2) == 0) {
        yk_tree_remove(tree, &leaf->link);
        assert_false(yk_tree_linked(&leaf->link));
    } else {
        leaf->key = (int64_t)yk_random_below(random, 50);
        yk_tree_moved(tree, &leaf->link);
    }
}

static void a_tree_stays_ordered_and_balanced(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct leaf leaves[ITEMS] = {0};
        struct yk_tree tree = {.order = leaf_order, .summarize = summarize};
        struct yk_random random;
        yk_random_init(&random, seed);
        for (int i = 0; i < ITEMS; i++)
            leaves[i].id = i;
        for (int step = 0; step < STEPS; step++) {
            step_tree(&tree, &leaves[yk_random_below(&random, ITEMS)], &random);
            if (step % 2 == 0)
                check_tree(&tree, leaves, seed);
        }
        while (yk_tree_first(&tree) != NULL)
            yk_tree_remove(&tree, yk_tree_first(&tree));
        check_tree(&tree, leaves, seed);
    }
}

/* --- maps --- */

static void an_idmap_is_what_was_put(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        int things[ITEMS] = {0};
        bool there[ITEMS] = {0};
        size_t count = 0, walked = 0;
        struct yk_idmap map = {0};
        struct yk_random random;
        yk_random_init(&random, seed);
        for (int step = 0; step < STEPS; step++) {
            size_t i = yk_random_below(&random, ITEMS);
            uint64_t key = i * UINT64_C(0x100000000); /* collides where only low bits are looked at */
            void *was = yk_random_below(&random, 2) == 0 ? yk_idmap_put(&map, key, &things[i])
                                                         : yk_idmap_remove(&map, key);
            if ((was != NULL) != there[i] || (was != NULL && was != &things[i]))
                fail_msg("seed %llu, step %d: what was there", (unsigned long long)seed, step);
            there[i] = yk_idmap_get(&map, key) != NULL;
            if (yk_random_below(&random, STEPS / 4) == 0) {
                size_t more = yk_random_below(&random, ITEMS);
                yk_idmap_expect(&map, more);
                assert_true(more == 0 || (map.count + more) * 4 <= (map.mask + 1) * 3);
            }
        }
        for (size_t i = 0; i < ITEMS; i++) {
            count += there[i];
            assert_ptr_equal(yk_idmap_get(&map, i * UINT64_C(0x100000000)), there[i] ? &things[i] : NULL);
        }
        int *thing;
        yk_idmap_foreach (thing, &map)
            walked += there[thing - things];
        assert_int_equal(map.count, count);
        assert_int_equal(walked, count);
        yk_idmap_done(&map);
    }
}

static void a_strmap_is_what_was_put(void **state)
{
    (void)state;
    char names[ITEMS][16];
    for (int i = 0; i < ITEMS; i++)
        (void)snprintf(names[i], sizeof(names[i]), "%.*s%d", i % 4, "aaaa", i);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        bool there[ITEMS] = {0};
        struct yk_strmap map = {0};
        struct yk_random random;
        yk_random_init(&random, seed);
        for (int step = 0; step < STEPS; step++) {
            size_t i = yk_random_below(&random, ITEMS);
            struct yk_str key = yk_str_from(names[i]);
            bool put = yk_random_below(&random, 2) == 0;
            void *was = put ? yk_strmap_put(&map, key, names[i]) : yk_strmap_remove(&map, key);
            if (was != (there[i] ? names[i] : NULL))
                fail_msg("seed %llu, step %d", (unsigned long long)seed, step);
            there[i] = put;
        }
        for (int i = 0; i < ITEMS; i++)
            assert_ptr_equal(yk_strmap_get(&map, yk_str_from(names[i])), there[i] ? names[i] : NULL);
        assert_null(yk_strmap_get(&map, YK_STR("")));
        assert_null(yk_strmap_put(&map, YK_STR(""), names[0]));
        assert_ptr_equal(yk_strmap_get(&map, (struct yk_str){0}), names[0]); /* absent is empty */
        yk_strmap_done(&map);
    }
}

/* --- heap --- */

struct ball {
    struct yk_heap_entry entry;
    uint64_t key;
    int id;
};

static bool ball_before(const struct yk_heap_entry *a, const struct yk_heap_entry *b)
{
    const struct ball *x = AT(a, const struct ball, entry), *y = AT(b, const struct ball, entry);
    return x->key != y->key ? x->key < y->key : x->id < y->id;
}

static const struct ball *smallest(const struct ball *balls)
{
    const struct ball *best = NULL;
    for (int i = 0; i < ITEMS; i++) {
        if (balls[i].entry.place != 0 && (best == NULL || ball_before(&balls[i].entry, &best->entry)))
            best = &balls[i];
    }
    return best;
}

/* Equal for equal bytes; and each half tells apart what differs in one bit, or in length. */
static void a_hash_of_128_bits(void **state)
{
    (void)state;
    enum { LEN = 19 };
    unsigned char bytes[LEN] = {0};
    uint64_t seen[LEN * 9][2];
    size_t count = 0;
    for (size_t len = 0; len < LEN; len++)
        yk_hash_128(bytes, len, seen[count++]);
    for (size_t bit = 0; bit < 8 * LEN; bit++) {
        bytes[bit / 8] = (unsigned char)(1u << bit % 8);
        yk_hash_128(bytes, LEN, seen[count++]);
        bytes[bit / 8] = 0;
    }
    for (size_t i = 0; i < count; i++) {
        assert_true(seen[i][0] != seen[i][1]);
        for (size_t j = 0; j < i; j++)
            assert_true(seen[i][0] != seen[j][0] && seen[i][1] != seen[j][1]);
    }
    uint64_t again[2];
    yk_hash_128(bytes, 7, again);
    assert_memory_equal(again, seen[7], sizeof(again));
}

static void a_heap_gives_the_smallest(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct ball balls[ITEMS] = {0};
        struct yk_heap heap = {.before = ball_before};
        struct yk_random random;
        yk_random_init(&random, seed);
        for (int i = 0; i < ITEMS; i++)
            balls[i].id = i;
        for (int step = 0; step < STEPS; step++) {
            struct ball *ball = &balls[yk_random_below(&random, ITEMS)];
            yk_heap_remove(&heap, &ball->entry); /* also when it is not in */
            ball->key = yk_random_below(&random, 30);
            if (yk_random_below(&random, 3) > 0)
                yk_heap_insert(&heap, &ball->entry);
            const struct ball *best = smallest(balls);
            if (yk_heap_first(&heap) != (best == NULL ? NULL : &best->entry))
                fail_msg("seed %llu, step %d: not the smallest", (unsigned long long)seed, step);
        }
        yk_heap_done(&heap);
    }
}

/* --- small ones --- */

static void a_bitset_is_what_was_set(void **state)
{
    (void)state;
    enum { BITS = 1000 };
    struct yk_bitset set = {0};
    bool want[BITS] = {0};
    struct yk_random random;
    yk_random_init(&random, 3);
    assert_int_equal(yk_bitset_next(&set, 0), YK_BITSET_END);
    for (int step = 0; step < STEPS; step++) {
        uint32_t bit = (uint32_t)yk_random_below(&random, BITS);
        want[bit] = yk_random_below(&random, 3) == 0;
        yk_bitset_assign(&set, bit, want[bit]);
    }
    size_t ones = 0;
    for (uint32_t bit = 0; bit < BITS; bit++) {
        assert_int_equal(yk_bitset_test(&set, bit), want[bit]);
        ones += want[bit];
    }
    assert_int_equal(set.ones, ones);
    int64_t last = -1;
    yk_bitset_foreach (bit, &set) {
        for (int64_t between = last + 1; between < bit; between++)
            assert_false(want[between]);
        assert_true(want[bit]);
        last = bit;
        ones--;
    }
    assert_int_equal(ones, 0);
    assert_false(yk_bitset_test(&set, UINT32_MAX));
    yk_bitset_clear(&set, UINT32_MAX); /* beyond the end: already clear */
    yk_bitset_clear_all(&set);
    yk_bitset_set(&set, 64);
    yk_bitset_add_word(&set, 1, UINT64_C(0x8000000000000005));
    assert_int_equal(set.ones, 3);
    assert_int_equal(yk_bitset_next(&set, 0), 64);
    assert_int_equal(yk_bitset_next(&set, 65), 66);
    assert_int_equal(yk_bitset_next(&set, 67), 127);
    yk_bitset_add_word(&set, 100000, 0); /* nothing to keep */
    assert_true(set.count < 100000);
    assert_int_equal(yk_bitset_next(&set, BITS + 64), YK_BITSET_END);
    yk_bitset_done(&set);
}

struct link {
    struct yk_list in;
    int id;
};

static void a_list_keeps_its_order(void **state)
{
    (void)state;
    struct yk_list a, b;
    struct link links[6], *link;
    yk_list_init(&a);
    yk_list_init(&b);
    for (int i = 0; i < 6; i++) {
        links[i].id = i;
        yk_list_append(i < 3 ? &a : &b, &links[i].in);
    }
    yk_list_splice(&a, &b);
    assert_true(yk_list_empty(&b));
    yk_list_remove(&links[4].in);
    yk_list_prepend(&a, &links[4].in);
    static const int want[] = {4, 0, 1, 2, 3, 5};
    size_t at = 0;
    yk_list_foreach (link, &a, struct link, in) {
        assert_int_equal(link->id, want[at++]);
        yk_list_remove(&link->in); /* the current one may go */
    }
    assert_int_equal(at, 6);
    assert_true(yk_list_empty(&a) && yk_list_first(&a, struct link, in) == NULL);
}

static int by_tens(const void *a, const void *b)
{
    return *(const int *)a / 10 - *(const int *)b / 10;
}

static void a_vec_sorts_stably(void **state)
{
    (void)state;
    static int numbers[] = {31, 12, 11, 39, 5, 30, 10, 1};
    static const int want[] = {5, 1, 12, 11, 10, 31, 39, 30};
    struct yk_vec vec = {0};
    for (size_t i = 0; i < YK_COUNT(numbers); i++)
        yk_vec_append(&vec, &numbers[i]);
    yk_vec_sort(&vec, by_tens);
    for (size_t i = 0; i < YK_COUNT(want); i++)
        assert_int_equal(*(int *)vec.items[i], want[i]);
    assert_int_equal(yk_vec_find(&vec, &numbers[1]), 2);
    yk_vec_remove_swap(&vec, 2);
    assert_ptr_equal(vec.items[2], &numbers[5]);
    assert_int_equal(yk_vec_find(&vec, &numbers[1]), SIZE_MAX);
    yk_vec_done(&vec);
}

static void an_arena_is_aligned_and_zeroed(void **state)
{
    (void)state;
    struct yk_arena arena = {0};
    for (size_t i = 1; i < 2000; i += 7) {
        char *p = yk_arena_alloc0(&arena, i);
        assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
        for (size_t at = 0; at < i; at++)
            assert_int_equal(p[at], 0);
        memset(p, 0xff, i);
        struct yk_str copy = yk_arena_str(&arena, YK_STR("abc"));
        assert_string_equal(copy.p, "abc");
    }
    assert_null(yk_arena_str(&arena, (struct yk_str){0}).p);
    assert_true(yk_arena_bytes(&arena) >= arena.used);
    yk_arena_done(&arena);
    assert_int_equal(yk_arena_bytes(&arena), 0);
}

struct thing {
    void *self;
    int64_t number;
    char rest[505]; /* so that it takes several blocks */
};

/* Over the ends of several blocks, up and down; what is given back is not another one's. */
static void a_pool_hands_out_what_it_got_back(void **state)
{
    (void)state;
    enum { THINGS = 1000 };
    static struct thing *things[THINGS];
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct yk_random random;
        struct yk_pool pool;
        size_t count = 0;
        yk_random_init(&random, seed);
        yk_pool_init(&pool, sizeof(struct thing));
        yk_pool_give(&pool, NULL);
        for (int step = 0; step < STEPS; step++) {
            bool grows = (step / 500) % 2 == 0;
            if (count < THINGS && (count == 0 || yk_random_below(&random, 10) < (grows ? 8 : 2))) {
                struct thing *thing = things[count++] = yk_pool_take(&pool);
                if ((uintptr_t)thing % _Alignof(struct thing) != 0 || thing->self != NULL ||
                    thing->number != 0 || thing->rest[4] != 0 || thing->rest[504] != 0)
                    fail_msg("seed %llu, step %d: not zeroed or not aligned", (unsigned long long)seed, step);
                *thing = (struct thing){.self = thing, .number = step, .rest = "full"};
                thing->rest[504] = 1;
            } else {
                size_t at = (size_t)yk_random_below(&random, count);
                if (things[at]->self != things[at] || strcmp(things[at]->rest, "full") != 0)
                    fail_msg("seed %llu, step %d: of another list", (unsigned long long)seed, step);
                yk_pool_give(&pool, things[at]);
                things[at] = things[--count];
            }
            if (pool.used != count)
                fail_msg("seed %llu, step %d: %zu, want %zu", (unsigned long long)seed, step, pool.used,
                         count);
        }
        while (count > 0)
            yk_pool_give(&pool, things[--count]);
        assert_true(yk_list_empty(&pool.open)); /* nothing is held but the spare one */
        yk_pool_done(&pool);
    }
}

static void names_are_counted(void **state)
{
    (void)state;
    size_t before = yk_name_count();
    yk_name a = yk_name_get(YK_STR("root.a")), again = yk_name_get(YK_STR("root.a")),
            b = yk_name_get(YK_STR("root.b"));
    assert_true(yk_name_eq(a, again) && !yk_name_eq(a, b));
    assert_string_equal(yk_name_text(a), "root.a");
    assert_true(yk_name_eq(yk_name_find(YK_STR("root.b")), b));
    yk_name_put(a);
    assert_true(yk_name_eq(yk_name_find(YK_STR("root.a")), a)); /* still held once */
    yk_name_put(again);
    yk_name_put(b);
    assert_true(yk_name_eq(yk_name_find(YK_STR("root.a")), YK_NO_NAME));
    assert_int_equal(yk_name_count(), before);
    assert_string_equal(yk_name_text(YK_NO_NAME), "");
    yk_name_put(YK_NO_NAME);
}

static void the_same_seed_gives_the_same_numbers(void **state)
{
    (void)state;
    struct yk_random a, b, c;
    yk_random_init(&a, 7);
    yk_random_init(&b, 7);
    yk_random_init(&c, 8);
    bool differs = false;
    for (int i = 0; i < 100; i++) {
        uint64_t x = yk_random_u64(&a);
        assert_true(x == yk_random_u64(&b));
        differs = differs || x != yk_random_u64(&c);
        double unit = yk_random_unit(&a);
        assert_true(unit >= 0 && unit < 1);
        (void)yk_random_unit(&b); /* keeps the two in step */
        uint64_t bound = 1 + (uint64_t)i;
        assert_true(yk_random_below(&a, bound) < bound);
        (void)yk_random_below(&b, bound); /* likewise */
    }
    assert_true(differs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_stays_ordered_and_balanced),
        cmocka_unit_test(an_idmap_is_what_was_put),
        cmocka_unit_test(a_strmap_is_what_was_put),
        cmocka_unit_test(a_hash_of_128_bits),
        cmocka_unit_test(a_heap_gives_the_smallest),
        cmocka_unit_test(a_bitset_is_what_was_set),
        cmocka_unit_test(a_list_keeps_its_order),
        cmocka_unit_test(a_vec_sorts_stably),
        cmocka_unit_test(an_arena_is_aligned_and_zeroed),
        cmocka_unit_test(a_pool_hands_out_what_it_got_back),
        cmocka_unit_test(names_are_counted),
        cmocka_unit_test(the_same_seed_gives_the_same_numbers),
    };
    return cmocka_run_group_tests_name("base/containers", tests, NULL, NULL);
}
