/* SPDX-License-Identifier: Apache-2.0 */
#include "state/node_signatures.h"

/* Those nodes of a kind whose indices share all but the last six bits. None is empty. */
struct flock {
    uint32_t word; /* index / 64 */
    uint64_t bits;
};

/* All nodes of a kind: few kinds have many flocks, many kinds have few each. */
struct members {
    struct flock *flocks; /* owned; by word */
    size_t count, capacity;
};

enum { WORD = 64, FIRST_FLOCKS = 2 };

static void members_free(struct members *members)
{
    if (members != NULL)
        free(members->flocks);
    free(members);
}

void yk_node_signatures_done(struct yk_node_signatures *kinds)
{
    struct members *members;
    yk_vec_foreach (members, &kinds->members)
        members_free(members);
    yk_vec_done(&kinds->members);
    free(kinds->labels);
    *kinds = (struct yk_node_signatures){.labels = NULL};
}

/* The first that is not before `word`. */
static size_t find_flock(const struct members *members, uint32_t word)
{
    size_t low = 0, high = members->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (members->flocks[middle].word < word)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void insert_flock(struct members *members, size_t at, struct flock flock)
{
    if (members->count == members->capacity) {
        members->capacity = YK_MAX(members->capacity * 2, (size_t)FIRST_FLOCKS);
        members->flocks = yk_realloc_array(members->flocks, members->capacity, sizeof(*members->flocks));
    }
    memmove(&members->flocks[at + 1], &members->flocks[at], (members->count - at) * sizeof(*members->flocks));
    members->flocks[at] = flock;
    members->count++;
}

static void add(struct yk_node_signatures *kinds, uint32_t kind, uint32_t node_index)
{
    while (kinds->members.count <= kind)
        yk_vec_append(&kinds->members, NULL);
    struct members *members = kinds->members.items[kind];
    if (members == NULL)
        kinds->members.items[kind] = members = yk_new0(struct members);
    uint32_t word = node_index / WORD;
    uint64_t bit = UINT64_C(1) << node_index % WORD;
    size_t at = find_flock(members, word);
    if (at < members->count && members->flocks[at].word == word)
        members->flocks[at].bits |= bit;
    else
        insert_flock(members, at, (struct flock){word, bit});
}

static void take_away(struct yk_node_signatures *kinds, uint32_t kind, uint32_t node_index)
{
    struct members *members = kinds->members.items[kind];
    size_t at = find_flock(members, node_index / WORD);
    if (!YK_ASSERT(at < members->count && members->flocks[at].word == node_index / WORD))
        return;
    members->flocks[at].bits &= ~(UINT64_C(1) << node_index % WORD);
    if (members->flocks[at].bits != 0)
        return;
    members->count--;
    memmove(&members->flocks[at], &members->flocks[at + 1], (members->count - at) * sizeof(*members->flocks));
    if (members->count > 0)
        return;
    members_free(members);
    kinds->members.items[kind] = NULL;
}

static void make_capacity(struct yk_node_signatures *kinds, uint32_t node_index)
{
    if (node_index < kinds->capacity)
        return;
    size_t capacity = YK_MAX(kinds->capacity * 2, (size_t)node_index + 1);
    kinds->labels = yk_realloc_array(kinds->labels, capacity, sizeof(*kinds->labels));
    memset(kinds->labels + kinds->capacity, 0, (capacity - kinds->capacity) * sizeof(*kinds->labels));
    kinds->capacity = capacity;
}

void yk_node_signatures_set(struct yk_node_signatures *kinds, uint32_t node_index, uint32_t kind)
{
    make_capacity(kinds, node_index);
    if (kinds->labels[node_index] == kind + 1)
        return;
    yk_node_signatures_forget(kinds, node_index);
    kinds->labels[node_index] = kind + 1;
    add(kinds, kind, node_index);
}

void yk_node_signatures_forget(struct yk_node_signatures *kinds, uint32_t node_index)
{
    if (node_index >= kinds->capacity || kinds->labels[node_index] == 0)
        return;
    take_away(kinds, kinds->labels[node_index] - 1, node_index);
    kinds->labels[node_index] = 0;
}

void yk_node_signatures_select(const struct yk_node_signatures *kinds,
                               bool (*passes)(void *context, uint32_t node_index), void *context,
                               struct yk_bitset *ret)
{
    const struct members *members;
    yk_bitset_clear_all(ret);
    yk_vec_foreach (members, &kinds->members) {
        if (members == NULL)
            continue;
        const struct flock *first = &members->flocks[0];
        if (!passes(context, first->word * WORD + (uint32_t)__builtin_ctzll(first->bits)))
            continue;
        for (size_t i = 0; i < members->count; i++)
            yk_bitset_add_word(ret, members->flocks[i].word, members->flocks[i].bits);
    }
}
