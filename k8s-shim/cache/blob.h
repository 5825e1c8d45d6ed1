/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared bytes: what thousands of pods of one workload have in common is kept once and counted.
 *
 * A blob is immutable. Its bytes are usually packed texts (yk_blob_add_text(), yk_blob_text()).
 * Owns:   every blob, until its last holder gives it back.
 * Thread: scheduling thread only.
 */
#ifndef YK_CACHE_BLOB_H
#define YK_CACHE_BLOB_H

#include "base/text_set.h"

struct yk_blob {
    uint32_t holders;
    uint32_t len;
    char bytes[];
};

struct yk_blobs {
    struct yk_text_set by_bytes;
};

void yk_blobs_init(struct yk_blobs *blobs);
/* All blobs have been put back. */
void yk_blobs_done(struct yk_blobs *blobs);
/* The blob with these bytes (copied), counted. */
struct yk_blob *yk_blob_get(struct yk_blobs *blobs, struct yk_str bytes);
/* Counts it once more. */
static inline void yk_blob_ref(struct yk_blob *blob)
{
    blob->holders++;
}
/* Gives one back. NULL is fine. */
void yk_blob_put(struct yk_blobs *blobs, struct yk_blob *blob);

/* Packed texts: each is followed by a NUL, so NULs inside a text (no API text has one) cut it. */
void yk_blob_add_text(struct yk_buf *bytes, struct yk_str text);
/* The text at `*at` (start with 0), "" at the end; moves `*at` behind it. Terminated, borrowed from the blob.
 */
const char *yk_blob_text(const struct yk_blob *blob, uint32_t *at);

#endif
