/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json_writer.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

void yk_json_init(struct yk_json *json, struct yk_buf *out)
{
    memset(json, 0, sizeof(*json));
    json->out = out;
}

/* ---- structure ---- */

static bool bit(const uint64_t *bits, uint32_t at)
{
    return (bits[at / 64] >> (at % 64) & 1) != 0;
}

static void set_bit(uint64_t *bits, uint32_t at, bool to)
{
    uint64_t mask = UINT64_C(1) << (at % 64);
    bits[at / 64] = to ? bits[at / 64] | mask : bits[at / 64] & ~mask;
}

static bool in_object(const struct yk_json *json)
{
    return json->depth > 0 && bit(json->is_object, json->depth - 1);
}

static void put_comma(struct yk_json *json)
{
    if (json->depth == 0)
        return;
    if (bit(json->has_item, json->depth - 1))
        yk_buf_char(json->out, ',');
    set_bit(json->has_item, json->depth - 1, true);
}

/* Writes the comma before a value of an array. Returns whether the value may be written. */
static bool value_begins(struct yk_json *json)
{
    if (json->depth > YK_JSON_DEPTH_MAX) /* inside of an object or array that was left out */
        return false;
    if (!in_object(json)) {
        put_comma(json);
        return true;
    }
    bool had_key = json->has_key;
    json->has_key = false;
    return YK_ASSERT(had_key);
}

static void begin(struct yk_json *json, bool is_object)
{
    bool written = value_begins(json);
    json->depth++;
    if (!written || json->depth > YK_JSON_DEPTH_MAX) {
        json->out->failed = true;
        return;
    }
    set_bit(json->is_object, json->depth - 1, is_object);
    set_bit(json->has_item, json->depth - 1, false);
    yk_buf_char(json->out, is_object ? '{' : '[');
}

/* ---- keys that yk_json_only() leaves out ---- */

static void take_back(struct yk_json *json)
{
    if (!json->is_hidden)
        return;
    json->is_hidden = false;
    if (json->out->len >= json->hidden_from)
        json->out->len = json->hidden_from;
    if (json->out->p != NULL)
        json->out->p[json->out->len] = '\0';
    set_bit(json->has_item, json->only_depth - 1, json->hidden_after_item);
}

static bool is_wanted(const struct yk_json *json, struct yk_str key)
{
    for (size_t at = 0; at + key.len + 2 <= json->only.len; at++) {
        const char *p = json->only.p + at;
        if (p[0] == ',' && p[key.len + 1] == ',' && memcmp(p + 1, key.p, key.len) == 0)
            return true;
    }
    return false;
}

static void hide_unless_wanted(struct yk_json *json, struct yk_str key)
{
    if (json->only.len == 0 || json->depth != json->only_depth)
        return;
    take_back(json);
    if (is_wanted(json, key))
        return;
    json->is_hidden = true;
    json->hidden_from = json->out->len;
    json->hidden_after_item = bit(json->has_item, json->depth - 1);
}

void yk_json_only(struct yk_json *json, struct yk_str keys, uint32_t depth)
{
    json->only = keys;
    json->only_depth = YK_MIN(depth, (uint32_t)YK_JSON_DEPTH_MAX);
}

void yk_json_pause(struct yk_json *json)
{
    if (!json->is_hidden || json->out->len < json->hidden_from)
        return;
    json->out->len = json->hidden_from;
    if (json->out->p != NULL)
        json->out->p[json->out->len] = '\0';
}

void yk_json_go_on(struct yk_json *json)
{
    json->hidden_from = json->out->len;
}

static void end(struct yk_json *json, bool is_object)
{
    if (!YK_ASSERT(json->depth > 0))
        return;
    if (json->depth == json->only_depth)
        take_back(json);
    if (json->depth <= YK_JSON_DEPTH_MAX && YK_ASSERT(in_object(json) == is_object && !json->has_key))
        yk_buf_char(json->out, is_object ? '}' : ']');
    json->depth--;
}

void yk_json_object_begin(struct yk_json *json)
{
    begin(json, true);
}

void yk_json_object_end(struct yk_json *json)
{
    end(json, true);
}

void yk_json_array_begin(struct yk_json *json)
{
    begin(json, false);
}

void yk_json_array_end(struct yk_json *json)
{
    end(json, false);
}

void yk_json_end_all(struct yk_json *json)
{
    if (json->has_key)
        yk_json_null(json);
    while (json->depth > 0)
        end(json, json->depth <= YK_JSON_DEPTH_MAX && in_object(json));
}

void yk_json_key_str(struct yk_json *json, struct yk_str key)
{
    if (json->depth > YK_JSON_DEPTH_MAX)
        return;
    if (!YK_ASSERT(in_object(json) && !json->has_key))
        return;
    hide_unless_wanted(json, key);
    put_comma(json);
    yk_json_put_string(json->out, key);
    yk_buf_char(json->out, ':');
    json->has_key = true;
}

void yk_json_key(struct yk_json *json, const char *key)
{
    yk_json_key_str(json, yk_str_from(key));
}

/* ---- texts ---- */

/* The escape of a one-byte character, static or in `scratch`; NULL: it is written as it is. */
static const char *escape_of(unsigned char c, char scratch[8])
{
    switch (c) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '\b':
        return "\\b";
    case '\f':
        return "\\f";
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    case '\t':
        return "\\t";
    }
    if (c >= 0x20 && c != '<' && c != '>' && c != '&')
        return NULL;
    (void)snprintf(scratch, 8, "\\u%04x", c);
    return scratch;
}

/* Whether the byte is an ASCII character that is written without an escape. */
static inline bool stands_for_itself(unsigned char c)
{
    return c >= 0x20 && c < 0x80 && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&';
}

void yk_json_put_string(struct yk_buf *out, struct yk_str text)
{
    const unsigned char *p = (const unsigned char *)text.p;
    size_t plain = 0; /* offset of the first byte that was not written yet */
    char scratch[8];

    yk_buf_char(out, '"');
    for (size_t at = 0; at < text.len;) {
        if (stands_for_itself(p[at])) {
            at++;
            continue;
        }
        size_t len = yk_utf8_bytes((struct yk_str){text.p + at, text.len - at});
        const char *escape = NULL;
        if (len == 0)
            escape = "\\ufffd";
        else if (len == 1)
            escape = escape_of(p[at], scratch);
        else if (len == 3 && p[at] == 0xe2 && p[at + 1] == 0x80 && (p[at + 2] & 0xfe) == 0xa8)
            escape = p[at + 2] == 0xa8 ? "\\u2028" : "\\u2029";
        len = YK_MAX(len, (size_t)1);
        if (escape != NULL) {
            yk_buf_add(out, text.p + plain, at - plain);
            yk_buf_text(out, escape);
            plain = at + len;
        }
        at += len;
    }
    if (text.len > plain)
        yk_buf_add(out, text.p + plain, text.len - plain);
    yk_buf_char(out, '"');
}

void yk_json_str(struct yk_json *json, struct yk_str text)
{
    if (value_begins(json))
        yk_json_put_string(json->out, text);
}

void yk_json_text(struct yk_json *json, const char *text)
{
    yk_json_str(json, yk_str_from(text));
}

/* ---- numbers ---- */

void yk_json_int(struct yk_json *json, int64_t number)
{
    if (value_begins(json))
        yk_buf_printf(json->out, "%" PRId64, number);
}

void yk_json_uint(struct yk_json *json, uint64_t number)
{
    if (value_begins(json))
        yk_buf_printf(json->out, "%" PRIu64, number);
}

enum { DIGITS_ALWAYS_EXACT = DBL_DIG, DIGITS_ALWAYS_UNIQUE = DBL_DECIMAL_DIG, SCIENTIFIC_MAX = 40 };

/* Writes "d.ddde+XX" that reads back as `number`, which is finite and not negative. It has the fewest digits
 * possible, apart from zeros at the end of the digits. */
static void shortest_scientific(double number, char text[SCIENTIFIC_MAX])
{
    /* The search may begin with DBL_DIG digits: a shorter form then has zeros at its end. Subnormal numbers
     * have fewer exact digits. */
    int digits = fabs(number) < DBL_MIN ? 1 : DIGITS_ALWAYS_EXACT;
    for (; digits <= DIGITS_ALWAYS_UNIQUE; digits++) {
        (void)snprintf(text, SCIENTIFIC_MAX, "%.*e", digits - 1, number);
        double back = strtod(text, NULL);
        if (memcmp(&back, &number, sizeof(back)) == 0)
            return;
    }
}

static void put_exponent_form(struct yk_buf *out, struct yk_str digits, int exponent)
{
    yk_buf_add(out, digits.p, 1);
    if (digits.len > 1) {
        yk_buf_char(out, '.');
        yk_buf_add(out, digits.p + 1, digits.len - 1);
    }
    yk_buf_printf(out, "e%c%d", exponent < 0 ? '-' : '+', exponent < 0 ? -exponent : exponent);
}

static void put_zeros(struct yk_buf *out, int count)
{
    for (int i = 0; i < count; i++)
        yk_buf_char(out, '0');
}

static void put_plain_form(struct yk_buf *out, struct yk_str digits, int exponent)
{
    size_t whole = exponent < 0 ? 0 : (size_t)exponent + 1; /* digits before the point */
    if (whole == 0) {
        yk_buf_text(out, "0.");
        put_zeros(out, -exponent - 1);
        yk_buf_str(out, digits);
        return;
    }
    yk_buf_add(out, digits.p, YK_MIN(whole, digits.len));
    if (whole >= digits.len) {
        put_zeros(out, (int)(whole - digits.len));
        return;
    }
    yk_buf_char(out, '.');
    yk_buf_add(out, digits.p + whole, digits.len - whole);
}

void yk_json_put_double(struct yk_buf *out, double number)
{
    if (!isfinite(number)) {
        yk_buf_text(out, "null");
        return;
    }
    if (signbit(number)) {
        yk_buf_char(out, '-');
        number = -number;
    }
    char text[SCIENTIFIC_MAX];
    shortest_scientific(number, text);

    char digits[SCIENTIFIC_MAX];
    size_t len = 0;
    const char *at = text;
    for (; *at != 'e' && *at != '\0'; at++) {
        if (*at != '.')
            digits[len++] = *at;
    }
    while (len > 1 && digits[len - 1] == '0')
        len--;
    int64_t exponent = 0;
    bool parsed = *at == 'e' && yk_str_to_i64(yk_str_from(at + 1), &exponent) == YK_OK;
    if (!YK_ASSERT(parsed))
        exponent = 0;
    if (exponent < -6 || exponent >= 21)
        put_exponent_form(out, (struct yk_str){digits, len}, (int)exponent);
    else
        put_plain_form(out, (struct yk_str){digits, len}, (int)exponent);
}

void yk_json_double(struct yk_json *json, double number)
{
    if (value_begins(json))
        yk_json_put_double(json->out, number);
}

/* ---- other values, and pairs of key and value ---- */

void yk_json_bool(struct yk_json *json, bool truth)
{
    if (value_begins(json))
        yk_buf_text(json->out, truth ? "true" : "false");
}

void yk_json_null(struct yk_json *json)
{
    if (value_begins(json))
        yk_buf_text(json->out, "null");
}

void yk_json_raw(struct yk_json *json, struct yk_str value)
{
    if (value_begins(json))
        yk_buf_str(json->out, value);
}

void yk_json_add_text(struct yk_json *json, const char *key, const char *text)
{
    yk_json_key(json, key);
    yk_json_text(json, text);
}

void yk_json_add_int(struct yk_json *json, const char *key, int64_t number)
{
    yk_json_key(json, key);
    yk_json_int(json, number);
}

void yk_json_add_uint(struct yk_json *json, const char *key, uint64_t number)
{
    yk_json_key(json, key);
    yk_json_uint(json, number);
}

void yk_json_add_double(struct yk_json *json, const char *key, double number)
{
    yk_json_key(json, key);
    yk_json_double(json, number);
}

void yk_json_add_pairs(struct yk_json *json, const char *key, const struct yk_pairs *pairs)
{
    if (pairs->count == 0)
        return;
    yk_json_key(json, key);
    yk_json_object_begin(json);
    for (uint32_t i = 0; i < pairs->count; i++) {
        yk_json_key_str(json, pairs->items[i].key);
        yk_json_str(json, pairs->items[i].value);
    }
    yk_json_object_end(json);
}

void yk_json_add_bool(struct yk_json *json, const char *key, bool truth)
{
    yk_json_key(json, key);
    yk_json_bool(json, truth);
}
