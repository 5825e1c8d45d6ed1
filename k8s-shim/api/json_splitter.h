/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Splits a stream of bytes into JSON documents. Only strings, escapes, braces and brackets are looked at, so
 * a document that comes out may still be invalid JSON. White space between documents is skipped; documents
 * need not begin or end where a chunk or a line does.
 *
 * Thread: any.
 */
#ifndef YK_API_JSON_SPLITTER_H
#define YK_API_JSON_SPLITTER_H

#include "base/str.h"

/* The place in a document after the bytes read so far. */
struct yk_json_scan {
    uint32_t depth; /* open braces and brackets */
    bool in_string, escaped;
};

/* Whether `c` is white space between values (RFC 8259, section 2). */
static inline bool yk_json_is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

struct yk_json_splitter {
    struct yk_buf text; /* the beginning of a document that has not ended, or the text that was returned */
    struct yk_json_scan scan;
    bool is_text_given; /* the last call returned `text`, and the next call frees it */
};

/* Sets `splitter` to the beginning of a stream. `max_bytes`: the most bytes of a document. The caller ends
 * `splitter` with yk_json_splitter_done(). */
void yk_json_splitter_init(struct yk_json_splitter *splitter, size_t max_bytes);
void yk_json_splitter_done(struct yk_json_splitter *splitter);
/*
 * Takes bytes off the front of `*bytes` until a document ends or all bytes are taken. `*ret_document`: the
 * whole document, valid until the next call for this splitter and as long as the memory of `*bytes`; absent
 * if no document has ended. Errors: YK_ERR_INVALID (a document does not begin with { or [), YK_ERR_LIMIT
 * (size, or depth above YK_JSON_NESTING_MAX); the splitter can then only be ended.
 */
YK_NODISCARD enum yk_status yk_json_splitter_next(struct yk_json_splitter *splitter, struct yk_str *bytes,
                                                  struct yk_str *ret_document, struct yk_err *err);
/* Whether no document is unfinished after the bytes taken so far. */
static inline bool yk_json_splitter_is_between(const struct yk_json_splitter *splitter)
{
    return splitter->scan.depth == 0;
}

/* Updates the place for the next byte of the document. A zeroed `scan` is the beginning of a document. The
 * document has ended when `depth` is 0 again. */
static inline void yk_json_scan_byte(struct yk_json_scan *scan, char c)
{
    if (scan->in_string) {
        if (scan->escaped)
            scan->escaped = false;
        else if (c == '\\')
            scan->escaped = true;
        else if (c == '"')
            scan->in_string = false;
        return;
    }
    if (c == '"')
        scan->in_string = true;
    else if (c == '{' || c == '[')
        scan->depth++;
    else if ((c == '}' || c == ']') && scan->depth > 0)
        scan->depth--;
}

#endif
