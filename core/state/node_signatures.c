/* SPDX-License-Identifier: Apache-2.0 */
#include "state/node_signatures.h"

/* The nodes of a signature whose indexes have the same quotient by 64; at least one node. */
struct node_set {
    uint32_t word; /* index / 64 */
    uint64_t bits;
};

/* All nodes of a signature. */
struct members {
    struct node_set *node_sets; /* owned; sorted by word */
    size_t count, capacity;
};

enum { WORD = 64, FIRST_SETS = 2 };

static void members_free(struct members *members)
{
    if (members != NULL)
        free(members->node_sets);
    free(members);
}

void yk_node_signatures_done(struct yk_node_signatures *signatures)
{
    struct members *members;
    yk_vec_foreach (members, &signatures->members)
        members_free(members);
    yk_vec_done(&signatures->members);
    free(signatures->labels);
    *signatures = (struct yk_node_signatures){.labels = NULL};
}

/* The index of the first set whose word is not below `word`; `count` if there is none. */
static size_t find_set(const struct members *members, uint32_t word)
{
    size_t low = 0, high = members->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (members->node_sets[middle].word < word)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void insert_set(struct members *members, size_t at, struct node_set node_set)
{
    if (members->count == members->capacity) {
        members->capacity = YK_MAX(members->capacity * 2, (size_t)FIRST_SETS);
        members->node_sets =
            yk_realloc_array(members->node_sets, members->capacity, sizeof(*members->node_sets));
    }
    memmove(&members->node_sets[at + 1], &members->node_sets[at],
            (members->count - at) * sizeof(*members->node_sets));
    members->node_sets[at] = node_set;
    members->count++;
}

static void add(struct yk_node_signatures *signatures, uint32_t signature, uint32_t node_index)
{
    while (signatures->members.count <= signature)
        yk_vec_append(&signatures->members, NULL);
    struct members *members = signatures->members.items[signature];
    if (members == NULL)
        signatures->members.items[signature] = members = yk_new0(struct members);
    uint32_t word = node_index / WORD;
    uint64_t bit = UINT64_C(1) << node_index % WORD;
    size_t at = find_set(members, word);
    if (at < members->count && members->node_sets[at].word == word)
        members->node_sets[at].bits |= bit;
    else
        insert_set(members, at, (struct node_set){word, bit});
}

static void take_away(struct yk_node_signatures *signatures, uint32_t signature, uint32_t node_index)
{
    struct members *members = signatures->members.items[signature];
    size_t at = find_set(members, node_index / WORD);
    if (!YK_ASSERT(at < members->count && members->node_sets[at].word == node_index / WORD))
        return;
    members->node_sets[at].bits &= ~(UINT64_C(1) << node_index % WORD);
    if (members->node_sets[at].bits != 0)
        return;
    members->count--;
    memmove(&members->node_sets[at], &members->node_sets[at + 1],
            (members->count - at) * sizeof(*members->node_sets));
    if (members->count > 0)
        return;
    members_free(members);
    signatures->members.items[signature] = NULL;
}

static void grow(struct yk_node_signatures *signatures, uint32_t node_index)
{
    if (node_index < signatures->capacity)
        return;
    size_t capacity = YK_MAX(signatures->capacity * 2, (size_t)node_index + 1);
    signatures->labels = yk_realloc_array(signatures->labels, capacity, sizeof(*signatures->labels));
    memset(signatures->labels + signatures->capacity, 0,
           (capacity - signatures->capacity) * sizeof(*signatures->labels));
    signatures->capacity = capacity;
}

void yk_node_signatures_set(struct yk_node_signatures *signatures, uint32_t node_index, uint32_t signature)
{
    grow(signatures, node_index);
    if (signatures->labels[node_index] == signature + 1)
        return;
    yk_node_signatures_forget(signatures, node_index);
    signatures->labels[node_index] = signature + 1;
    add(signatures, signature, node_index);
}

void yk_node_signatures_forget(struct yk_node_signatures *signatures, uint32_t node_index)
{
    if (node_index >= signatures->capacity || signatures->labels[node_index] == 0)
        return;
    take_away(signatures, signatures->labels[node_index] - 1, node_index);
    signatures->labels[node_index] = 0;
}

void yk_node_signatures_select(const struct yk_node_signatures *signatures,
                               bool (*passes)(void *context, uint32_t node_index), void *context,
                               struct yk_bitset *ret)
{
    const struct members *members;
    yk_bitset_clear_all(ret);
    yk_vec_foreach (members, &signatures->members) {
        if (members == NULL)
            continue;
        const struct node_set *first = &members->node_sets[0];
        if (!passes(context, first->word * WORD + (uint32_t)__builtin_ctzll(first->bits)))
            continue;
        for (size_t i = 0; i < members->count; i++)
            yk_bitset_add_word(ret, members->node_sets[i].word, members->node_sets[i].bits);
    }
}
