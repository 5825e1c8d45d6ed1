/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memo.h"

/* No likeness has two places: yk_memo_get() stops at the first. */
static struct yk_memo_slot *choose(const struct yk_memo *memo, const uint64_t likeness[2])
{
    struct yk_memo_slot *slots = yk_memo_places(memo, likeness);
    struct yk_memo_slot *chosen = &slots[likeness[1] & (YK_MEMO_PLACES - 1)];
    for (int i = 0; i < YK_MEMO_PLACES; i++) {
        if (yk_memo_is_of(&slots[i], likeness))
            return &slots[i];
        if (slots[i].value == NULL || slots[i].epoch != memo->epoch)
            chosen = &slots[i];
    }
    return chosen;
}

struct yk_memo_slot *yk_memo_take(struct yk_memo *memo, const uint64_t likeness[2])
{
    if (!yk_likeness_is_known(likeness))
        return NULL;
    if (memo->slots == NULL)
        memo->slots = yk_calloc(YK_MEMO_SLOTS, sizeof(*memo->slots));
    struct yk_memo_slot *slot = choose(memo, likeness);
    *slot = (struct yk_memo_slot){{likeness[0], likeness[1]}, memo->epoch, NULL};
    return slot;
}
