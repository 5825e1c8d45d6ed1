/* SPDX-License-Identifier: Apache-2.0 */
#include "cache/interned.h"

static struct yk_str bytes_of(const void *item)
{
    const struct yk_interned *interned = item;
    return (struct yk_str){interned->bytes, interned->len};
}

void yk_intern_table_init(struct yk_intern_table *intern_table)
{
    yk_text_set_init(&intern_table->by_bytes, bytes_of);
}

void yk_intern_table_done(struct yk_intern_table *intern_table)
{
    YK_ASSERT(intern_table->by_bytes.count == 0);
    yk_text_set_done(&intern_table->by_bytes);
}

struct yk_interned *yk_interned_get(struct yk_intern_table *intern_table, struct yk_str bytes)
{
    uint32_t hash = yk_text_set_hash(bytes);
    struct yk_interned *interned = yk_text_set_find(&intern_table->by_bytes, bytes, hash);
    if (interned == NULL) {
        interned = yk_alloc0(yk_size_add(sizeof(*interned), yk_size_add(bytes.len, 1)));
        interned->len = (uint32_t)bytes.len;
        if (bytes.len > 0)
            memcpy(interned->bytes, bytes.p, bytes.len);
        yk_text_set_add(&intern_table->by_bytes, interned, hash);
    }
    interned->holders++;
    return interned;
}

void yk_interned_put(struct yk_intern_table *intern_table, struct yk_interned *interned)
{
    if (interned == NULL || !YK_ASSERT(interned->holders > 0) || --interned->holders > 0)
        return;
    (void)yk_text_set_remove(&intern_table->by_bytes, bytes_of(interned)); /* the result is `interned` */
    free(interned);
}

void yk_interned_add_text(struct yk_buf *bytes, struct yk_str text)
{
    yk_buf_add(bytes, text.p, text.len > 0 ? strnlen(text.p, text.len) : 0);
    yk_buf_char(bytes, '\0');
}

const char *yk_interned_text(const struct yk_interned *interned, uint32_t *at)
{
    if (*at >= interned->len)
        return "";
    const char *text = interned->bytes + *at;
    *at += (uint32_t)strlen(text) + 1;
    return text;
}
