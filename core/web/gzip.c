/* SPDX-License-Identifier: Apache-2.0 */
#include "web/gzip.h"

#include <zlib.h>

enum { GZIP_WINDOW = 15 + 16, MEM_LEVEL = 8 }; /* + 16 makes zlib write the header and trailer of gzip */

struct yk_gzip {
    z_stream stream;
    struct yk_buf plain, packed;
    size_t at;
};

static bool is_gzip(struct yk_str token)
{
    return yk_str_is_nocase(yk_str_trim(token), "gzip");
}

/* Whether the parameter is the weight 0: "q=0", or with up to three zeros behind a point (RFC 9110,
 * 12.4.2). */
static bool is_weight_0(struct yk_str parameter)
{
    static const char *const zeros[] = {"q=0", "q=0.", "q=0.0", "q=0.00", "q=0.000"};
    for (size_t i = 0; i < YK_COUNT(zeros); i++) {
        if (yk_str_is_nocase(yk_str_trim(parameter), zeros[i]))
            return true;
    }
    return false;
}

bool yk_gzip_accepted(struct yk_str accept_encoding)
{
    struct yk_str rest = accept_encoding, part;
    while (yk_str_split(&rest, ',', &part)) {
        struct yk_str parameter = part, token;
        if (yk_str_split(&parameter, ';', &token) && is_gzip(token))
            return !is_weight_0(parameter);
    }
    return false;
}

struct yk_gzip *yk_gzip_open(void)
{
    struct yk_gzip *gzip = yk_new0(struct yk_gzip);
    if (deflateInit2(&gzip->stream, Z_BEST_SPEED, Z_DEFLATED, GZIP_WINDOW, MEM_LEVEL, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
        free(gzip);
        return NULL;
    }
    return gzip;
}

void yk_gzip_add(struct yk_gzip *gzip, struct yk_str bytes, bool last, struct yk_buf *out)
{
    gzip->stream.next_in = (Bytef *)(uintptr_t)bytes.p;
    gzip->stream.avail_in = (uInt)bytes.len;
    int result = Z_OK;
    do {
        size_t room = (size_t)deflateBound(&gzip->stream, (uLong)gzip->stream.avail_in) + 64;
        gzip->stream.next_out = (Bytef *)yk_buf_reserve(out, room);
        gzip->stream.avail_out = (uInt)room;
        if (gzip->stream.next_out == NULL)
            return;
        result = deflate(&gzip->stream, last ? Z_FINISH : Z_NO_FLUSH);
        out->len += room - gzip->stream.avail_out;
    } while (gzip->stream.avail_in > 0 || (last && result == Z_OK));
}

struct yk_gzip *yk_gzip_new(struct yk_buf *plain)
{
    struct yk_gzip *gzip = yk_gzip_open();
    if (gzip == NULL)
        return NULL;
    gzip->plain = *plain;
    gzip->packed.max = plain->max;
    *plain = (struct yk_buf){.max = plain->max};
    return gzip;
}

void yk_gzip_free(struct yk_gzip *gzip)
{
    if (gzip == NULL)
        return;
    (void)deflateEnd(&gzip->stream); /* returns Z_DATA_ERROR if the stream was not ended */
    yk_buf_done(&gzip->plain);
    yk_buf_done(&gzip->packed);
    free(gzip);
}

/* Reserves memory for all output that deflate() can produce for `input` bytes, also above the maximum of the
 * buffer. */
static void give_capacity(struct yk_gzip *gzip, size_t input)
{
    size_t room = deflateBound(&gzip->stream, (uLong)input) + 64;
    gzip->packed.max = YK_MAX(gzip->packed.max, yk_size_add(gzip->packed.len, room));
    gzip->stream.next_out = (Bytef *)yk_buf_reserve(&gzip->packed, room);
    gzip->stream.avail_out = (uInt)room;
}

bool yk_gzip_run(struct yk_gzip *gzip, size_t bytes)
{
    size_t input = YK_MIN(bytes, gzip->plain.len - gzip->at);
    bool last = gzip->at + input == gzip->plain.len;
    give_capacity(gzip, input);
    size_t room = gzip->stream.avail_out;
    gzip->stream.next_in = (Bytef *)(gzip->plain.p + gzip->at);
    gzip->stream.avail_in = (uInt)input;
    int result = deflate(&gzip->stream, last ? Z_FINISH : Z_SYNC_FLUSH);
    (void)YK_ASSERT(result == (last ? Z_STREAM_END : Z_OK) && gzip->stream.avail_in == 0);
    gzip->packed.len += room - gzip->stream.avail_out;
    gzip->at += input;
    return last;
}

void yk_gzip_take(struct yk_gzip *gzip, struct yk_buf *ret_packed)
{
    yk_buf_done(ret_packed);
    *ret_packed = gzip->packed;
    gzip->packed = (struct yk_buf){0};
}
