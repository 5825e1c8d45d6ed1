/* SPDX-License-Identifier: Apache-2.0 */
#include "web/slots.h"

enum { SLOTS_PER_LOOK = 32 };

struct table {
    const void *table;
    const void *(*item_at)(const void *table, size_t slot);
    size_t count, mask;
};

static bool walk(struct yk_job *job, const struct table *table, struct yk_names *names, yk_slot_taker *take,
                 int64_t until_mono_ns)
{
    struct yk_job_slots *slots = &job->slots;
    if (slots->at == 0 || slots->mask != table->mask) {
        yk_names_clear(names);
        slots->at = 0;
        slots->mask = table->mask;
    }
    for (size_t at = slots->at; table->count > 0 && at <= table->mask; at++) {
        const void *item = table->item_at(table->table, at);
        if (item != NULL) {
            take(job, item);
        } else if (at - slots->at >= SLOTS_PER_LOOK) {
            slots->at = at;
            if (yk_job_must_pause(job, until_mono_ns))
                return false;
        }
    }
    slots->at = 0;
    return true;
}

static const void *value_at(const void *table, size_t slot)
{
    return ((const struct yk_strmap *)table)->slots[slot].value;
}

bool yk__walk_map(struct yk_job *job, const struct yk_strmap *map, struct yk_names *names,
                  yk_slot_taker *take, int64_t until_mono_ns)
{
    return walk(job, &(struct table){map, value_at, map->count, map->mask}, names, take, until_mono_ns);
}

static const void *member_at(const void *table, size_t slot)
{
    return ((const struct yk_text_set *)table)->items[slot];
}

bool yk__walk_set(struct yk_job *job, const struct yk_text_set *set, struct yk_names *names,
                  yk_slot_taker *take, int64_t until_mono_ns)
{
    return walk(job, &(struct table){set, member_at, set->count, set->mask}, names, take, until_mono_ns);
}
