/* SPDX-License-Identifier: Apache-2.0 */
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUF_MAX_DEFAULT = 64 << 20, BUF_FIRST = 64 };

int yk_str_cmp(struct yk_str a, struct yk_str b)
{
    size_t common = YK_MIN(a.len, b.len);
    int order = common > 0 ? memcmp(a.p, b.p, common) : 0;
    if (order != 0)
        return order;
    return (a.len > b.len) - (a.len < b.len);
}

bool yk_str_starts(struct yk_str text, const char *prefix)
{
    size_t len = strlen(prefix);
    return text.len >= len && memcmp(text.p, prefix, len) == 0;
}

bool yk_str_ends(struct yk_str text, const char *suffix)
{
    size_t len = strlen(suffix);
    return text.len >= len && memcmp(text.p + text.len - len, suffix, len) == 0;
}

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

struct yk_str yk_str_trim(struct yk_str text)
{
    while (text.len > 0 && is_space(text.p[0])) {
        text.p++;
        text.len--;
    }
    while (text.len > 0 && is_space(text.p[text.len - 1]))
        text.len--;
    return text;
}

char *yk_str_lower(struct yk_str text)
{
    char *copy = yk_str_dup(text);
    for (char *c = copy; *c != '\0'; c++) {
        if (*c >= 'A' && *c <= 'Z')
            *c = (char)(*c - 'A' + 'a');
    }
    return copy;
}

bool yk_str_split(struct yk_str *rest, char separator, struct yk_str *ret_part)
{
    if (rest->p == NULL)
        return false;
    const char *cut = rest->len > 0 ? memchr(rest->p, separator, rest->len) : NULL;
    if (cut == NULL) {
        *ret_part = *rest;
        *rest = (struct yk_str){0};
        return true;
    }
    size_t len = (size_t)(cut - rest->p);
    *ret_part = (struct yk_str){rest->p, len};
    *rest = (struct yk_str){cut + 1, rest->len - len - 1};
    return true;
}

bool yk_str_is_nocase(struct yk_str a, const char *text)
{
    return a.len == strlen(text) && (a.len == 0 || strncasecmp(a.p, text, a.len) == 0);
}

enum yk_status yk_str_to_u64(struct yk_str text, uint64_t *ret_value)
{
    uint64_t value = 0;
    if (text.len == 0)
        return YK_ERR_INVALID;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.p[i];
        if (c < '0' || c > '9')
            return YK_ERR_INVALID;
        if (__builtin_mul_overflow(value, UINT64_C(10), &value) ||
            __builtin_add_overflow(value, (uint64_t)(c - '0'), &value))
            return YK_ERR_INVALID;
    }
    *ret_value = value;
    return YK_OK;
}

enum yk_status yk_str_to_i64(struct yk_str text, int64_t *ret_value)
{
    bool negative = text.len > 0 && text.p[0] == '-';
    if (text.len > 0 && (text.p[0] == '-' || text.p[0] == '+')) {
        text.p++;
        text.len--;
    }
    uint64_t magnitude;
    if (yk_str_to_u64(text, &magnitude) != YK_OK)
        return YK_ERR_INVALID;
    if (magnitude > (uint64_t)INT64_MAX + (negative ? 1 : 0))
        return YK_ERR_INVALID;
    *ret_value = negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
    return YK_OK;
}

enum yk_status yk_str_to_bool(struct yk_str text, bool *ret_value)
{
    static const char *const yes[] = {"1", "t", "T", "true", "True", "TRUE"};
    static const char *const no[] = {"0", "f", "F", "false", "False", "FALSE"};
    for (size_t i = 0; i < YK_COUNT(yes); i++) {
        if (yk_str_is(text, yes[i]) || yk_str_is(text, no[i])) {
            *ret_value = yk_str_is(text, yes[i]);
            return YK_OK;
        }
    }
    return YK_ERR_INVALID;
}

void yk_buf_done(struct yk_buf *buf)
{
    free(buf->p);
    *buf = (struct yk_buf){.max = buf->max};
}

void yk_buf_wipe(struct yk_buf *buf)
{
    if (buf->p != NULL)
        explicit_bzero(buf->p, buf->capacity);
    yk_buf_done(buf);
}

void yk_secret_free(char *text)
{
    if (text != NULL)
        explicit_bzero(text, strlen(text));
    free(text);
}

static size_t max_of(const struct yk_buf *buf)
{
    return buf->max > 0 ? buf->max : BUF_MAX_DEFAULT;
}

char *yk_buf_reserve(struct yk_buf *buf, size_t bytes)
{
    size_t max = max_of(buf);
    if (bytes > max || buf->len > max - bytes) {
        buf->failed = true;
        return NULL;
    }
    size_t wanted = buf->len + bytes + 1;
    if (wanted > buf->capacity) {
        size_t capacity = YK_MAX(buf->capacity * 2, (size_t)BUF_FIRST);
        buf->capacity = YK_MIN(YK_MAX(capacity, wanted), max + 1);
        buf->p = yk_realloc_array(buf->p, buf->capacity, 1);
    }
    return buf->p + buf->len;
}

void yk_buf_grow_and_add(struct yk_buf *buf, const void *bytes, size_t len)
{
    char *end = yk_buf_reserve(buf, len);
    if (end == NULL)
        return;
    if (len > 0)
        memcpy(end, bytes, len);
    buf->len += len;
    buf->p[buf->len] = '\0';
}

size_t yk_utf8_bytes(struct yk_str text)
{
    if (text.len == 0)
        return 0;
    const unsigned char *p = (const unsigned char *)text.p;
    size_t len = p[0] < 0x80 ? 1 : p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : p[0] < 0xf5 ? 4 : 0;
    if (len > text.len)
        return 0;
    for (size_t i = 1; i < len; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    }
    bool is_overlong = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
    bool is_beyond = (p[0] == 0xed && p[1] > 0x9f) || (p[0] == 0xf4 && p[1] > 0x8f);
    return is_overlong || is_beyond ? 0 : len;
}

/* Whether the bytes E2, `second` and `third` are one of the characters that separate lines or paragraphs
 * (U+2028, U+2029), or that begin or end text of another direction (U+202A to U+202E, U+2066 to U+2069). */
static bool is_separator_or_direction(unsigned char second, unsigned char third)
{
    return (second == 0x80 && third >= 0xa8 && third <= 0xae) ||
           (second == 0x81 && third >= 0xa6 && third <= 0xa9);
}

/* The number of the character at the start of `text` if it is one that yk_buf_line() escapes, else 0.
 * Sets `*ret_bytes` to its number of bytes. */
static unsigned control_at(struct yk_str text, size_t *ret_bytes)
{
    const unsigned char *at = (const unsigned char *)text.p;
    *ret_bytes = 1;
    if (at[0] < ' ' || at[0] == 0x7f)
        return at[0];
    *ret_bytes = 2;
    if (text.len >= 2 && at[0] == 0xc2 && at[1] >= 0x80 && at[1] < 0xa0)
        return at[1];
    *ret_bytes = 3;
    if (text.len >= 3 && at[0] == 0xe2 && is_separator_or_direction(at[1], at[2]))
        return 0x2000 + ((at[1] & 0x3fu) << 6) + (at[2] & 0x3fu);
    return 0;
}

static void add_escaped(struct yk_buf *buf, unsigned control)
{
    if (control == '\n' || control == '\t')
        yk_buf_text(buf, control == '\n' ? "\\n" : "\\t");
    else
        yk_buf_printf(buf, control < 0x80 ? "\\x%02x" : "\\u%04x", control);
}

void yk_buf_line(struct yk_buf *buf, struct yk_str text)
{
    size_t plain = 0; /* number of bytes at the beginning of `text` that need no escape */
    while (plain < text.len) {
        struct yk_str rest = {text.p + plain, text.len - plain};
        size_t bytes;
        unsigned control = control_at(rest, &bytes);
        /* control_at() returns 0 for a zero byte, which is a control character as well. */
        if (control == 0 && rest.p[0] != '\0') {
            plain++;
            continue;
        }
        yk_buf_add(buf, text.p, plain);
        add_escaped(buf, control);
        text = (struct yk_str){rest.p + bytes, rest.len - bytes};
        plain = 0;
    }
    yk_buf_add(buf, text.p, plain);
}

void yk_buf_vprintf(struct yk_buf *buf, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    char small[256];
    int len = vsnprintf(small, sizeof(small), format, args);
    if (len >= 0 && (size_t)len < sizeof(small)) {
        yk_buf_add(buf, small, (size_t)len);
    } else if (len >= 0) {
        char *end = yk_buf_reserve(buf, (size_t)len);
        if (end != NULL) {
            (void)vsnprintf(end, (size_t)len + 1, format, again);
            buf->len += (size_t)len;
        }
    }
    va_end(again);
}

void yk_buf_printf(struct yk_buf *buf, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    yk_buf_vprintf(buf, format, args);
    va_end(args);
}

void yk_buf_consume(struct yk_buf *buf, size_t bytes)
{
    if (!YK_ASSERT(bytes <= buf->len))
        return;
    if (bytes == 0)
        return;
    memmove(buf->p, buf->p + bytes, buf->len - bytes + 1);
    buf->len -= bytes;
}

char *yk_buf_take(struct yk_buf *buf)
{
    char *text = buf->p != NULL ? buf->p : yk_strdup("");
    *buf = (struct yk_buf){.max = buf->max};
    return text;
}

enum yk_status yk_file_read(const char *path, struct yk_buf *buf, struct yk_err *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return yk_fail(err, errno == ENOENT ? YK_ERR_NOT_FOUND : YK_ERR_IO, "cannot open '%s': %s", path,
                       strerror(errno));
    enum yk_status st = YK_OK;
    for (;;) {
        char chunk[16384];
        ssize_t got = read(fd, chunk, sizeof(chunk));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            st = yk_fail(err, YK_ERR_IO, "cannot read '%s': %s", path, strerror(errno));
        if (got <= 0)
            break;
        yk_buf_add(buf, chunk, (size_t)got);
        if (buf->failed) {
            st = yk_fail(err, YK_ERR_LIMIT, "'%s' is larger than %zu bytes", path, max_of(buf));
            break;
        }
    }
    (void)close(fd); /* nothing was written */
    return st;
}

void yk_base64_encode(struct yk_str bytes, struct yk_buf *ret_text)
{
    size_t size = yk_size_mul(yk_size_add(bytes.len, 2) / 3, 4); /* without the terminator */
    char *to = bytes.len <= INT32_MAX ? yk_buf_reserve(ret_text, size) : NULL;
    if (to == NULL) {
        ret_text->failed = true;
        return;
    }
    ret_text->len +=
        (size_t)EVP_EncodeBlock((unsigned char *)to, (const unsigned char *)bytes.p, (int)bytes.len);
}

enum yk_status yk_base64_decode(struct yk_str text, struct yk_buf *ret_bytes, struct yk_err *err)
{
    if (text.len > INT32_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "base64 text of %zu bytes is too long", text.len);
    EVP_ENCODE_CTX *context = EVP_ENCODE_CTX_new();
    unsigned char *out = yk_alloc0(text.len / 4 * 3 + 64);
    int len = 0, tail = 0;
    EVP_DecodeInit(context);
    bool ok = EVP_DecodeUpdate(context, out, &len, (const unsigned char *)text.p, (int)text.len) >= 0 &&
              EVP_DecodeFinal(context, out + len, &tail) == 1;
    EVP_ENCODE_CTX_free(context);
    if (ok)
        yk_buf_add(ret_bytes, out, (size_t)(len + tail));
    explicit_bzero(out, text.len / 4 * 3 + 64); /* the bytes may be a secret */
    free(out);
    if (!ok)
        return yk_fail(err, YK_ERR_INVALID, "not base64");
    if (ret_bytes->failed)
        return yk_fail(err, YK_ERR_LIMIT, "base64 text is longer than %zu bytes", max_of(ret_bytes));
    return YK_OK;
}
