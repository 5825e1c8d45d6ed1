/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cross-check: compares the allocations of the core with the objects that its resource managers have.
 *
 * A pass looks at all allocations and at all objects of every resource manager, a few hundred per step, with
 * a pause after each step. What changes while a pass is under way may be missed by it. A difference counts
 * once two passes in a row have found it and it is YK_CROSS_CHECK_GRACE_NS old: a decision and its
 * confirmation are some time apart.
 *
 * Owns:      the texts of the differences, at most YK_CROSS_CHECK_SUSPECTS of each kind.
 * Borrows:   the core, for life.
 * Thread:    scheduling thread only. It changes nothing but itself.
 * Source:    docs/reference/rest.md, section 6.
 */
#ifndef YK_SCHEDULER_CROSS_CHECK_H
#define YK_SCHEDULER_CROSS_CHECK_H

#include "base/timer.h"
#include "base/vec.h"

struct yk_core;

enum {
    YK_CROSS_CHECK_SUSPECTS = 1024, /* differences of one kind that are kept; others are counted */
    YK_CROSS_CHECK_STEP = 512,      /* objects or allocations per step, and the rest of a node's */
};
#define YK_CROSS_CHECK_GRACE_NS (30 * YK_NS_PER_S)
#define YK_CROSS_CHECK_PAUSE_NS (10 * YK_NS_PER_MS)

enum yk_difference {
    YK_DIFFERENCE_NO_OBJECT,     /* an allocation whose object is not on its node */
    YK_DIFFERENCE_NO_ALLOCATION, /* an object on a node without an allocation there */
    YK_DIFFERENCE_COUNT,
};

struct yk_suspects {
    struct yk_vec items; /* struct yk_suspect, owned; by text after the end of a pass */
    size_t more;         /* that had no place */
};

struct yk_cross_check {
    struct yk_core *core;
    struct yk_timer timer;
    bool under_way;
    /* How far the pass is. */
    size_t partition, node, rm;
    uint64_t cursor;
    struct yk_suspects found[YK_DIFFERENCE_COUNT]; /* by the pass that is under way */
    struct yk_suspects known[YK_DIFFERENCE_COUNT]; /* by the last one that ended */
};

void yk_cross_check_init(struct yk_cross_check *check, struct yk_core *core);
void yk_cross_check_done(struct yk_cross_check *check);
/* Begins a pass unless one is under way. Its steps follow by a timer, unless the core is `manual`. O(1). */
void yk_cross_check_begin(struct yk_cross_check *check);
/* One step of the pass that is under way. False: it has ended, or none was under way. */
bool yk_cross_check_step(struct yk_cross_check *check);
/*
 * Calls `sink` with each difference that is old enough, by text, `max` times at most. Returns how many there
 * are. O(YK_CROSS_CHECK_SUSPECTS).
 */
size_t yk_cross_check_list(const struct yk_cross_check *check, enum yk_difference kind, size_t max,
                           void (*sink)(void *context, const char *text), void *context);

#endif
