/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Resource vectors: amounts per resource type, and their arithmetic.
 *
 * A plain value: copy it by assignment. `set` says which types are present; a type that is absent
 * ("undefined") is not the same as a type present with 0: in sums absent counts as 0, in a quota absent means
 * unlimited and 0 means none. "Nil" (no vector at all) is a NULL pointer where a function says so. Amounts
 * are int64_t in base units (millicores, bytes, counts) and saturate. Every operation costs O(types present).
 * Source: docs/reference/queues.md, rules M1 to M21 (docs/reference/scheduling.md uses the same operations).
 */
#ifndef YK_RESOURCES_RESVEC_H
#define YK_RESOURCES_RESVEC_H

#include "resources/restype.h"

struct yk_json;

struct yk_resvec {
    uint32_t set;              /* bit t: type t is present */
    int64_t v[YK_RESTYPE_MAX]; /* v[t] has meaning only where the bit is set */
};

/* for each type present in `mask` (a uint32_t of bits), in slot order. */
#define yk_resvec_foreach(type, mask)                                                                        \
    for (uint32_t yk_left_ = (mask), type = 0;                                                               \
         yk_left_ != 0 && ((type) = (uint32_t)__builtin_ctz(yk_left_), true); yk_left_ &= yk_left_ - 1)

static inline void yk_resvec_clear(struct yk_resvec *r)
{
    r->set = 0;
}
static inline bool yk_resvec_has(const struct yk_resvec *r, int type)
{
    return (r->set >> type & 1) != 0;
}
static inline int64_t yk_resvec_get(const struct yk_resvec *r, int type)
{
    return yk_resvec_has(r, type) ? r->v[type] : 0;
}
static inline void yk_resvec_put(struct yk_resvec *r, int type, int64_t amount)
{
    r->set |= UINT32_C(1) << type;
    r->v[type] = amount;
}

/* Copies only the types present (cheaper than assignment of the whole array). */
static inline void yk_resvec_copy(struct yk_resvec *to, const struct yk_resvec *from)
{
    to->set = from->set;
    yk_resvec_foreach(t, from->set) to->v[t] = from->v[t];
}

/* M1: a += b, a -= b over the union of types. */
static inline void yk_resvec_add(struct yk_resvec *a, const struct yk_resvec *b)
{
    yk_resvec_foreach(t, b->set & ~a->set) a->v[t] = 0; /* seldom any: what is booked was there before */
    a->set |= b->set;
    yk_resvec_foreach(t, b->set) a->v[t] = yk_i64_add(a->v[t], b->v[t]);
}
void yk_resvec_sub(struct yk_resvec *a, const struct yk_resvec *b);
/* M2: only the types of `a`. `b` may be NULL. */
void yk_resvec_add_existing(struct yk_resvec *a, const struct yk_resvec *b);
void yk_resvec_sub_existing(struct yk_resvec *a, const struct yk_resvec *b);
/* M3: subtracts; a type of `b` that would go negative becomes 0. False if any would have. Removes the types
 * whose amount is 0 then. */
bool yk_resvec_take(struct yk_resvec *a, const struct yk_resvec *b);
/* Removes types whose amount is 0. */
void yk_resvec_prune(struct yk_resvec *a);
/* M4: every type of `small` fits in max(0, big); absent in `big` is 0. NULL `small` fits, NULL `big` is
 * empty. */
bool yk_resvec_fit(const struct yk_resvec *big, const struct yk_resvec *small);
/* M5: as M4, but a type absent in `big` is unlimited; NULL or empty `big` fits all. */
bool yk_resvec_fit_undef(const struct yk_resvec *big, const struct yk_resvec *small);
/* M6: as M5, negative amounts of `big` as they are. */
bool yk_resvec_fit_actual(const struct yk_resvec *big, const struct yk_resvec *small);
/* used + more <= max for each type of `more` that `max` defines (M5 of the sum). `max` may be NULL:
 * unlimited. */
bool yk_resvec_fit_sum(const struct yk_resvec *max, const struct yk_resvec *used,
                       const struct yk_resvec *more);
/* M7: union of types, the smaller where both have it. */
void yk_resvec_min(struct yk_resvec *a, const struct yk_resvec *b);
/* M8: types of `a` only. */
void yk_resvec_min_existing(struct yk_resvec *a, const struct yk_resvec *b);
/* M9: union of types, the larger, absent is 0. */
void yk_resvec_max(struct yk_resvec *a, const struct yk_resvec *b);
/* M10: NULL, empty or all 0. */
bool yk_resvec_is_zero(const struct yk_resvec *a);
/* M11: not NULL, nothing negative, at least one above 0. */
bool yk_resvec_is_positive(const struct yk_resvec *a);
bool yk_resvec_has_negative(const struct yk_resvec *a);
/* M12: over the union (absent is 0) every a >= b; _gt: and at least one differs. */
bool yk_resvec_ge(const struct yk_resvec *a, const struct yk_resvec *b);
bool yk_resvec_gt(const struct yk_resvec *a, const struct yk_resvec *b);
/* M13: over common types only. */
bool yk_resvec_ge_existing(const struct yk_resvec *a, const struct yk_resvec *b);
bool yk_resvec_gt_existing(const struct yk_resvec *a, const struct yk_resvec *b);
/* M14: equal with absent as 0; _same: also the same types. */
bool yk_resvec_eq(const struct yk_resvec *a, const struct yk_resvec *b);
bool yk_resvec_same(const struct yk_resvec *a, const struct yk_resvec *b);
/* M15 */
static inline bool yk_resvec_match_any(const struct yk_resvec *a, const struct yk_resvec *b)
{
    return (a->set & b->set) != 0;
}
/* M16: truncated towards zero, saturating. */
void yk_resvec_scale(struct yk_resvec *a, double factor);
/* a * factor, saturating. */
void yk_resvec_mul(struct yk_resvec *a, int64_t factor);
/* M17: percentage per type of `capacity` that is in `used`; either may be NULL (empty answer). */
void yk_resvec_percent(const struct yk_resvec *capacity, const struct yk_resvec *used, struct yk_resvec *ret);

/* M18: shares of `r` in `total` (may be NULL), sorted ascending; returns the count. */
int yk_resvec_shares(const struct yk_resvec *r, const struct yk_resvec *total, double shares[YK_RESTYPE_MAX]);
/* M19: compares two such lists: negative when the first is the smaller usage. */
int yk_shares_cmp(const double *a, int a_count, const double *b, int b_count);
/* M20: `guaranteed` and `fair_max` may be NULL. */
double yk_resvec_fair_share(const struct yk_resvec *allocated, const struct yk_resvec *guaranteed,
                            const struct yk_resvec *fair_max);
/*
 * Whether `used` is below `guaranteed` (may be NULL: nothing is) in each type that is guaranteed, and
 * `wanted` has some of one of these types.
 */
bool yk_resvec_is_below(const struct yk_resvec *used, const struct yk_resvec *guaranteed,
                        const struct yk_resvec *wanted);
/* M21: the type with the largest used/capacity, or -1; ties by type name. */
int yk_resvec_dominant(const struct yk_resvec *used, const struct yk_resvec *capacity);

/* {"memory": 100, "vcore": 10} in name order, for logs and messages: "memory:100 vcore:10". */
void yk_resvec_print(const struct yk_resvec *r, struct yk_buf *buf);
/* As a JSON object in name order: {"memory":100,"vcore":10}. */
void yk_resvec_json(const struct yk_resvec *r, struct yk_json *json);
/* Stable within the process: equal vectors (yk_resvec_same) hash alike. */
uint64_t yk_resvec_hash(const struct yk_resvec *r);

#endif
