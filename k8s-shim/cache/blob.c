/* SPDX-License-Identifier: Apache-2.0 */
#include "cache/blob.h"

void yk_blobs_done(struct yk_blobs *blobs)
{
    YK_ASSERT(blobs->by_bytes.count == 0);
    yk_strmap_done(&blobs->by_bytes);
}

struct yk_blob *yk_blob_get(struct yk_blobs *blobs, struct yk_str bytes)
{
    struct yk_blob *blob = yk_strmap_get(&blobs->by_bytes, bytes);
    if (blob == NULL) {
        blob = yk_alloc0(yk_size_add(sizeof(*blob), yk_size_add(bytes.len, 1)));
        blob->len = (uint32_t)bytes.len;
        if (bytes.len > 0)
            memcpy(blob->bytes, bytes.p, bytes.len);
        (void)yk_strmap_put(&blobs->by_bytes, (struct yk_str){blob->bytes, blob->len}, blob); /* is new */
    }
    blob->holders++;
    return blob;
}

void yk_blob_put(struct yk_blobs *blobs, struct yk_blob *blob)
{
    if (blob == NULL || !YK_ASSERT(blob->holders > 0) || --blob->holders > 0)
        return;
    (void)yk_strmap_remove(&blobs->by_bytes, (struct yk_str){blob->bytes, blob->len}); /* was there */
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
