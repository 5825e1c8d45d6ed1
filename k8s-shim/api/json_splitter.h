/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds where JSON documents end in a stream of bytes: only strings, escapes and braces are looked at. White
 * space between documents is skipped; chunk and line boundaries mean nothing. Whether a document is valid is
 * for its parser.
 *
 * Thread: any, one object at a time.
 */
#ifndef YK_API_JSON_SPLITTER_H
#define YK_API_JSON_SPLITTER_H

#include "base/str.h"

/* Where in a document we are; also used by list_reader.c. */
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
    struct yk_buf text; /* the unfinished document */
    struct yk_json_scan scan;
    bool is_text_given; /* `text` was handed out and goes with the next call */
};

/* Makes an empty splitter. `max_bytes`: largest document. */
void yk_json_splitter_init(struct yk_json_splitter *splitter, size_t max_bytes);
void yk_json_splitter_done(struct yk_json_splitter *splitter);
/*
 * Takes bytes off the front of `*bytes`. `*ret_document`: a whole document, borrowed until the next call and
 * as long as `bytes`; absent when all bytes were taken without reaching an end. Errors: YK_ERR_INVALID
 * (something else than { or [ begins), YK_ERR_LIMIT (size, or depth above YK_JSON_NESTING_MAX).
 */
YK_NODISCARD enum yk_status yk_json_splitter_next(struct yk_json_splitter *splitter, struct yk_str *bytes,
                                                  struct yk_str *ret_document, struct yk_err *err);
/* Whether no value has begun that has not ended. */
static inline bool yk_json_splitter_is_between(const struct yk_json_splitter *splitter)
{
    return splitter->scan.depth == 0;
}

/* Moves over one byte of a document. Inside a string only the closing quote changes anything. */
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
