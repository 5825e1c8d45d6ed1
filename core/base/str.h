/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text: borrowed views and bounded buffers.
 *
 * struct yk_str is a view of bytes that it does not own; it has no terminator. struct yk_buf owns its bytes,
 * terminates them, and grows up to a fixed maximum. An append beyond the maximum is refused and sets
 * `failed`, so a long chain of appends needs one check at its end.
 * Thread: any, one at a time.
 */
#ifndef YK_BASE_STR_H
#define YK_BASE_STR_H

#include "base/base.h"

#include <stdarg.h>

/* Written by: its holder. */
struct yk_str {
    const char *p; /* NULL: absent, which is not the same as empty */
    size_t len;
};

/* A key and its value, such as a label or a setting. Written by: its holder. */
struct yk_pair {
    struct yk_str key, value;
};

/* Written by: its holder. */
struct yk_pairs {
    struct yk_pair *items;
    uint32_t count;
};

#define YK_STR(literal) ((struct yk_str){(literal), sizeof(literal) - 1})
#define YK_STR_FMT      "%.*s"
#define YK_STR_ARG(s)   (int)YK_MIN((s).len, (size_t)INT32_MAX), (s).p != NULL ? (s).p : ""

/* A view of a terminated text; absent for NULL. Borrowed like `text`. */
static inline struct yk_str yk_str_from(const char *text)
{
    return text == NULL ? (struct yk_str){0} : (struct yk_str){text, strlen(text)};
}

/* Whether the bytes are the same; absent equals empty. */
static inline bool yk_str_eq(struct yk_str a, struct yk_str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.p, b.p, a.len) == 0);
}

/* Whether the bytes are those of the terminated `text`. */
static inline bool yk_str_is(struct yk_str a, const char *text)
{
    return yk_str_eq(a, yk_str_from(text));
}
/* Whether the bytes are those of the terminated `text`; ASCII letters in any case. */
bool yk_str_is_nocase(struct yk_str a, const char *text);
/* Whether the text has no bytes; also true for an absent one. */
static inline bool yk_str_empty(struct yk_str a)
{
    return a.len == 0;
}

/* Compares bytewise; a prefix comes first. Negative: `a` is first; 0: equal; positive: `b` is first. */
int yk_str_cmp(struct yk_str a, struct yk_str b);
/* Whether the first bytes are those of `prefix`. */
bool yk_str_starts(struct yk_str text, const char *prefix);
/* Whether the last bytes are those of `suffix`. */
bool yk_str_ends(struct yk_str text, const char *suffix);
/* A view of the text without ASCII white space at both ends. */
struct yk_str yk_str_trim(struct yk_str text);
/* A terminated copy with ASCII letters in lower case, which the caller frees with free(). */
char *yk_str_lower(struct yk_str text);
/* A terminated copy, the caller's to free. */
static inline char *yk_str_dup(struct yk_str s)
{
    return yk_strndup(s.p, s.len);
}
/*
 * Cuts the part before the next `separator` off `*rest` into `*ret_part`, borrowed from the text. False at
 * the end. Start with `*rest` = the whole text. "a..b" gives "a", "", "b"; an empty text gives one empty
 * part.
 */
bool yk_str_split(struct yk_str *rest, char separator, struct yk_str *ret_part);
/* Reads the whole text as a decimal number with an optional sign. Errors: YK_ERR_INVALID, also on
 * overflow. */
YK_NODISCARD enum yk_status yk_str_to_i64(struct yk_str text, int64_t *ret_value);
/* Reads the whole text as digits, without a sign. Errors: YK_ERR_INVALID, also on overflow. */
YK_NODISCARD enum yk_status yk_str_to_u64(struct yk_str text, uint64_t *ret_value);
/* Reads "true", "True", "TRUE", "1", "t", "T" and their opposites. Errors: YK_ERR_INVALID. */
YK_NODISCARD enum yk_status yk_str_to_bool(struct yk_str text, bool *ret_value);

struct yk_buf {
    char *p; /* owned; NULL while nothing was appended */
    size_t len;
    size_t capacity; /* at most `max` and a NUL */
    /* Written by: its holder, before the first append. Most bytes it may hold; 0 reads as 64 MiB. */
    size_t max;
    bool failed; /* something did not fit and was left out */
};

void yk_buf_done(struct yk_buf *buf);
/* Empty again; keeps the memory and `max`, and forgets that it failed. */
static inline void yk_buf_clear(struct yk_buf *buf)
{
    buf->len = 0;
    buf->failed = false;
    if (buf->p != NULL)
        buf->p[0] = '\0';
}
/* What yk_buf_add() calls when the memory does not suffice; the same contract. */
void yk_buf_grow_and_add(struct yk_buf *buf, const void *bytes, size_t len);
/*
 * Appends bytes, which must not be in the buffer itself. Beyond `max`: nothing is appended, and `failed` is
 * set.
 */
static inline void yk_buf_add(struct yk_buf *buf, const void *bytes, size_t len)
{
    if (len == 0 || len >= buf->capacity - buf->len) {
        yk_buf_grow_and_add(buf, bytes, len);
        return;
    }
    memcpy(buf->p + buf->len, bytes, len);
    buf->len += len;
    buf->p[buf->len] = '\0';
}
/* As yk_buf_add(), for a view. */
static inline void yk_buf_str(struct yk_buf *buf, struct yk_str s)
{
    yk_buf_add(buf, s.p, s.len);
}
/* As yk_buf_add(), for a terminated text. */
static inline void yk_buf_text(struct yk_buf *buf, const char *text)
{
    yk_buf_add(buf, text, strlen(text));
}
/* As yk_buf_add(), for one byte. */
static inline void yk_buf_char(struct yk_buf *buf, char c)
{
    yk_buf_add(buf, &c, 1);
}
/*
 * Bytes of the UTF-8 character at the start of `text`; 0: `text` is empty or begins with none. Overlong forms,
 * surrogates and what is above U+10FFFF are not characters (RFC 3629, section 4).
 */
size_t yk_utf8_bytes(struct yk_str text);
/* Appends a text from outside as part of one line: control characters, the other line breaks of Unicode (UTF-8)
 * and marks that change the order of the characters behind them are escaped, "\n", "\x1b", "\u2028", "\u202e".
 * What is escaped already stays as it is. */
void yk_buf_line(struct yk_buf *buf, struct yk_str text);
/* As yk_buf_add(), for a formatted text. */
void yk_buf_printf(struct yk_buf *buf, const char *format, ...) YK_PRINTF(2, 3);
/* As yk_buf_printf(). */
void yk_buf_vprintf(struct yk_buf *buf, const char *format, va_list args) YK_PRINTF(2, 0);
/* Drops the first `bytes` bytes. */
void yk_buf_consume(struct yk_buf *buf, size_t bytes);
/* Makes room for `bytes` more and returns where they go, or NULL (and `failed`) above the maximum. Add to
 * `len` after writing. */
char *yk_buf_reserve(struct yk_buf *buf, size_t bytes);
/* The contents, borrowed until the buffer changes. */
static inline struct yk_str yk_buf_view(const struct yk_buf *buf)
{
    return (struct yk_str){buf->p, buf->len};
}
/* The bytes, terminated; "" when empty. Borrowed until the next append. */
static inline const char *yk_buf_cstr(const struct yk_buf *buf)
{
    return buf->p != NULL ? buf->p : "";
}
/* Hands the terminated bytes to the caller, who frees them; the buffer is empty afterwards. */
char *yk_buf_take(struct yk_buf *buf);

/* Appends the contents of a file of at most `buf->max` bytes to `buf`. Errors: YK_ERR_NOT_FOUND, YK_ERR_IO,
 * YK_ERR_LIMIT. */
YK_NODISCARD enum yk_status yk_file_read(const char *path, struct yk_buf *buf, struct yk_err *err);

/* Appends `bytes` in standard base64 on one line. */
void yk_base64_encode(struct yk_str bytes, struct yk_buf *ret_text);
/* Appends the bytes of standard base64 `text`, with or without line breaks, to `ret_bytes`. Errors:
 * YK_ERR_INVALID; YK_ERR_LIMIT, more than `ret_bytes->max`. */
YK_NODISCARD enum yk_status yk_base64_decode(struct yk_str text, struct yk_buf *ret_bytes,
                                             struct yk_err *err);

#endif
