/* SPDX-License-Identifier: Apache-2.0 */
#include "web/pour_priv.h"

#include "web/answer.h"
#include "web/gzip.h"

#include <inttypes.h>
#include <stdio.h>
#include <zlib.h>

struct yk_pour *yk_pour_new(bool gzip)
{
    struct yk_pour *pour = yk_new0(struct yk_pour);
    pour->held.max = YK_ANSWER_BODY_MAX;
    if (gzip)
        pour->gzip = yk_gzip_open();
    pour->gzipped = pour->gzip != NULL;
    return pour;
}

void yk_pour_free(struct yk_pour *pour)
{
    if (pour == NULL)
        return;
    yk_gzip_free(pour->gzip);
    yk_buf_done(&pour->held);
    free(pour);
}

static void sum(struct yk_pour *pour, struct yk_str bytes)
{
    if (bytes.len > 0) {
        pour->crc = crc32(pour->crc, (const Bytef *)bytes.p, (uInt)bytes.len);
        pour->adler = adler32(pour->adler, (const Bytef *)bytes.p, (uInt)bytes.len);
    }
    pour->plain += bytes.len;
}

void yk_pour_add(struct yk_pour *pour, struct yk_buf *body, bool last)
{
    struct yk_str bytes = yk_buf_view(body);
    if (last && pour->plain == 0 && bytes.len < YK_GZIP_FROM) {
        yk_gzip_free(pour->gzip);
        pour->gzip = NULL;
        pour->gzipped = false;
    }
    sum(pour, bytes);
    if (pour->gzip != NULL)
        yk_gzip_add(pour->gzip, bytes, last, &pour->held);
    else
        yk_buf_str(&pour->held, bytes);
    if (last && pour->gzip != NULL) {
        yk_gzip_free(pour->gzip);
        pour->gzip = NULL;
    }
    yk_buf_clear(body);
}

void yk_pour_etag(const struct yk_pour *pour, char *ret_etag, size_t size)
{
    (void)snprintf(ret_etag, size, "W/\"%08lx%08lx-%" PRIx64 "\"", pour->crc, pour->adler, pour->plain);
}

void yk_etag_of(struct yk_str body, char *ret_etag, size_t size)
{
    struct yk_pour whole = {0};
    sum(&whole, body);
    yk_pour_etag(&whole, ret_etag, size);
}
