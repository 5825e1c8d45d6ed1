/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Splits a protobuf watch stream into frames. A frame is a 4-byte big-endian length and that many bytes of
 * content.
 *
 * Thread: any.
 */
#ifndef YK_API_FRAME_SPLITTER_H
#define YK_API_FRAME_SPLITTER_H

#include "base/str.h"

struct yk_frame_splitter {
    struct yk_buf pending; /* the beginning of a frame that has not ended, from its length on */
    size_t max_bytes;      /* the most bytes of the content of a frame */
    bool is_frame_given;   /* the last call returned the content of `pending`, and the next call frees it */
};

/* Sets `splitter` to the beginning of a stream. `max_bytes`: the most bytes of the content of a frame. The
 * caller ends the splitter with yk_frame_splitter_done(). */
void yk_frame_splitter_init(struct yk_frame_splitter *splitter, size_t max_bytes);
void yk_frame_splitter_done(struct yk_frame_splitter *splitter);
/*
 * Takes bytes off the front of `*bytes` until a frame ends or all bytes are taken. `*ret_frame`: the content
 * of the frame, valid until the next call for this splitter and as long as the memory of `*bytes`; absent if
 * no frame has ended.
 * Errors: YK_ERR_LIMIT, a frame is larger than `max_bytes`; the splitter can then only be ended.
 */
YK_NODISCARD enum yk_status yk_frame_splitter_next(struct yk_frame_splitter *splitter, struct yk_str *bytes,
                                                   struct yk_str *ret_frame, struct yk_err *err);
/* Whether no frame is unfinished after the bytes taken so far. */
static inline bool yk_frame_splitter_is_between(const struct yk_frame_splitter *splitter)
{
    return splitter->is_frame_given || splitter->pending.len == 0;
}

#endif
