/* SPDX-License-Identifier: Apache-2.0 */
#include "api/json_splitter.h"

#include "api/fields.h"

void yk_json_splitter_init(struct yk_json_splitter *splitter, size_t max_bytes)
{
    *splitter = (struct yk_json_splitter){.text = {.max = max_bytes}};
}

void yk_json_splitter_done(struct yk_json_splitter *splitter)
{
    yk_buf_done(&splitter->text);
}

static enum yk_status skip_space(struct yk_str *bytes, struct yk_err *err)
{
    while (bytes->len > 0 && yk_json_is_space(bytes->p[0])) {
        bytes->p++;
        bytes->len--;
    }
    if (bytes->len > 0 && bytes->p[0] != '{' && bytes->p[0] != '[')
        return yk_fail(err, YK_ERR_INVALID, "a JSON document cannot begin with byte 0x%02x",
                       (unsigned char)bytes->p[0]);
    return YK_OK;
}

/* The number of bytes up to and including the end of the document; all bytes if it does not end. Also stops
 * where the nesting becomes too deep. */
static size_t scan_to_end(struct yk_json_scan *scan, struct yk_str bytes, bool *ret_ended)
{
    for (size_t i = 0; i < bytes.len; i++) {
        yk_json_scan_byte(scan, bytes.p[i]);
        if (scan->depth == 0 || scan->depth > YK_JSON_NESTING_MAX) {
            *ret_ended = scan->depth == 0;
            return i + 1;
        }
    }
    *ret_ended = false;
    return bytes.len;
}

static void forget_given(struct yk_json_splitter *splitter)
{
    if (!splitter->is_text_given)
        return;
    yk_buf_done(&splitter->text); /* so that the memory of a large document is not kept */
    splitter->is_text_given = false;
}

enum yk_status yk_json_splitter_next(struct yk_json_splitter *splitter, struct yk_str *bytes,
                                     struct yk_str *ret_document, struct yk_err *err)
{
    *ret_document = (struct yk_str){0};
    forget_given(splitter);
    if (splitter->scan.depth == 0) {
        enum yk_status st = skip_space(bytes, err);
        if (st != YK_OK || bytes->len == 0)
            return st;
    }
    bool ended;
    struct yk_str part = {bytes->p, scan_to_end(&splitter->scan, *bytes, &ended)};
    if (splitter->scan.depth > YK_JSON_NESTING_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "JSON is nested deeper than %d levels", YK_JSON_NESTING_MAX);
    bytes->p += part.len;
    bytes->len -= part.len;
    if (ended && splitter->text.len == 0 && part.len <= splitter->text.max) {
        *ret_document = part; /* the chunk has the whole document, so nothing is copied */
        return YK_OK;
    }
    yk_buf_str(&splitter->text, part);
    if (splitter->text.failed)
        return yk_fail(err, YK_ERR_LIMIT, "a JSON document is larger than %zu bytes", splitter->text.max);
    if (ended) {
        *ret_document = yk_buf_view(&splitter->text);
        splitter->is_text_given = true;
    }
    return YK_OK;
}
