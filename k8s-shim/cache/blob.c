/* SPDX-License-Identifier: Apache-2.0 */
#include "cache/blob.h"

static struct yk_str bytes_of(const void *item)
{
    const struct yk_blob *blob = item;
    return (struct yk_str){blob->bytes, blob->len};
}

void yk_blobs_init(struct yk_blobs *blobs)
{
    yk_text_set_init(&blobs->by_bytes, bytes_of);
}

void yk_blobs_done(struct yk_blobs *blobs)
{
    YK_ASSERT(blobs->by_bytes.count == 0);
    yk_text_set_done(&blobs->by_bytes);
}

struct yk_blob *yk_blob_get(struct yk_blobs *blobs, struct yk_str bytes)
{
    uint32_t hash = yk_text_set_hash(bytes);
    struct yk_blob *blob = yk_text_set_find(&blobs->by_bytes, bytes, hash);
    if (blob == NULL) {
        blob = yk_alloc0(yk_size_add(sizeof(*blob), yk_size_add(bytes.len, 1)));
        blob->len = (uint32_t)bytes.len;
        if (bytes.len > 0)
            memcpy(blob->bytes, bytes.p, bytes.len);
        yk_text_set_add(&blobs->by_bytes, blob, hash);
    }
    blob->holders++;
    return blob;
}

void yk_blob_put(struct yk_blobs *blobs, struct yk_blob *blob)
{
    if (blob == NULL || !YK_ASSERT(blob->holders > 0) || --blob->holders > 0)
        return;
    (void)yk_text_set_remove(&blobs->by_bytes, bytes_of(blob)); /* was there */
    free(blob);
}

void yk_blob_add_text(struct yk_buf *bytes, struct yk_str text)
{
    yk_buf_add(bytes, text.p, text.len > 0 ? strnlen(text.p, text.len) : 0);
    yk_buf_char(bytes, '\0');
}

const char *yk_blob_text(const struct yk_blob *blob, uint32_t *at)
{
    if (*at >= blob->len)
        return "";
    const char *text = blob->bytes + *at;
    *at += (uint32_t)strlen(text) + 1;
    return text;
}
