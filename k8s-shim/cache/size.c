/* SPDX-License-Identifier: Apache-2.0 */
#include "cache/size.h"

#include "si.h"

static void size_free(struct yk_size *size)
{
    for (uint32_t i = 0; i < size->extra_count; i++)
        free(size->extra[i].name);
    free(size->extra);
    yk_resvec_done(&size->amounts);
    free(size);
}

bool yk_size_wants_unknown(const struct yk_size *size)
{
    for (uint32_t i = 0; i < size->extra_count; i++) {
        if (size->extra[i].amount > 0)
            return true;
    }
    return false;
}

void yk_sizes_done(struct yk_sizes *sizes)
{
    YK_ASSERT(sizes->by_hash.count == 0);
    yk_idmap_done(&sizes->by_hash);
}

static uint64_t resource_sum_hash(const struct yk_resource_sum *sum,
                                  const struct yk_resource_sum_names *names)
{
    uint64_t hash = yk_resvec_hash(&sum->known);
    yk_bits_foreach(i, sum->extra_set) hash +=
        yk_hash(names->names[i].p, names->names[i].len) ^ yk_hash_u64((uint64_t)sum->extra[i]);
    return hash;
}

static const struct yk_size_extra *extra_named(const struct yk_size *size, struct yk_str name)
{
    for (uint32_t i = 0; i < size->extra_count; i++) {
        if (yk_str_is(name, size->extra[i].name))
            return &size->extra[i];
    }
    return NULL;
}

static bool size_is(const struct yk_size *size, const struct yk_resvec *amounts,
                    const struct yk_resource_sum *sum, const struct yk_resource_sum_names *names)
{
    if (!yk_resvec_same(&size->amounts, amounts) ||
        size->extra_count != (uint32_t)__builtin_popcount(sum->extra_set))
        return false;
    yk_bits_foreach(i, sum->extra_set)
    {
        const struct yk_size_extra *extra = extra_named(size, names->names[i]);
        if (extra == NULL || extra->amount != sum->extra[i])
            return false;
    }
    return true;
}

/* Positive amounts of names without a type get types that no node has, so that the pod waits. */
static void amounts_with_unknown(const struct yk_resource_sum *sum, const struct yk_resource_sum_names *names,
                                 struct yk_resvec *ret)
{
    yk_resvec_copy(ret, &sum->known);
    yk_bits_foreach(i, sum->extra_set)
    {
        if (sum->extra[i] <= 0)
            continue;
        int type = yk_restype_asked(names->names[i], names->namespace_);
        int64_t amount = yk_i64_add(yk_resvec_get(ret, type), sum->extra[i]);
        yk_resvec_put(ret, type, YK_MIN(amount, YK_SI_AMOUNT_MAX));
    }
}

static struct yk_size *size_new(const struct yk_resvec *amounts, const struct yk_resource_sum *sum,
                                const struct yk_resource_sum_names *names)
{
    struct yk_size *size = yk_new0(struct yk_size);
    yk_resvec_copy(&size->amounts, amounts);
    if (sum->extra_set == 0)
        return size;
    size->extra = yk_new0_array(struct yk_size_extra, (size_t)__builtin_popcount(sum->extra_set));
    yk_bits_foreach(i, sum->extra_set) size->extra[size->extra_count++] =
        (struct yk_size_extra){yk_str_dup(names->names[i]), sum->extra[i]};
    return size;
}

struct yk_size *yk_size_get(struct yk_sizes *sizes, const struct yk_resource_sum *sum,
                            const struct yk_resource_sum_names *names)
{
    YK_RESVEC(amounts);
    amounts_with_unknown(sum, names, &amounts);
    uint64_t hash = resource_sum_hash(sum, names);
    struct yk_size *first = yk_idmap_get(&sizes->by_hash, hash);
    for (struct yk_size *size = first; size != NULL; size = size->next_same_hash) {
        if (size_is(size, &amounts, sum, names))
            return yk_size_ref(size);
    }
    struct yk_size *size = size_new(&amounts, sum, names);
    size->hash = hash;
    size->next_same_hash = first;
    (void)yk_idmap_put(&sizes->by_hash, hash, size); /* the size that it replaces is size->next_same_hash */
    return yk_size_ref(size);
}

struct yk_size *yk_size_ref(struct yk_size *size)
{
    size->holders++;
    return size;
}

static void unlink_size(struct yk_sizes *sizes, struct yk_size *size)
{
    struct yk_size *first = yk_idmap_get(&sizes->by_hash, size->hash);
    if (first == size) {
        if (size->next_same_hash != NULL)
            (void)yk_idmap_put(&sizes->by_hash, size->hash, size->next_same_hash); /* replaces `size` */
        else
            (void)yk_idmap_remove(&sizes->by_hash, size->hash); /* the result is `size` */
        return;
    }
    for (struct yk_size *before = first; before != NULL; before = before->next_same_hash) {
        if (before->next_same_hash == size)
            before->next_same_hash = size->next_same_hash;
    }
}

void yk_size_put(struct yk_sizes *sizes, struct yk_size *size)
{
    if (size == NULL || !YK_ASSERT(size->holders > 0) || --size->holders > 0)
        return;
    unlink_size(sizes, size);
    size_free(size);
}

struct yk_size *yk_size_resolve(struct yk_sizes *sizes, struct yk_size *size, struct yk_str namespace_)
{
    if (size->extra_count == 0)
        return yk_size_ref(size);
    YK_RESOURCE_SUM(sum);
    struct yk_resource_sum_names names = {.namespace_ = namespace_};
    yk_resvec_copy(&sum.known, &size->amounts);
    int64_t kept = 0;
    yk_resvec_foreach(type, &size->amounts)
    {
        if (!yk_restype_is_asked(type))
            continue;
        kept = yk_i64_add(kept, yk_resvec_get(&size->amounts, type));
        yk_resvec_remove(&sum.known, type);
    }
    for (uint32_t i = 0; i < size->extra_count; i++) {
        kept -= YK_MAX(size->extra[i].amount, 0);
        yk_resource_sum_put(&sum, &names, yk_str_from(size->extra[i].name), size->extra[i].amount);
    }
    if (kept > 0) /* amounts of names beyond YK_RESOURCE_SUM_EXTRA_MAX */
        yk_resvec_put(&sum.known, YK_RESTYPE_UNKNOWN, kept);
    return yk_size_get(sizes, &sum, &names);
}
