/* SPDX-License-Identifier: Apache-2.0 */
#include "resources/resvec.h"

#include "base/json_writer.h"
#include "base/map.h"

#include <math.h>

_Static_assert(YK_RESTYPE_DENSE != 14 || sizeof(struct yk_resvec) == 2 * YK_LINE_BYTES,
               "a vector is two cache lines");

/* ---- types that are not dense ---- */

struct part {
    int type;
    int64_t amount;
};

/* Has at least one part: a vector without such types has no block. There is a reference to each type in
 * it. */
struct yk_resvec_more {
    uint32_t count, room; /* parts in use; parts that the block has space for */
    struct part parts[];  /* ascending by type */
};

/* For each part of a vector; `part` is a struct part * that the loop declares. No part may be added or
 * removed meanwhile. */
#define more_foreach(part, r)                                                                                \
    for (struct part *part = (r)->more != NULL ? (r)->more->parts : NULL,                                    \
                     *yk_end_ = part != NULL ? part + (r)->more->count : NULL;                               \
         part < yk_end_; part++)

/* The index of the first part whose type is not below `type`; `count` if there is none. */
static uint32_t place_of(const struct yk_resvec_more *more, int type)
{
    uint32_t low = 0, high = more->count;
    if (more->parts[high - 1].type < type) /* a shortcut for types that are added in ascending order */
        return high;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (more->parts[middle].type < type)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void yk__resvec_free_more(struct yk_resvec *r)
{
    more_foreach(part, r) yk_restype_release(part->type);
    free(r->more);
    r->more = NULL;
}

int yk__resvec_next_more(const struct yk_resvec *r, int type)
{
    uint32_t place = place_of(r->more, type);
    return place < r->more->count ? r->more->parts[place].type : YK_RESTYPE_MAX;
}

int64_t *yk__resvec_find_more(const struct yk_resvec *r, int type)
{
    uint32_t place = place_of(r->more, type);
    if (place == r->more->count || r->more->parts[place].type != type)
        return NULL;
    return &r->more->parts[place].amount;
}

int64_t yk__resvec_get_more(const struct yk_resvec *r, int type)
{
    const int64_t *amount = yk__resvec_find_more(r, type);
    return amount != NULL ? *amount : 0;
}

static struct yk_resvec_more *with_capacity(struct yk_resvec_more *more, uint32_t room)
{
    uint32_t count = more != NULL ? more->count : 0;
    size_t bytes = yk_size_add(sizeof(*more), yk_size_mul(room, sizeof(more->parts[0])));
    more = yk_realloc_array(more, bytes, 1);
    more->count = count;
    more->room = room;
    return more;
}

/* The address of the amount of `type`, which is added with amount 0 if it is absent. Valid until a type
 * is added or removed. */
static int64_t *amount_of(struct yk_resvec *r, int type)
{
    uint32_t count = r->more != NULL ? r->more->count : 0;
    uint32_t place = count > 0 ? place_of(r->more, type) : 0;
    if (place < count && r->more->parts[place].type == type)
        return &r->more->parts[place].amount;
    if (r->more == NULL || count == r->more->room)
        r->more = with_capacity(r->more, count < 2 ? 2 : count + count / 2);
    struct part *at = &r->more->parts[place];
    memmove(at + 1, at, (count - place) * sizeof(*at));
    *at = (struct part){.type = type, .amount = 0};
    r->more->count++;
    yk_restype_hold(type);
    return &at->amount;
}

void yk__resvec_put_more(struct yk_resvec *r, int type, int64_t amount)
{
    *amount_of(r, type) = amount;
}

static void remove_more(struct yk_resvec *r, int type)
{
    uint32_t place = place_of(r->more, type);
    if (place == r->more->count || r->more->parts[place].type != type)
        return;
    struct part *at = &r->more->parts[place];
    r->more->count--;
    memmove(at, at + 1, (r->more->count - place) * sizeof(*at));
    yk_restype_release(type);
    if (r->more->count == 0)
        yk__resvec_free_more(r);
}

void yk__resvec_copy_more(struct yk_resvec *to, const struct yk_resvec *from)
{
    if (from->more == NULL) {
        yk__resvec_free_more(to);
        return;
    }
    more_foreach(part, from) yk_restype_hold(part->type);
    more_foreach(part, to) yk_restype_release(part->type);
    if (to->more == NULL || to->more->room < from->more->count)
        to->more = with_capacity(to->more, from->more->count);
    to->more->count = from->more->count;
    memcpy(to->more->parts, from->more->parts, from->more->count * sizeof(from->more->parts[0]));
}

void yk__resvec_add_more(struct yk_resvec *a, const struct yk_resvec *b)
{
    if (a == b) {
        more_foreach(part, a) part->amount = yk_i64_add(part->amount, part->amount);
        return;
    }
    more_foreach(part, b)
    {
        int64_t *amount = amount_of(a, part->type);
        *amount = yk_i64_add(*amount, part->amount);
    }
}

/* ---- which types are present ---- */

void yk_resvec_remove(struct yk_resvec *r, int type)
{
    if (type < YK_RESTYPE_DENSE)
        r->dense_types &= ~(UINT32_C(1) << type);
    else if (r->more != NULL)
        remove_more(r, type);
}

int yk_resvec_count(const struct yk_resvec *r)
{
    return __builtin_popcount(r->dense_types) + (r->more != NULL ? (int)r->more->count : 0);
}

int yk_resvec_count_common(const struct yk_resvec *a, const struct yk_resvec *b)
{
    int count = __builtin_popcount(a->dense_types & b->dense_types);
    more_foreach(part, a) count += yk_resvec_has(b, part->type);
    return count;
}

int yk_resvec_types_by_name(const struct yk_resvec *r, int *types)
{
    int count = 0;
    yk_resvec_foreach(t, r) types[count++] = t;
    yk_restype_sort(types, count);
    return count;
}

/* Whether `b` has a type that `a` does not have. */
static bool lacks_type(const struct yk_resvec *a, const struct yk_resvec *b)
{
    if ((b->dense_types & ~a->dense_types) != 0)
        return true;
    more_foreach(part, b)
    {
        if (!yk_resvec_has(a, part->type))
            return true;
    }
    return false;
}

void yk_resvec_remove_types(struct yk_resvec *a, const struct yk_resvec *b)
{
    a->dense_types &= ~b->dense_types;
    if (a->more == NULL)
        return;
    more_foreach(part, b) yk_resvec_remove(a, part->type);
}

static void filter_more(struct yk_resvec *r, bool (*keeps)(const struct part *part, const void *context),
                        const void *context)
{
    if (r->more == NULL)
        return;
    uint32_t kept = 0;
    more_foreach(part, r)
    {
        if (keeps(part, context))
            r->more->parts[kept++] = *part;
        else
            yk_restype_release(part->type);
    }
    r->more->count = kept;
    if (kept == 0)
        yk__resvec_free_more(r);
}

static bool is_in(const struct part *part, const void *vector)
{
    return yk_resvec_has(vector, part->type);
}

void yk_resvec_keep_types(struct yk_resvec *a, const struct yk_resvec *b)
{
    a->dense_types &= b->dense_types;
    filter_more(a, is_in, b);
}

uint64_t yk__resvec_others(const struct yk_resvec *r)
{
    uint64_t marks = 0;
    more_foreach(part, r) marks |= part->amount > 0 ? UINT64_C(1) << part->type % 64 : 0;
    return marks;
}

void yk_resvec_add_dense_types(struct yk_resvec *r, uint32_t types)
{
    yk_bits_foreach(t, types & ~r->dense_types) r->dense[t] = 0;
    r->dense_types |= types;
}

bool yk_resvec_match_any(const struct yk_resvec *a, const struct yk_resvec *b)
{
    return (a->dense_types & b->dense_types) != 0 ||
           (a->more != NULL && b->more != NULL && yk_resvec_count_common(a, b) > 0);
}

/* ---- arithmetic: separate loops for the dense columns, because nearly all vectors have nothing else ---- */

void yk_resvec_sub(struct yk_resvec *a, const struct yk_resvec *b)
{
    yk_bits_foreach(t, b->dense_types & ~a->dense_types) a->dense[t] = 0;
    a->dense_types |= b->dense_types;
    yk_bits_foreach(t, b->dense_types) a->dense[t] = yk_i64_sub(a->dense[t], b->dense[t]);
    more_foreach(part, b)
    {
        int64_t *amount = amount_of(a, part->type);
        *amount = yk_i64_sub(*amount, part->amount);
    }
}

void yk_resvec_add_existing(struct yk_resvec *a, const struct yk_resvec *b)
{
    if (b == NULL)
        return;
    yk_bits_foreach(t, a->dense_types & b->dense_types) a->dense[t] = yk_i64_add(a->dense[t], b->dense[t]);
    more_foreach(part, a) part->amount = yk_i64_add(part->amount, yk_resvec_get(b, part->type));
}

void yk_resvec_sub_existing(struct yk_resvec *a, const struct yk_resvec *b)
{
    if (b == NULL)
        return;
    yk_bits_foreach(t, a->dense_types & b->dense_types) a->dense[t] = yk_i64_sub(a->dense[t], b->dense[t]);
    more_foreach(part, a) part->amount = yk_i64_sub(part->amount, yk_resvec_get(b, part->type));
}

/* Subtracts `amount` from the type, which is removed unless more than 0 is left. Returns whether there
 * was enough. */
static bool take_one(struct yk_resvec *a, int type, int64_t amount)
{
    int64_t left = yk_i64_sub(yk_resvec_get(a, type), amount);
    if (left > 0)
        yk_resvec_put(a, type, left);
    else
        yk_resvec_remove(a, type);
    return left >= 0;
}

bool yk_resvec_take(struct yk_resvec *a, const struct yk_resvec *b)
{
    bool enough = true, has_others = lacks_type(b, a);
    yk_bits_foreach(t, b->dense_types) enough &= take_one(a, (int)t, b->dense[t]);
    more_foreach(part, b) enough &= take_one(a, part->type, part->amount);
    if (has_others)
        yk_resvec_prune(a);
    return enough;
}

static bool is_not_zero(const struct part *part, const void *context)
{
    (void)context;
    return part->amount != 0;
}

void yk_resvec_prune(struct yk_resvec *a)
{
    yk_bits_foreach(t, a->dense_types)
    {
        if (a->dense[t] == 0)
            a->dense_types &= ~(UINT32_C(1) << t);
    }
    filter_more(a, is_not_zero, NULL);
}

bool yk_resvec_fit(const struct yk_resvec *big, const struct yk_resvec *small)
{
    if (small == NULL)
        return true;
    yk_bits_foreach(t, small->dense_types)
    {
        int64_t capacity = big == NULL ? 0 : yk_resvec_get(big, (int)t);
        if (small->dense[t] > YK_MAX(capacity, 0))
            return false;
    }
    more_foreach(part, small)
    {
        int64_t capacity = big == NULL ? 0 : yk_resvec_get(big, part->type);
        if (part->amount > YK_MAX(capacity, 0))
            return false;
    }
    return true;
}

bool yk_resvec_fit_undef(const struct yk_resvec *big, const struct yk_resvec *small)
{
    if (small == NULL || big == NULL)
        return true;
    yk_bits_foreach(t, small->dense_types & big->dense_types)
    {
        if (small->dense[t] > YK_MAX(big->dense[t], 0))
            return false;
    }
    more_foreach(part, small)
    {
        if (yk_resvec_has(big, part->type) && part->amount > YK_MAX(yk_resvec_get(big, part->type), 0))
            return false;
    }
    return true;
}

bool yk_resvec_fit_actual(const struct yk_resvec *big, const struct yk_resvec *small)
{
    if (small == NULL || big == NULL)
        return true;
    yk_bits_foreach(t, small->dense_types & big->dense_types)
    {
        if (small->dense[t] > big->dense[t])
            return false;
    }
    more_foreach(part, small)
    {
        if (yk_resvec_has(big, part->type) && part->amount > yk_resvec_get(big, part->type))
            return false;
    }
    return true;
}

bool yk_resvec_fit_sum(const struct yk_resvec *max, const struct yk_resvec *used,
                       const struct yk_resvec *more)
{
    if (max == NULL)
        return true;
    yk_bits_foreach(t, more->dense_types & max->dense_types)
    {
        if (yk_i64_add(yk_resvec_get(used, (int)t), more->dense[t]) > YK_MAX(max->dense[t], 0))
            return false;
    }
    more_foreach(part, more)
    {
        if (yk_resvec_has(max, part->type) && yk_i64_add(yk_resvec_get(used, part->type), part->amount) >
                                                  YK_MAX(yk_resvec_get(max, part->type), 0))
            return false;
    }
    return true;
}

void yk_resvec_min(struct yk_resvec *a, const struct yk_resvec *b)
{
    yk_resvec_foreach(t, b)
    {
        if (!yk_resvec_has(a, t) || yk_resvec_get(b, t) < yk_resvec_get(a, t))
            yk_resvec_put(a, t, yk_resvec_get(b, t));
    }
}

void yk_resvec_min_existing(struct yk_resvec *a, const struct yk_resvec *b)
{
    yk_bits_foreach(t, a->dense_types & b->dense_types) a->dense[t] = YK_MIN(a->dense[t], b->dense[t]);
    more_foreach(part, a)
    {
        if (yk_resvec_has(b, part->type))
            part->amount = YK_MIN(part->amount, yk_resvec_get(b, part->type));
    }
}

void yk_resvec_max(struct yk_resvec *a, const struct yk_resvec *b)
{
    yk_resvec_foreach(t, a)
    {
        if (!yk_resvec_has(b, t) && yk_resvec_get(a, t) < 0)
            yk_resvec_put(a, t, 0);
    }
    yk_resvec_foreach(t, b) yk_resvec_put(a, t, YK_MAX(yk_resvec_get(a, t), yk_resvec_get(b, t)));
}

bool yk_resvec_is_zero(const struct yk_resvec *a)
{
    yk_resvec_foreach(t, a)
    {
        if (yk_resvec_get(a, t) != 0)
            return false;
    }
    return true;
}

bool yk_resvec_has_negative(const struct yk_resvec *a)
{
    yk_resvec_foreach(t, a)
    {
        if (yk_resvec_get(a, t) < 0)
            return true;
    }
    return false;
}

bool yk_resvec_is_positive(const struct yk_resvec *a)
{
    return a != NULL && !yk_resvec_has_negative(a) && !yk_resvec_is_zero(a);
}

bool yk_resvec_ge(const struct yk_resvec *a, const struct yk_resvec *b)
{
    yk_bits_foreach(t, a->dense_types | b->dense_types)
    {
        if (yk_resvec_get(a, (int)t) < yk_resvec_get(b, (int)t))
            return false;
    }
    more_foreach(part, a)
    {
        if (part->amount < yk_resvec_get(b, part->type))
            return false;
    }
    more_foreach(part, b)
    {
        if (yk_resvec_get(a, part->type) < part->amount)
            return false;
    }
    return true;
}

bool yk_resvec_eq(const struct yk_resvec *a, const struct yk_resvec *b)
{
    yk_bits_foreach(t, a->dense_types | b->dense_types)
    {
        if (yk_resvec_get(a, (int)t) != yk_resvec_get(b, (int)t))
            return false;
    }
    more_foreach(part, a)
    {
        if (part->amount != yk_resvec_get(b, part->type))
            return false;
    }
    more_foreach(part, b)
    {
        if (yk_resvec_get(a, part->type) != part->amount)
            return false;
    }
    return true;
}

bool yk_resvec_same(const struct yk_resvec *a, const struct yk_resvec *b)
{
    return a->dense_types == b->dense_types && yk_resvec_count(a) == yk_resvec_count(b) &&
           !lacks_type(a, b) && yk_resvec_eq(a, b);
}

static int64_t saturate(double x)
{
    if (x >= 0x1p63)
        return INT64_MAX;
    return x <= -0x1p63 ? INT64_MIN : (int64_t)x;
}

static int64_t product(int64_t amount, int64_t factor)
{
    int64_t result;
    if (__builtin_mul_overflow(amount, factor, &result))
        return (amount < 0) != (factor < 0) ? INT64_MIN : INT64_MAX;
    return result;
}

void yk_resvec_mul(struct yk_resvec *a, int64_t factor)
{
    yk_resvec_foreach(t, a) yk_resvec_put(a, t, product(yk_resvec_get(a, t), factor));
}

static int64_t percent_of(int64_t capacity, int64_t used)
{
    int64_t percent = 100;
    if (used <= 0)
        percent = 0;
    else if (capacity > 0)
        percent = saturate((double)used / (double)capacity * 100);
    return YK_MIN(percent, INT32_MAX);
}

void yk_resvec_percent(const struct yk_resvec *capacity, const struct yk_resvec *used, struct yk_resvec *ret)
{
    yk_resvec_clear(ret);
    if (capacity == NULL || used == NULL)
        return;
    yk_resvec_foreach(t, used)
    {
        if (yk_resvec_has(capacity, t))
            yk_resvec_put(ret, t, percent_of(yk_resvec_get(capacity, t), yk_resvec_get(used, t)));
    }
}

static int by_size(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Up to this number, shares are sorted by insertion while they are written. */
enum { FEW_SHARES = 32 };

int yk_resvec_shares(const struct yk_resvec *r, const struct yk_resvec *total, double *shares)
{
    int count = 0;
    yk_resvec_foreach(t, r)
    {
        int64_t whole = total == NULL ? 0 : yk_resvec_get(total, t), amount = yk_resvec_get(r, t);
        double share = (double)amount;
        if (amount != 0 && whole != 0)
            share /= (double)whole;
        int at = count++;
        for (; at > 0 && at < FEW_SHARES && shares[at - 1] > share; at--)
            shares[at] = shares[at - 1];
        shares[at] = share;
    }
    if (count > FEW_SHARES)
        qsort(shares, (size_t)count, sizeof(*shares), by_size);
    return count;
}

static int sign(double x)
{
    return (x > 0) - (x < 0);
}

int yk_shares_cmp(const double *a, int a_count, const double *b, int b_count)
{
    for (; a_count > 0 && b_count > 0; a_count--, b_count--) {
        int order = sign(a[a_count - 1] - b[b_count - 1]);
        if (order != 0)
            return order;
    }
    for (; a_count > 0; a_count--) {
        if (a[a_count - 1] != 0)
            return sign(a[a_count - 1]);
    }
    for (; b_count > 0; b_count--) {
        if (b[b_count - 1] != 0)
            return -sign(b[b_count - 1]);
    }
    return 0;
}

double yk_resvec_fair_share(const struct yk_resvec *allocated, const struct yk_resvec *guaranteed,
                            const struct yk_resvec *fair_max)
{
    double share = 0;
    yk_resvec_foreach(t, allocated)
    {
        int64_t used = yk_resvec_get(allocated, t);
        const struct yk_resvec *base =
            guaranteed != NULL && yk_resvec_has(guaranteed, t) ? guaranteed : fair_max;
        if (used < 0 || base == NULL || !yk_resvec_has(base, t))
            continue;
        int64_t whole = yk_resvec_get(base, t);
        double here = whole > 0 ? (double)used / (double)whole : (used > 0 ? 1.0 : 0.0);
        share = fmax(share, here);
    }
    return share;
}

bool yk_resvec_is_below(const struct yk_resvec *used, const struct yk_resvec *guaranteed,
                        const struct yk_resvec *wanted)
{
    bool is_wanted = false;
    yk_resvec_foreach(t, guaranteed)
    {
        int64_t owed = yk_resvec_get(guaranteed, t);
        if (owed <= 0)
            continue;
        if (yk_resvec_get(used, t) >= owed)
            return false;
        is_wanted |= yk_resvec_get(wanted, t) > 0;
    }
    return is_wanted;
}

void yk_resvec_print(const struct yk_resvec *r, struct yk_buf *buf)
{
    int types[YK_RESTYPE_MAX], count = yk_resvec_types_by_name(r, types);
    for (int i = 0; i < count; i++)
        yk_buf_printf(buf, "%s%s:%lld", i == 0 ? "" : " ", yk_restype_name(types[i]),
                      (long long)yk_resvec_get(r, types[i]));
}

void yk_resvec_json(const struct yk_resvec *r, struct yk_json *json)
{
    int types[YK_RESTYPE_MAX], count = yk_resvec_types_by_name(r, types);
    yk_json_object_begin(json);
    for (int i = 0; i < count; i++)
        yk_json_add_int(json, yk_restype_name(types[i]), yk_resvec_get(r, types[i]));
    yk_json_object_end(json);
}

/* Uses yk_hash(), which has a secret, because users choose the amounts. */
uint64_t yk_resvec_hash(const struct yk_resvec *r)
{
    uint64_t words[1 + YK_RESTYPE_DENSE] = {r->dense_types}, count = 1;
    yk_bits_foreach(t, r->dense_types) words[count++] = (uint64_t)r->dense[t];
    uint64_t hash = yk_hash(words, count * sizeof(words[0]));
    more_foreach(part, r)
    {
        uint64_t next[] = {hash, (uint64_t)part->type, (uint64_t)part->amount};
        hash = yk_hash(next, sizeof(next));
    }
    return hash;
}
