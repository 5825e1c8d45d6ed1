/* SPDX-License-Identifier: Apache-2.0 */
#include "web/put_priv.h"

void yk__put_text_if(struct yk_json *json, const char *key, const char *text)
{
    if (text != NULL && text[0] != '\0')
        yk_json_add_text(json, key, text);
}

void yk__put_int_if(struct yk_json *json, const char *key, int64_t number)
{
    if (number != 0)
        yk_json_add_int(json, key, number);
}

void yk__put_uint_if(struct yk_json *json, const char *key, uint64_t number)
{
    if (number != 0)
        yk_json_add_uint(json, key, number);
}

void yk__put_true(struct yk_json *json, const char *key, bool truth)
{
    if (truth)
        yk_json_add_bool(json, key, true);
}

void yk__put_amounts_if(struct yk_json *json, const char *key, const struct yk_resvec *amounts)
{
    if (amounts == NULL || yk_resvec_is_empty(amounts))
        return;
    yk_json_key(json, key);
    yk_resvec_json(amounts, json);
}

void yk__put_percent_if(struct yk_json *json, const char *key, const struct yk_resvec *capacity,
                        const struct yk_resvec *used)
{
    YK_RESVEC(percent);
    yk_resvec_percent(capacity, used, &percent);
    yk__put_amounts_if(json, key, &percent);
}

static int by_key(const void *a, const void *b)
{
    return yk_str_cmp(((const struct yk_pair *)a)->key, ((const struct yk_pair *)b)->key);
}

/* There are mostly few pairs. For them, an insertion sort is faster than qsort(), which calls a function to
 * compare. */
static void sort_pairs(struct yk_pair *pairs, uint32_t count)
{
    enum { FEW = 16 };
    if (count > FEW) {
        qsort(pairs, count, sizeof(*pairs), by_key);
        return;
    }
    for (uint32_t i = 1; i < count; i++) {
        struct yk_pair pair = pairs[i];
        uint32_t at = i;
        for (; at > 0 && by_key(&pairs[at - 1], &pair) > 0; at--)
            pairs[at] = pairs[at - 1];
        pairs[at] = pair;
    }
}

void yk__tags_sorted(const struct yk_tags *tags, struct yk_pair **ret_pairs, uint32_t *ret_count)
{
    struct yk_pair *pairs = yk_new0_array(struct yk_pair, YK_MAX(tags->count, 1));
    uint32_t at = 0, count = 0;
    for (const char *key, *value; count < tags->count && yk_tags_next(tags, &at, &key, &value);)
        pairs[count++] = (struct yk_pair){yk_str_from(key), yk_str_from(value)};
    sort_pairs(pairs, count);
    *ret_pairs = pairs;
    *ret_count = count;
}

/* Of several pairs with the same key, only the last one is written, as if they had been put into a map. */
static void put_sorted(struct yk_json *json, const struct yk_pair *pairs, uint32_t count)
{
    yk_json_object_begin(json);
    for (uint32_t i = 0; i < count; i++) {
        if (i + 1 < count && yk_str_eq(pairs[i].key, pairs[i + 1].key))
            continue;
        yk_json_key_str(json, pairs[i].key);
        yk_json_str(json, pairs[i].value);
    }
    yk_json_object_end(json);
}

void yk__put_tags(struct yk_json *json, const char *key, const struct yk_tags *tags)
{
    YK_CLEANUP(yk_freep) struct yk_pair *pairs = NULL;
    uint32_t count;
    yk__tags_sorted(tags, &pairs, &count);
    yk_json_key(json, key);
    put_sorted(json, pairs, count);
}

void yk__put_tags_if(struct yk_json *json, const char *key, const struct yk_tags *tags)
{
    if (tags->count > 0)
        yk__put_tags(json, key, tags);
}

void yk__put_pairs_if(struct yk_json *json, const char *key, const struct yk_pairs *pairs)
{
    if (pairs->count == 0)
        return;
    YK_CLEANUP(yk_freep) struct yk_pair *sorted = yk_new0_array(struct yk_pair, pairs->count);
    memcpy(sorted, pairs->items, pairs->count * sizeof(*sorted));
    sort_pairs(sorted, pairs->count);
    yk_json_key(json, key);
    put_sorted(json, sorted, pairs->count);
}
