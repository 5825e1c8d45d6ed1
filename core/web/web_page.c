/* SPDX-License-Identifier: Apache-2.0 */
#include "web/web_page.h"

#include "web/answer.h"
#include "web/routes_priv.h"

#define ZLIB_CONST /* makes z_stream.next_in const */
#include <zlib.h>

enum { GZIP_WINDOW = 15 + 16 }; /* + 16 makes zlib read the header and trailer of gzip */

const struct yk_page_file *yk_page_find(const char *path)
{
    for (size_t i = 0; i < yk_page_file_count; i++) {
        if (strcmp(yk_page_files[i].path, path) == 0)
            return &yk_page_files[i];
    }
    return NULL;
}

/* The last four bytes of a gzip file are the length of its content. */
static size_t unpacked_len(const struct yk_page_file *file)
{
    const uint8_t *end = file->bytes + file->len - 4;
    return (size_t)end[0] | (size_t)end[1] << 8 | (size_t)end[2] << 16 | (size_t)end[3] << 24;
}

static bool unpack(const struct yk_page_file *file, struct yk_buf *out)
{
    size_t len = file->len > 18 ? unpacked_len(file) : 0;
    if (len == 0 || len > YK_PAGE_FILE_MAX)
        return false;
    char *to = yk_buf_reserve(out, len + 1);
    if (to == NULL)
        return false;
    z_stream stream = {
        .next_in = file->bytes,
        .avail_in = (uInt)file->len,
        .next_out = (Bytef *)to,
        .avail_out = (uInt)len,
    };
    if (inflateInit2(&stream, GZIP_WINDOW) != Z_OK)
        return false;
    bool is_whole = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.total_out == len;
    (void)inflateEnd(&stream); /* cannot fail for a stream that was initialised */
    if (is_whole) {
        out->len += len;
        to[len] = '\0';
    }
    return is_whole;
}

void yk_page_answer(const struct yk_page_file *file, bool takes_gzip, struct yk_str if_none_match,
                    bool is_versioned, struct yk_answer *answer)
{
    answer->content_type = file->type;
    answer->is_page = true;
    answer->etag = file->etag;
    answer->vary = "Accept, Accept-Encoding";
    answer->cache_control = is_versioned ? "public, max-age=31536000, immutable" : "no-cache";
    if (yk_answer_is_known(if_none_match, file->etag)) {
        answer->status = 304;
    } else if (takes_gzip) {
        yk_buf_add(&answer->body, (const char *)file->bytes, file->len);
        answer->gzipped = true;
    } else if (!unpack(file, &answer->body)) {
        (void)YK_ASSERT(false); /* the build embeds whole files only */
        yk_answer_error(answer, 500, "a file of the web page is damaged");
    }
}

bool yk_page_wanted(struct yk_str accept)
{
    struct yk_str range;
    while (yk_str_split(&accept, ',', &range)) {
        struct yk_str type = {0};
        (void)yk_str_split(&range, ';', &type); /* there is a first part */
        if (yk_str_is_nocase(yk_str_trim(type), "text/html"))
            return true;
    }
    return false;
}

enum yk_step yk__get_page_file(struct yk_job *job, int64_t until_mono_ns)
{
    const struct yk_request *request = &job->request;
    const struct yk_page_file *file = yk_page_find(job->route->pattern);
    (void)until_mono_ns;
    if (file == NULL)
        yk_answer_text(&job->answer, 404, "404 page not found\n");
    else
        yk_page_answer(file, request->gzip, request->if_none_match,
                       yk_query_get(request->target.query, "v", NULL), &job->answer);
    return YK_STEP_DONE;
}
