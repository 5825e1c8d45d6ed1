/* SPDX-License-Identifier: Apache-2.0 */
#include "api/frame_splitter.h"

enum { LENGTH_BYTES = 4 };

void yk_frame_splitter_init(struct yk_frame_splitter *splitter, size_t max_bytes)
{
    *splitter =
        (struct yk_frame_splitter){.pending = {.max = max_bytes + LENGTH_BYTES}, .max_bytes = max_bytes};
}

void yk_frame_splitter_done(struct yk_frame_splitter *splitter)
{
    yk_buf_done(&splitter->pending);
}

static void forget_given(struct yk_frame_splitter *splitter)
{
    if (!splitter->is_frame_given)
        return;
    yk_buf_done(&splitter->pending); /* so that the memory of a large frame is not kept */
    splitter->is_frame_given = false;
}

static size_t length_of(const char *p)
{
    const uint8_t *b = (const uint8_t *)p;
    return (size_t)b[0] << 24 | (size_t)b[1] << 16 | (size_t)b[2] << 8 | b[3];
}

static struct yk_str cut(struct yk_str *bytes, size_t len)
{
    struct yk_str part = {bytes->p, YK_MIN(len, bytes->len)};
    bytes->p += part.len;
    bytes->len -= part.len;
    return part;
}

static enum yk_status check_length(const struct yk_frame_splitter *splitter, size_t len, struct yk_err *err)
{
    if (len <= splitter->max_bytes)
        return YK_OK;
    return yk_fail(err, YK_ERR_LIMIT, "a frame of %zu bytes is larger than %zu", len, splitter->max_bytes);
}

enum yk_status yk_frame_splitter_next(struct yk_frame_splitter *splitter, struct yk_str *bytes,
                                      struct yk_str *ret_frame, struct yk_err *err)
{
    struct yk_buf *pending = &splitter->pending;
    *ret_frame = (struct yk_str){0};
    forget_given(splitter);
    if (pending->len == 0 && bytes->len >= LENGTH_BYTES) {
        size_t len = length_of(bytes->p);
        enum yk_status st = check_length(splitter, len, err);
        if (st != YK_OK)
            return st;
        if (bytes->len - LENGTH_BYTES >= len) { /* the chunk has the whole frame, so nothing is copied */
            (void)cut(bytes, LENGTH_BYTES);
            *ret_frame = cut(bytes, len);
            return YK_OK;
        }
    }
    if (pending->len < LENGTH_BYTES) {
        yk_buf_str(pending, cut(bytes, LENGTH_BYTES - pending->len));
        if (pending->len < LENGTH_BYTES)
            return YK_OK;
    }
    size_t len = length_of(pending->p);
    enum yk_status st = check_length(splitter, len, err);
    if (st != YK_OK)
        return st;
    yk_buf_str(pending, cut(bytes, len + LENGTH_BYTES - pending->len));
    if (pending->len == len + LENGTH_BYTES) {
        *ret_frame = (struct yk_str){pending->p + LENGTH_BYTES, len};
        splitter->is_frame_given = true;
    }
    return YK_OK;
}
