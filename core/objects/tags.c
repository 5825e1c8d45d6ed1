/* SPDX-License-Identifier: Apache-2.0 */
#include "objects/tags.h"

#include <strings.h>

void yk_tags_init(struct yk_tags *tags, const struct yk_si_tag *from, size_t count)
{
    struct yk_buf block = {0};
    *tags = (struct yk_tags){0};
    for (size_t i = 0; i < count; i++) {
        if (from[i].key == NULL || from[i].key[0] == '\0')
            continue;
        const char *value = from[i].value != NULL ? from[i].value : "";
        size_t before = block.len;
        yk_buf_add(&block, from[i].key, strlen(from[i].key) + 1);
        yk_buf_add(&block, value, strlen(value) + 1);
        if (block.failed) {
            block.len = before; /* the buffer has its maximum length: the other tags are left out */
            break;
        }
        tags->count++;
    }
    if (tags->count == 0) {
        yk_buf_done(&block);
        return;
    }
    tags->bytes = (uint32_t)block.len;
    tags->block = yk_realloc_array(block.p, block.len, 1); /* frees the unused end */
}

void yk_tags_done(struct yk_tags *tags)
{
    free(tags->block);
    *tags = (struct yk_tags){0};
}

bool yk_tags_next(const struct yk_tags *tags, uint32_t *at, const char **ret_key, const char **ret_value)
{
    if (*at >= tags->bytes)
        return false;
    *ret_key = tags->block + *at;
    *ret_value = *ret_key + strlen(*ret_key) + 1;
    *at = (uint32_t)(*ret_value + strlen(*ret_value) + 1 - tags->block);
    return true;
}

static const char *get(const struct yk_tags *tags, const char *key,
                       int (*compare)(const char *, const char *))
{
    uint32_t at = 0;
    for (const char *k, *v; yk_tags_next(tags, &at, &k, &v);) {
        if (compare(k, key) == 0)
            return v;
    }
    return NULL;
}

const char *yk_tags_get(const struct yk_tags *tags, const char *key)
{
    return get(tags, key, strcmp);
}

const char *yk_tags_get_nocase(const struct yk_tags *tags, const char *key)
{
    return get(tags, key, strcasecmp);
}
