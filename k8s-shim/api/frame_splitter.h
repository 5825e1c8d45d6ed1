/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Splits a protobuf watch stream: frames of a 4-byte big-endian length and that many bytes.
 * Thread: any, one object at a time.
 */
#ifndef YK_API_FRAME_SPLITTER_H
#define YK_API_FRAME_SPLITTER_H

#include "base/str.h"

struct yk_frame_splitter {
    struct yk_buf pending; /* an unfinished frame with its length */
    size_t max_bytes;
    bool is_frame_given; /* `pending` was handed out and goes with the next call */
};

/* Makes an empty splitter. `max_bytes`: largest frame, without its length. */
void yk_frame_splitter_init(struct yk_frame_splitter *splitter, size_t max_bytes);
void yk_frame_splitter_done(struct yk_frame_splitter *splitter);
/*
 * Takes bytes off the front of `*bytes`. `*ret_frame`: the content of a whole frame, borrowed until the next
 * call and as long as `bytes`; absent when all bytes were taken without reaching an end. Errors:
 * YK_ERR_LIMIT, a frame is larger than allowed (or the stream is out of step).
 */
YK_NODISCARD enum yk_status yk_frame_splitter_next(struct yk_frame_splitter *splitter, struct yk_str *bytes,
                                                   struct yk_str *ret_frame, struct yk_err *err);
/* Whether no frame has begun that has not ended. */
static inline bool yk_frame_splitter_is_between(const struct yk_frame_splitter *splitter)
{
    return splitter->is_frame_given || splitter->pending.len == 0;
}

#endif
