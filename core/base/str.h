/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text: borrowed views and bounded buffers.
 *
 * struct yk_str is a view of bytes that it does not own; it need not be terminated. struct yk_buf owns its
 * bytes, terminates them, and grows up to a fixed maximum. An append beyond the maximum appends nothing and
 * sets `failed`, so several appends need one check after the last. A later append that fits is still made, so
 * the contents of a buffer that has `failed` set may have gaps.
 * Thread: any, one thread at a time.
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

/* A view of a string literal. */
#define YK_STR(literal) ((struct yk_str){(literal), sizeof(literal) - 1})
/* Format and arguments of printf() for a view: printf("name " YK_STR_FMT, YK_STR_ARG(name)). */
#define YK_STR_FMT    "%.*s"
#define YK_STR_ARG(s) (int)YK_MIN((s).len, (size_t)INT32_MAX), (s).p != NULL ? (s).p : ""

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

/* Whether the bytes are those of the terminated `text`. An absent `a` and a `text` of NULL count as empty. */
static inline bool yk_str_is(struct yk_str a, const char *text)
{
    return yk_str_eq(a, yk_str_from(text));
}
/* Whether the bytes are those of the terminated `text`, without regard to the case of ASCII letters. */
bool yk_str_is_nocase(struct yk_str a, const char *text);
/* Whether the text has no bytes; also true for an absent one. */
static inline bool yk_str_empty(struct yk_str a)
{
    return a.len == 0;
}

/* Compares byte by byte; a text comes before longer ones that begin with it. Negative: `a` is first; 0:
 * equal; positive: `b` is first. */
int yk_str_cmp(struct yk_str a, struct yk_str b);
/* Whether the first bytes are those of `prefix`. */
bool yk_str_starts(struct yk_str text, const char *prefix);
/* Whether the last bytes are those of `suffix`. */
bool yk_str_ends(struct yk_str text, const char *suffix);
/* A view of the text without ASCII white space at both ends. */
struct yk_str yk_str_trim(struct yk_str text);
/* A terminated copy with ASCII letters in lower case (up to a zero byte), which the caller frees with
 * free(). */
char *yk_str_lower(struct yk_str text);
/* A terminated copy, which the caller frees with free(); "" for an absent text. */
static inline char *yk_str_dup(struct yk_str s)
{
    return yk_strndup(s.p, s.len);
}
/*
 * Moves the part before the next `separator` from `*rest`, which is the whole text for the first call, to
 * `*ret_part`, a view of the same bytes. Returns false if no part is left. "a..b" has the parts "a", "" and
 * "b"; an empty text has one empty part, an absent text none. The last part leaves `*rest` absent.
 */
bool yk_str_split(struct yk_str *rest, char separator, struct yk_str *ret_part);
/* Reads the whole text as decimal digits with an optional sign, + or -. Errors: YK_ERR_INVALID, also if
 * the number does not fit. */
YK_NODISCARD enum yk_status yk_str_to_i64(struct yk_str text, int64_t *ret_value);
/* Reads the whole text as decimal digits without a sign. Errors: YK_ERR_INVALID, also if the number does
 * not fit. */
YK_NODISCARD enum yk_status yk_str_to_u64(struct yk_str text, uint64_t *ret_value);
/* Reads "true", "True", "TRUE", "1", "t" or "T" as true, and "false", "False", "FALSE", "0", "f" or "F"
 * as false. Errors: YK_ERR_INVALID, all other texts. */
YK_NODISCARD enum yk_status yk_str_to_bool(struct yk_str text, bool *ret_value);

/* Bytes that grow. A zeroed buffer, with `max` set or not, is empty. */
struct yk_buf {
    char *p;         /* owned and terminated; NULL while nothing was appended */
    size_t len;      /* bytes without the terminator */
    size_t capacity; /* bytes of memory at `p`; at most `max` + 1 */
    /* Written by: its holder, before the first append. The maximum of `len`; 0: 64 MiB. */
    size_t max;
    bool failed; /* an append did not fit and was left out */
};

/* Frees the bytes. The buffer is empty afterwards, keeps `max` and may be used again. */
void yk_buf_done(struct yk_buf *buf);
/* Like yk_buf_done(), for bytes that may be a secret: overwrites them first. Memory that the buffer gave up
 * when it grew is not overwritten. */
void yk_buf_wipe(struct yk_buf *buf);
/* Overwrites the text, which may be a secret, and frees it. NULL is fine. */
void yk_secret_free(char *text);
/* Empties the buffer and clears `failed`; keeps the memory and `max`. */
static inline void yk_buf_clear(struct yk_buf *buf)
{
    buf->len = 0;
    buf->failed = false;
    if (buf->p != NULL)
        buf->p[0] = '\0';
}
/* The slow part of yk_buf_add(). Call yk_buf_add() instead. */
void yk_buf_grow_and_add(struct yk_buf *buf, const void *bytes, size_t len);
/* Appends `len` bytes, which must not be in the buffer itself; `bytes` may be NULL if `len` is 0. If more
 * than `max` bytes would be in the buffer, nothing is appended and `failed` is set. */
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
 * The number of bytes, 1 to 4, of the UTF-8 character at the start of `text`; 0: `text` is empty or does not
 * begin with a character. Overlong forms, surrogates and numbers above U+10FFFF are not characters (RFC
 * 3629, section 4).
 */
size_t yk_utf8_bytes(struct yk_str text);
/* Appends a text from outside as part of one line. Control characters, the other line breaks of Unicode
 * (UTF-8) and marks that change the direction of the text behind them are escaped: "\n", "\x1b",
 * "\u2028", "\u202e". Backslashes are not escaped, so escapes in `text` stay as they are. */
void yk_buf_line(struct yk_buf *buf, struct yk_str text);
/* As yk_buf_add(), for a formatted text. */
void yk_buf_printf(struct yk_buf *buf, const char *format, ...) YK_PRINTF(2, 3);
/* As yk_buf_printf(), for a list of arguments. */
void yk_buf_vprintf(struct yk_buf *buf, const char *format, va_list args) YK_PRINTF(2, 0);
/* Removes the first `bytes` bytes and moves the others to the front. The buffer must hold at least `bytes`
 * bytes. O(bytes left). */
void yk_buf_consume(struct yk_buf *buf, size_t bytes);
/* Makes space for `bytes` more bytes and a terminator, and returns the address behind the contents. The
 * caller writes up to `bytes` bytes and a '\0' there, then adds their number to `len`. Returns NULL and sets
 * `failed` if more than `max` bytes would be in the buffer. */
char *yk_buf_reserve(struct yk_buf *buf, size_t bytes);
/* The contents, borrowed until the buffer changes; absent while nothing was appended. */
static inline struct yk_str yk_buf_view(const struct yk_buf *buf)
{
    return (struct yk_str){buf->p, buf->len};
}
/* The contents as a terminated text, borrowed until the buffer changes; "" if empty. */
static inline const char *yk_buf_cstr(const struct yk_buf *buf)
{
    return buf->p != NULL ? buf->p : "";
}
/* Returns the contents as a terminated text, which the caller frees with free(); never NULL. The buffer
 * is empty afterwards, keeps `max` and may be used again. */
char *yk_buf_take(struct yk_buf *buf);

/* Appends the contents of a file to `buf`, whose `failed` is not set before. After an error `buf` may hold a
 * part of it. Errors: YK_ERR_NOT_FOUND, there is no such file; YK_ERR_IO; YK_ERR_LIMIT, more than the maximum
 * of `buf` would be in it. */
YK_NODISCARD enum yk_status yk_file_read(const char *path, struct yk_buf *buf, struct yk_err *err);

/* Appends `bytes` in standard base64, with padding and without line breaks, to `ret_text`, whose `failed`
 * is set if the text does not fit or `bytes` has more than INT32_MAX bytes. */
void yk_base64_encode(struct yk_str bytes, struct yk_buf *ret_text);
/* Appends the bytes that `text` stands for in standard base64, with or without line breaks, to `ret_bytes`,
 * whose `failed` is not set before. After an error nothing was appended. Errors: YK_ERR_INVALID, not base64;
 * YK_ERR_LIMIT, more than the maximum of `ret_bytes` would be in it, or `text` has more than INT32_MAX
 * bytes. */
YK_NODISCARD enum yk_status yk_base64_decode(struct yk_str text, struct yk_buf *ret_bytes,
                                             struct yk_err *err);

#endif
