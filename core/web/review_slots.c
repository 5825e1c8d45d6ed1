/* SPDX-License-Identifier: Apache-2.0 */
#include "web/review_slots.h"

static bool is_of(const struct yk_review_slot *slot, const uint8_t network[YK_NETWORK_LEN])
{
    return memcmp(slot->network, network, YK_NETWORK_LEN) == 0;
}

int yk_review_slot_take(struct yk_review_slots *slots, const uint8_t network[YK_NETWORK_LEN],
                        int64_t now_mono_ns)
{
    int found = -1, of_address = 0;
    for (int i = 0; i < YK_REVIEW_SLOTS; i++) {
        const struct yk_review_slot *slot = &slots->all[i];
        bool is_taken = slot->is_busy || now_mono_ns < slot->rests_until_mono_ns;
        of_address += is_taken && is_of(slot, network);
        /* Looks for the slot whose rest ends first; the rest of a free slot has ended. */
        if (!slot->is_busy &&
            (found < 0 || slot->rests_until_mono_ns < slots->all[found].rests_until_mono_ns))
            found = i;
    }
    if (found < 0 || of_address >= YK_REVIEW_SLOTS_OF_ADDRESS)
        return -1;
    memcpy(slots->all[found].network, network, YK_NETWORK_LEN);
    slots->all[found].is_busy = true;
    return found;
}

void yk_review_slot_give(struct yk_review_slots *slots, int slot, bool is_nobody, int64_t now_mono_ns)
{
    slots->all[slot].is_busy = false;
    slots->all[slot].rests_until_mono_ns = is_nobody ? now_mono_ns + YK_REVIEW_REST_NS : 0;
}
