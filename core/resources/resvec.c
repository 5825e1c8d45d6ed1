/* SPDX-License-Identifier: Apache-2.0 */
#include "resources/resvec.h"

#include "base/json_writer.h"

#include <math.h>

void yk_resvec_sub(struct yk_resvec *a, const struct yk_resvec *b)
{
    yk_resvec_foreach(t, b->set) yk_resvec_put(a, (int)t, yk_i64_sub(yk_resvec_get(a, (int)t), b->v[t]));
}

void yk_resvec_add_existing(struct yk_resvec *a, const struct yk_resvec *b)
{
    if (b == NULL)
        return;
    yk_resvec_foreach(t, a->set & b->set) a->v[t] = yk_i64_add(a->v[t], b->v[t]);
}

void yk_resvec_sub_existing(struct yk_resvec *a, const struct yk_resvec *b)
{
    if (b == NULL)
        return;
    yk_resvec_foreach(t, a->set & b->set) a->v[t] = yk_i64_sub(a->v[t], b->v[t]);
}

bool yk_resvec_take(struct yk_resvec *a, const struct yk_resvec *b)
{
    bool enough = true;
    uint32_t others = a->set & ~b->set;
    yk_resvec_foreach(t, b->set)
    {
        int64_t left = yk_i64_sub(yk_resvec_get(a, (int)t), b->v[t]);
        enough = enough && left >= 0;
        if (left > 0)
            yk_resvec_put(a, (int)t, left);
        else
            a->set &= ~(UINT32_C(1) << t);
    }
    if (others != 0)
        yk_resvec_prune(a);
    return enough;
}

void yk_resvec_prune(struct yk_resvec *a)
{
    yk_resvec_foreach(t, a->set)
    {
        if (a->v[t] == 0)
            a->set &= ~(UINT32_C(1) << t);
    }
}

bool yk_resvec_fit(const struct yk_resvec *big, const struct yk_resvec *small)
{
    if (small == NULL)
        return true;
    yk_resvec_foreach(t, small->set)
    {
        int64_t room = big == NULL ? 0 : yk_resvec_get(big, (int)t);
        if (small->v[t] > YK_MAX(room, 0))
            return false;
    }
    return true;
}

bool yk_resvec_fit_undef(const struct yk_resvec *big, const struct yk_resvec *small)
{
    if (small == NULL || big == NULL)
        return true;
    yk_resvec_foreach(t, small->set & big->set)
    {
        if (small->v[t] > YK_MAX(big->v[t], 0))
            return false;
    }
    return true;
}

bool yk_resvec_fit_actual(const struct yk_resvec *big, const struct yk_resvec *small)
{
    if (small == NULL || big == NULL)
        return true;
    yk_resvec_foreach(t, small->set & big->set)
    {
        if (small->v[t] > big->v[t])
            return false;
    }
    return true;
}

bool yk_resvec_fit_sum(const struct yk_resvec *max, const struct yk_resvec *used,
                       const struct yk_resvec *more)
{
    if (max == NULL)
        return true;
    yk_resvec_foreach(t, more->set & max->set)
    {
        if (yk_i64_add(yk_resvec_get(used, (int)t), more->v[t]) > YK_MAX(max->v[t], 0))
            return false;
    }
    return true;
}

void yk_resvec_min(struct yk_resvec *a, const struct yk_resvec *b)
{
    yk_resvec_foreach(t, b->set)
    {
        if (!yk_resvec_has(a, (int)t) || b->v[t] < a->v[t])
            yk_resvec_put(a, (int)t, b->v[t]);
    }
}

void yk_resvec_min_existing(struct yk_resvec *a, const struct yk_resvec *b)
{
    yk_resvec_foreach(t, a->set & b->set) a->v[t] = YK_MIN(a->v[t], b->v[t]);
}

void yk_resvec_max(struct yk_resvec *a, const struct yk_resvec *b)
{
    yk_resvec_foreach(t, a->set & ~b->set) a->v[t] = YK_MAX(a->v[t], 0);
    yk_resvec_foreach(t, b->set) yk_resvec_put(a, (int)t, YK_MAX(yk_resvec_get(a, (int)t), b->v[t]));
}

bool yk_resvec_is_zero(const struct yk_resvec *a)
{
    if (a == NULL)
        return true;
    yk_resvec_foreach(t, a->set)
    {
        if (a->v[t] != 0)
            return false;
    }
    return true;
}

bool yk_resvec_has_negative(const struct yk_resvec *a)
{
    yk_resvec_foreach(t, a->set)
    {
        if (a->v[t] < 0)
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
    yk_resvec_foreach(t, a->set | b->set)
    {
        if (yk_resvec_get(a, (int)t) < yk_resvec_get(b, (int)t))
            return false;
    }
    return true;
}

bool yk_resvec_gt(const struct yk_resvec *a, const struct yk_resvec *b)
{
    return yk_resvec_ge(a, b) && !yk_resvec_eq(a, b);
}

static bool all_above_zero(const struct yk_resvec *a)
{
    yk_resvec_foreach(t, a->set)
    {
        if (a->v[t] <= 0)
            return false;
    }
    return true;
}

bool yk_resvec_ge_existing(const struct yk_resvec *a, const struct yk_resvec *b)
{
    if (a->set == 0)
        return false;
    if (b->set == 0)
        return all_above_zero(a);
    yk_resvec_foreach(t, a->set & b->set)
    {
        if (b->v[t] > a->v[t])
            return false;
    }
    return true;
}

bool yk_resvec_gt_existing(const struct yk_resvec *a, const struct yk_resvec *b)
{
    if (!yk_resvec_ge_existing(a, b))
        return false;
    uint32_t common = a->set & b->set;
    if (common == 0)
        return true;
    yk_resvec_foreach(t, common)
    {
        if (a->v[t] != b->v[t])
            return true;
    }
    return false;
}

bool yk_resvec_eq(const struct yk_resvec *a, const struct yk_resvec *b)
{
    yk_resvec_foreach(t, a->set | b->set)
    {
        if (yk_resvec_get(a, (int)t) != yk_resvec_get(b, (int)t))
            return false;
    }
    return true;
}

bool yk_resvec_same(const struct yk_resvec *a, const struct yk_resvec *b)
{
    return a->set == b->set && yk_resvec_eq(a, b);
}

static int64_t saturate(double x)
{
    if (x >= 0x1p63)
        return INT64_MAX;
    return x <= -0x1p63 ? INT64_MIN : (int64_t)x;
}

void yk_resvec_scale(struct yk_resvec *a, double factor)
{
    yk_resvec_foreach(t, a->set) a->v[t] = saturate((double)a->v[t] * factor);
}

void yk_resvec_mul(struct yk_resvec *a, int64_t factor)
{
    yk_resvec_foreach(t, a->set)
    {
        bool negative = (a->v[t] < 0) != (factor < 0);
        if (__builtin_mul_overflow(a->v[t], factor, &a->v[t]))
            a->v[t] = negative ? INT64_MIN : INT64_MAX;
    }
}

void yk_resvec_percent(const struct yk_resvec *capacity, const struct yk_resvec *used, struct yk_resvec *ret)
{
    ret->set = 0;
    if (capacity == NULL || used == NULL)
        return;
    yk_resvec_foreach(t, capacity->set & used->set)
    {
        int64_t percent = 100;
        if (used->v[t] <= 0)
            percent = 0;
        else if (capacity->v[t] > 0)
            percent = saturate((double)used->v[t] / (double)capacity->v[t] * 100);
        yk_resvec_put(ret, (int)t, YK_MIN(percent, INT32_MAX));
    }
}

int yk_resvec_shares(const struct yk_resvec *r, const struct yk_resvec *total, double shares[YK_RESTYPE_MAX])
{
    int count = 0;
    yk_resvec_foreach(t, r->set)
    {
        int64_t whole = total == NULL ? 0 : yk_resvec_get(total, (int)t);
        double share = (double)r->v[t];
        if (r->v[t] != 0 && whole != 0)
            share /= (double)whole;
        int at = count++;
        for (; at > 0 && shares[at - 1] > share; at--)
            shares[at] = shares[at - 1];
        shares[at] = share;
    }
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
    yk_resvec_foreach(t, allocated->set)
    {
        int64_t used = allocated->v[t];
        const struct yk_resvec *base =
            guaranteed != NULL && yk_resvec_has(guaranteed, (int)t) ? guaranteed : fair_max;
        if (used < 0 || base == NULL || !yk_resvec_has(base, (int)t))
            continue;
        int64_t whole = base->v[t];
        double here = whole > 0 ? (double)used / (double)whole : (used > 0 ? 1.0 : 0.0);
        share = fmax(share, here);
    }
    return share;
}

bool yk_resvec_is_below(const struct yk_resvec *used, const struct yk_resvec *guaranteed,
                        const struct yk_resvec *wanted)
{
    bool is_wanted = false;
    yk_resvec_foreach(t, guaranteed != NULL ? guaranteed->set : 0)
    {
        if (guaranteed->v[t] <= 0)
            continue;
        if (yk_resvec_get(used, (int)t) >= guaranteed->v[t])
            return false;
        is_wanted |= yk_resvec_get(wanted, (int)t) > 0;
    }
    return is_wanted;
}

int yk_resvec_dominant(const struct yk_resvec *used, const struct yk_resvec *capacity)
{
    int dominant = -1;
    double largest = 0;
    yk_resvec_foreach(t, used->set & capacity->set)
    {
        double here = used->v[t] == 0 ? 0 : 1;
        if (capacity->v[t] != 0)
            here = (double)used->v[t] / (double)capacity->v[t];
        bool wins = dominant < 0 || here > largest;
        if (!wins && here >= largest)
            wins = strcmp(yk_restype_name((int)t), yk_restype_name(dominant)) < 0;
        if (wins) {
            dominant = (int)t;
            largest = here;
        }
    }
    return dominant;
}

void yk_resvec_print(const struct yk_resvec *r, struct yk_buf *buf)
{
    int types[YK_RESTYPE_MAX], count = yk_restype_sorted(types);
    bool first = true;
    for (int i = 0; i < count; i++) {
        if (!yk_resvec_has(r, types[i]))
            continue;
        yk_buf_printf(buf, "%s%s:%lld", first ? "" : " ", yk_restype_name(types[i]),
                      (long long)r->v[types[i]]);
        first = false;
    }
}

void yk_resvec_json(const struct yk_resvec *r, struct yk_json *json)
{
    int types[YK_RESTYPE_MAX], count = yk_restype_sorted(types);
    yk_json_object_begin(json);
    for (int i = 0; i < count; i++) {
        if (yk_resvec_has(r, types[i]))
            yk_json_add_int(json, yk_restype_name(types[i]), r->v[types[i]]);
    }
    yk_json_object_end(json);
}

uint64_t yk_resvec_hash(const struct yk_resvec *r)
{
    uint64_t hash = r->set;
    yk_resvec_foreach(t, r->set)
    {
        hash ^= (uint64_t)r->v[t] + UINT64_C(0x9e3779b97f4a7c15) + (hash << 6) + (hash >> 2);
        hash *= UINT64_C(0xff51afd7ed558ccd);
    }
    return hash;
}
