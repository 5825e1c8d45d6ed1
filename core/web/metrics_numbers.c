/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of numbers, which the scheduling thread makes and the I/O thread reads (core/web/metrics_priv.h). */
#include "web/metrics_priv.h"

/* ---- of the core ---- */

static void take_configs(struct yk__core_numbers *numbers, const struct yk_core *core)
{
    const struct yk_rm *rm;
    yk_vec_foreach (rm, &core->rms) {
        struct yk_buf labels = {0};
        if (rm->config == NULL)
            continue;
        yk_metric_label(&labels, "checksum", yk_str_from(rm->config->checksum));
        yk_buf_char(&labels, ',');
        yk_metric_label(&labels, "policy_group", yk_str_from(rm->policy_group));
        yk_vec_append(&numbers->configs, yk_buf_take(&labels));
    }
}

void yk__core_numbers_take(struct yk__core_numbers *numbers, const struct yk_core *core)
{
    const struct yk_partition *partition;
    numbers->metrics = core->metrics;
    yk_vec_foreach (partition, &core->partitions) {
        for (int state = 0; state < YK_APP_STATE_COUNT; state++)
            numbers->apps_by_state[state] += partition->apps_by_state[state];
    }
    numbers->events.created = core->events.created;
    numbers->events.stored = core->events.stored;
    numbers->events.not_stored = core->events.not_stored;
    numbers->events.collected = core->events.collected;
    numbers->health.has_run = core->health.has_run;
    memcpy(numbers->health.failures, core->health.failures, sizeof(numbers->health.failures));
    take_configs(numbers, core);
}

void yk__core_numbers_done(struct yk__core_numbers *numbers)
{
    char *labels;
    yk_vec_foreach (labels, &numbers->configs)
        free(labels);
    yk_vec_done(&numbers->configs);
    yk__usage_rows_done(&numbers->users);
    yk__usage_rows_done(&numbers->groups);
}

/* ---- of a queue ---- */

/* Most numbers of a queue are 0. So a row has one bit for each word (8 bytes) of struct yk__queue_sums, which
 * is set if the word is not 0, and then only the words that are not 0. */
enum {
    SUMS_WORDS = sizeof(struct yk__queue_sums) / sizeof(uint64_t),
    BITS_WORDS = (SUMS_WORDS + 63) / 64,
};
_Static_assert(sizeof(struct yk__queue_sums) % sizeof(uint64_t) == 0, "sums are whole words");

void yk__queue_sums_pack(const struct yk__queue_sums *sums, struct yk_vec *rows)
{
    uint64_t packed[BITS_WORDS + SUMS_WORDS];
    size_t count = BITS_WORDS;
    for (size_t block = 0; block < BITS_WORDS; block++) {
        uint64_t bits = 0;
        for (size_t i = 0; i < 64 && block * 64 + i < SUMS_WORDS; i++) {
            uint64_t word;
            memcpy(&word, (const char *)sums + (block * 64 + i) * sizeof(word), sizeof(word));
            bits |= (uint64_t)(word != 0) << i;
            packed[count] = word; /* if it is 0, the next one overwrites it */
            count += word != 0;
        }
        packed[block] = bits;
    }
    uint64_t *row = yk_new0_array(uint64_t, count);
    memcpy(row, packed, count * sizeof(*row));
    yk_vec_append(rows, row);
}

void yk__queue_sums_peek(const void *row, struct yk__queue_sums *ret_sums)
{
    uint64_t words[SUMS_WORDS] = {0};
    const uint64_t *packed = row, *word = packed + BITS_WORDS;
    for (size_t i = 0; i < BITS_WORDS; i++) {
        for (uint64_t bits = packed[i]; bits != 0; bits &= bits - 1)
            words[i * 64 + (size_t)__builtin_ctzll(bits)] = *word++;
    }
    memcpy(ret_sums, words, sizeof(words));
}

void yk__queue_rows_done(struct yk_vec *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        struct yk__queue_sums sums;
        yk__queue_sums_peek(rows->items[i], &sums);
        yk__queue_sums_done(&sums);
        free(rows->items[i]);
    }
    yk_vec_done(rows);
}
