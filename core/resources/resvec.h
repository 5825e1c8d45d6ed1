/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Resource vectors: amounts per resource type, and their arithmetic.
 *
 * A type that is absent ("undefined") is not the same as a type that is present with amount 0: in sums an
 * absent type counts as 0; in a quota an absent type is unlimited, and of a type with 0 nothing may be used.
 * A function takes NULL for a vector only if its comment says so. Amounts are int64_t in base units
 * (millicores, bytes, counts); sums saturate.
 *
 * Amounts of dense types are in columns. Amounts of all other types are in a heap block that the vector
 * owns, sorted by type; few clusters have any. Only this file and resvec.c depend on the difference.
 *
 * Owns:      the block, and a reference to each type in it (resources/restype.h). A zeroed vector is empty
 *            and owns nothing. Call yk_resvec_done() at the end of each vector; declare a local one with
 *            YK_RESVEC(), which does so. Copy with yk_resvec_copy(): struct assignment would share the block,
 *            so the compiler refuses it. Do not initialise one vector with another either. The struct around
 *            a vector may be moved in memory (realloc).
 * Results: `ret_...` and `to` are vectors that were initialised before; their old amounts are replaced. A
 *            vector that is changed must not be another argument as well, except in yk_resvec_copy(),
 *            yk_resvec_add() and yk_resvec_sub().
 * Types:     `type` is a type that has a name, from 0 to YK_RESTYPE_MAX - 1.
 * Cost:      O(types present), and O(log types) more for each type that is not dense.
 * Thread:    any; one vector is used by one thread at a time.
 * Source:    docs/reference/queues.md, rules M1 to M21 (docs/reference/scheduling.md uses the same
 *            operations).
 */
#ifndef YK_RESOURCES_RESVEC_H
#define YK_RESOURCES_RESVEC_H

#include "resources/restype.h"

struct yk_json;
struct yk_resvec_more;

struct yk_resvec {
    uint32_t dense_types;            /* bit t: dense type t is present */
    const uint32_t unassignable;     /* makes struct assignment an error; never used */
    struct yk_resvec_more *more;     /* owned; NULL: no other type is present */
    int64_t dense[YK_RESTYPE_DENSE]; /* by type; not initialised where the bit is not set */
};

/* Makes an empty vector in memory that was not zeroed. Do not call it for a vector that has amounts: it frees
 * nothing. */
static inline void yk_resvec_init(struct yk_resvec *r)
{
    r->dense_types = 0;
    r->more = NULL;
}
/*
 * The part of yk_resvec_done() for types without a column. All functions yk__resvec_...() are such parts of
 * a function yk_resvec_...(): call that one instead.
 */
void yk__resvec_free_more(struct yk_resvec *r);
/* Frees what the vector owns. It is empty afterwards, and may be used again. */
static inline void yk_resvec_done(struct yk_resvec *r)
{
    if (YK_UNLIKELY(r->more != NULL))
        yk__resvec_free_more(r);
    r->dense_types = 0;
}
/* Declares a local vector `name`, which is empty and is freed at the end of its scope. The macro consists of
 * two statements. */
#define YK_RESVEC(name)                                                                                      \
    YK_CLEANUP(yk_resvec_done) struct yk_resvec name;                                                        \
    yk_resvec_init(&(name))
/* Removes all types. */
static inline void yk_resvec_clear(struct yk_resvec *r)
{
    yk_resvec_done(r);
}

/* For each bit that is 1 in `mask` (uint32_t), ascending; `bit` is a uint32_t that the loop declares: the
 * number of the bit. */
#define yk_bits_foreach(bit, mask)                                                                           \
    for (uint32_t yk_left_ = (mask), bit = 0;                                                                \
         yk_left_ != 0 && ((bit) = (uint32_t)__builtin_ctz(yk_left_), true); yk_left_ &= yk_left_ - 1)

/* The part of yk_resvec_next() for types without a column. */
int yk__resvec_next_more(const struct yk_resvec *r, int type);
/* The lowest type that is present and not below `type`; YK_RESTYPE_MAX: there is none. `r` may be NULL, which
 * counts as an empty vector. */
static inline int yk_resvec_next(const struct yk_resvec *r, int type)
{
    if (r == NULL)
        return YK_RESTYPE_MAX;
    uint32_t left = type < YK_RESTYPE_DENSE ? r->dense_types & ~((UINT32_C(1) << type) - 1) : 0;
    if (left != 0)
        return __builtin_ctz(left);
    return YK_LIKELY(r->more == NULL) ? YK_RESTYPE_MAX : yk__resvec_next_more(r, type);
}
/*
 * For each type that is present in the vector `r` (a pointer, which may be NULL), ascending; `type` is an
 * int that the loop declares. Meanwhile the current type may be changed or removed, and types may be added;
 * added types below the current one are not visited.
 */
#define yk_resvec_foreach(type, r)                                                                           \
    for (int type = yk_resvec_next((r), 0); type < YK_RESTYPE_MAX; type = yk_resvec_next((r), type + 1))

/* Like yk_resvec_foreach(), for each type that is present in both vectors. `a` may be NULL, `b` may not. It
 * ends with an `if`, so an `else` must not follow its body. */
#define yk_resvec_foreach_common(type, a, b) yk_resvec_foreach(type, a) if (yk_resvec_has((b), type))

/* The part of yk_resvec_has() for types without a column: the address of the amount, valid until a type
 * is added or removed. NULL: the type is absent. */
int64_t *yk__resvec_find_more(const struct yk_resvec *r, int type);
/* Whether the type is present, also with amount 0. */
static inline bool yk_resvec_has(const struct yk_resvec *r, int type)
{
    if (YK_LIKELY(type < YK_RESTYPE_DENSE))
        return (r->dense_types >> type & 1) != 0;
    return r->more != NULL && yk__resvec_find_more(r, type) != NULL;
}
/* The part of yk_resvec_get() for types without a column: the amount, or 0 if it is absent. */
int64_t yk__resvec_get_more(const struct yk_resvec *r, int type);
/* The amount of the type; 0 if it is absent. */
static inline int64_t yk_resvec_get(const struct yk_resvec *r, int type)
{
    if (YK_LIKELY(type < YK_RESTYPE_DENSE))
        return (r->dense_types >> type & 1) != 0 ? r->dense[type] : 0;
    return YK_LIKELY(r->more == NULL) ? 0 : yk__resvec_get_more(r, type);
}
/* The part of yk_resvec_put() for types without a column. */
void yk__resvec_put_more(struct yk_resvec *r, int type, int64_t amount);
/* Sets the amount of the type, which becomes present if it is absent. */
static inline void yk_resvec_put(struct yk_resvec *r, int type, int64_t amount)
{
    if (YK_LIKELY(type < YK_RESTYPE_DENSE)) {
        r->dense_types |= UINT32_C(1) << type;
        r->dense[type] = amount;
    } else {
        yk__resvec_put_more(r, type, amount);
    }
}
/* Removes the type; no effect if it is absent. */
void yk_resvec_remove(struct yk_resvec *r, int type);
/* Whether no type is present. */
static inline bool yk_resvec_is_empty(const struct yk_resvec *r)
{
    return r->dense_types == 0 && r->more == NULL;
}
/* Frees a vector on the heap. NULL is fine. */
static inline void yk_resvec_free(struct yk_resvec *r)
{
    if (r == NULL)
        return;
    yk_resvec_done(r);
    free(r);
}
YK_DEFINE_FREEP(yk_resvec)
/* The types with a column that are present, as bits. These types keep their names for the life of the
 * process. */
static inline uint32_t yk_resvec_dense_types(const struct yk_resvec *r)
{
    return r->dense_types;
}
/* The part of yk_resvec_others() for vectors that have such types. */
uint64_t yk__resvec_others(const struct yk_resvec *r);
/* A set of the types that are not dense and have an amount above 0, as 64 bits: the bit of a type is its
 * number modulo 64. If free capacity lacks a bit that the size of an ask has, the ask does not fit. 0 for
 * nearly all vectors. */
static inline uint64_t yk_resvec_others(const struct yk_resvec *r)
{
    return YK_LIKELY(r->more == NULL) ? 0 : yk__resvec_others(r);
}
/* Adds the dense types of `types`, bit t for type t, with amount 0; those that are present stay as they
 * are. */
void yk_resvec_add_dense_types(struct yk_resvec *r, uint32_t types);
/* Whether types without a column are present. */
static inline bool yk_resvec_has_others(const struct yk_resvec *r)
{
    return r->more != NULL;
}
/* The number of types that are present. */
int yk_resvec_count(const struct yk_resvec *r);
/* The number of types that are present in both. */
int yk_resvec_count_common(const struct yk_resvec *a, const struct yk_resvec *b);
/* Writes the types that are present, sorted by name, to `types`, which has space for yk_resvec_count(r).
 * Returns their number. */
int yk_resvec_types_by_name(const struct yk_resvec *r, int *types);
/* Removes from `a` the types that `b` has. */
void yk_resvec_remove_types(struct yk_resvec *a, const struct yk_resvec *b);
/* Removes from `a` the types that `b` does not have. */
void yk_resvec_keep_types(struct yk_resvec *a, const struct yk_resvec *b);

/* The part of yk_resvec_copy() for types without a column. */
void yk__resvec_copy_more(struct yk_resvec *to, const struct yk_resvec *from);
/* Makes `to`, which is initialised, equal to `from`, with the same types. They may be the same vector. */
static inline void yk_resvec_copy(struct yk_resvec *to, const struct yk_resvec *from)
{
    to->dense_types = from->dense_types;
    yk_bits_foreach(t, from->dense_types) to->dense[t] = from->dense[t];
    if (YK_UNLIKELY(from->more != to->more))
        yk__resvec_copy_more(to, from);
}
/* The part of yk_resvec_add() for types without a column. */
void yk__resvec_add_more(struct yk_resvec *a, const struct yk_resvec *b);
/* a += b over the union of types; saturates (M1). */
static inline void yk_resvec_add(struct yk_resvec *a, const struct yk_resvec *b)
{
    /* Usually there are none: most amounts are added to a sum that has their types already. */
    yk_bits_foreach(t, b->dense_types & ~a->dense_types) a->dense[t] = 0;
    a->dense_types |= b->dense_types;
    yk_bits_foreach(t, b->dense_types) a->dense[t] = yk_i64_add(a->dense[t], b->dense[t]);
    if (YK_UNLIKELY(b->more != NULL))
        yk__resvec_add_more(a, b);
}
/* a -= b over the union of types; saturates. Amounts may become negative. */
void yk_resvec_sub(struct yk_resvec *a, const struct yk_resvec *b);
/* a += b for the types of `a` only; saturates (M2). `b` may be NULL. */
void yk_resvec_add_existing(struct yk_resvec *a, const struct yk_resvec *b);
/* a -= b for the types of `a` only; saturates. `b` may be NULL. */
void yk_resvec_sub_existing(struct yk_resvec *a, const struct yk_resvec *b);
/* a -= b, but not below 0 (M3): types of `b` whose amount would be 0 or less are removed from `a`. A type
 * that `a` lacks counts as 0. True: no amount would have been negative. False: at least one would have been;
 * `a` is changed in this case, too. If `a` has types that `b` lacks, all types of `a` with amount 0 are
 * removed as well. */
bool yk_resvec_take(struct yk_resvec *a, const struct yk_resvec *b);
/* Removes types whose amount is 0. */
void yk_resvec_prune(struct yk_resvec *a);
/* Whether each amount of `small` is at most that of `big`, where a negative amount and an absent type of
 * `big` count as 0 (M4). `small` NULL: true. `big` NULL counts as an empty vector. */
bool yk_resvec_fit(const struct yk_resvec *big, const struct yk_resvec *small);
/* Like yk_resvec_fit(), but a type that is absent in `big` is unlimited (M5). True if one of them is NULL. */
bool yk_resvec_fit_undef(const struct yk_resvec *big, const struct yk_resvec *small);
/* Like yk_resvec_fit_undef(), but negative amounts of `big` do not count as 0 (M6). True if one of them is
 * NULL. */
bool yk_resvec_fit_actual(const struct yk_resvec *big, const struct yk_resvec *small);
/* Whether used + more <= max for each type that both `more`, also with amount 0, and `max` have. A type that
 * `used` lacks and a negative amount of `max` count as 0. `max` NULL: true. */
bool yk_resvec_fit_sum(const struct yk_resvec *max, const struct yk_resvec *used,
                       const struct yk_resvec *more);
/* Adds the types of `b` to `a`, with the smaller amount where both have the type (M7). */
void yk_resvec_min(struct yk_resvec *a, const struct yk_resvec *b);
/* Lowers the amounts of `a` to those of `b` for types that both have; other types of `a` stay (M8). */
void yk_resvec_min_existing(struct yk_resvec *a, const struct yk_resvec *b);
/* Adds the types of `b` to `a`, each with the larger amount; an absent type counts as 0 (M9). */
void yk_resvec_max(struct yk_resvec *a, const struct yk_resvec *b);
/* Whether `a` is NULL or empty, or all amounts are 0 (M10). */
bool yk_resvec_is_zero(const struct yk_resvec *a);
/* Whether `a` is not NULL, no amount is negative, and at least one is above 0 (M11). */
bool yk_resvec_is_positive(const struct yk_resvec *a);
/* Whether an amount is below 0. `a` may be NULL: false. */
bool yk_resvec_has_negative(const struct yk_resvec *a);
/* Whether a >= b for each type that at least one of them has; an absent type counts as 0 (M12, but equal
 * vectors pass, too). */
bool yk_resvec_ge(const struct yk_resvec *a, const struct yk_resvec *b);
/* Whether the amounts are equal; an absent type counts as 0 (M14). yk_resvec_same() compares the types as
 * well. */
bool yk_resvec_eq(const struct yk_resvec *a, const struct yk_resvec *b);
/* Whether the amounts are equal and the same types are present. */
bool yk_resvec_same(const struct yk_resvec *a, const struct yk_resvec *b);
/* Whether a type is present in both (M15). */
bool yk_resvec_match_any(const struct yk_resvec *a, const struct yk_resvec *b);
/* Multiplies each amount of `a` by `factor`; saturates. */
void yk_resvec_mul(struct yk_resvec *a, int64_t factor);
/* Sets `ret` to used / capacity in per cent, truncated to a whole number from 0 to INT32_MAX, for the
 * types that both have (M17). It is 0 if `used` is 0 or less, and 100 if something of a capacity of 0 or
 * less is used. `ret` is empty if one of them is NULL. */
void yk_resvec_percent(const struct yk_resvec *capacity, const struct yk_resvec *used, struct yk_resvec *ret);

/* Writes the shares of `r` in `total`, sorted ascending, one for each type of `r`, to `shares`, which has
 * space for yk_resvec_count(r) numbers. The share of a type is its amount divided by that of `total`, or
 * the amount itself if `total` is NULL or has 0 or none of the type. Returns the number of shares (M18). */
int yk_resvec_shares(const struct yk_resvec *r, const struct yk_resvec *total, double *shares);
/* Compares two lists of yk_resvec_shares(), of `a_count` and `b_count` numbers, from their largest shares on.
 * The shorter list counts as if it went on with 0. Negative: `a` is the smaller usage; 0: they are equal;
 * positive: `b` is the smaller usage (M19). */
int yk_shares_cmp(const double *a, int a_count, const double *b, int b_count);
/* The fair share: the largest quotient, over all types, of `allocated` and the amount in `guaranteed` or, if
 * the type is not in there, in `fair_max`. Types in neither are left out. If the amount there is 0 or less,
 * the quotient is 1 if something is allocated, else 0. Never negative. `guaranteed` and `fair_max` may be
 * NULL (M20). */
double yk_resvec_fair_share(const struct yk_resvec *allocated, const struct yk_resvec *guaranteed,
                            const struct yk_resvec *fair_max);
/*
 * Whether `used` is below `guaranteed` in each type of which more than 0 is guaranteed, and `wanted` has
 * more than 0 of one of these types. `guaranteed` may be NULL: false.
 */
bool yk_resvec_is_below(const struct yk_resvec *used, const struct yk_resvec *guaranteed,
                        const struct yk_resvec *wanted);

/* Appends the amounts in the order of names, for logs and messages: "memory:100 vcore:10". Appends
 * nothing if `r` is empty. */
void yk_resvec_print(const struct yk_resvec *r, struct yk_buf *buf);
/* Writes the amounts as a JSON object, the next value of `json`, in the order of names:
 * {"memory":100,"vcore":10}. */
void yk_resvec_json(const struct yk_resvec *r, struct yk_json *json);
/* A hash that is stable within the process: equal vectors (yk_resvec_same()) have the same hash. */
uint64_t yk_resvec_hash(const struct yk_resvec *r);

#endif
