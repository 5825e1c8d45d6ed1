/* SPDX-License-Identifier: Apache-2.0 */
#include "base/yaml_scalar.h"

#include <math.h>

enum { NUMBER_BYTES_MAX = 400 }; /* DBL_MAX in full has 309 digits */

static bool is_one_of(struct yk_str text, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (yk_str_is(text, words[i]))
            return true;
    }
    return false;
}

static bool text_is_null(struct yk_str text)
{
    static const char *const words[] = {"", "~", "null", "Null", "NULL"};
    return is_one_of(text, words, YK_COUNT(words));
}

bool yk_yaml_scalar_is_null(const struct yk_yaml_node *scalar)
{
    return scalar->plain && text_is_null(scalar->u.text);
}

static const char *const core_yes[] = {"true", "True", "TRUE"};
static const char *const core_no[] = {"false", "False", "FALSE"};
/* Words of YAML 1.1, which are booleans also in quotes (C12). */
static const char *const old_yes[] = {"y", "Y", "yes", "Yes", "YES", "on", "On", "ON"};
static const char *const old_no[] = {"n", "N", "no", "No", "NO", "off", "Off", "OFF"};

enum yk_status yk_yaml_scalar_bool(const struct yk_yaml_node *scalar, bool *ret_truth)
{
    struct yk_str text = scalar->u.text;
    bool yes = is_one_of(text, old_yes, YK_COUNT(old_yes)) ||
               (scalar->plain && is_one_of(text, core_yes, YK_COUNT(core_yes)));
    bool no = is_one_of(text, old_no, YK_COUNT(old_no)) ||
              (scalar->plain && is_one_of(text, core_no, YK_COUNT(core_no)));
    if (!yes && !no)
        return YK_ERR_INVALID;
    *ret_truth = yes;
    return YK_OK;
}

/* ---- numbers ---- */

struct number {
    bool is_integer; /* `negative` and `magnitude` hold the number as well; false: only `value` does */
    bool negative;
    uint64_t magnitude;
    double value;
};

static int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
}

/* Cuts the prefix of another base off `digits` and returns the base; without a prefix 10. */
static unsigned cut_base(struct yk_str *digits)
{
    if (digits->len < 2 || digits->p[0] != '0')
        return 10;
    char letter = digits->p[1];
    unsigned base = letter == 'x' || letter == 'X' ? 16 : letter == 'o' || letter == 'O' ? 8 : 0;
    if (letter == 'b' || letter == 'B')
        base = 2;
    size_t prefix = base == 0 ? 1 : 2; /* a leading zero alone means octal */
    digits->p += prefix;
    digits->len -= prefix;
    return base == 0 ? 8 : base;
}

static bool parse_integer(struct yk_str digits, uint64_t *ret_magnitude)
{
    unsigned base = cut_base(&digits);
    uint64_t magnitude = 0;
    for (size_t i = 0; i < digits.len; i++) {
        unsigned digit = (unsigned)digit_value(digits.p[i]);
        if (digit >= base || __builtin_mul_overflow(magnitude, (uint64_t)base, &magnitude) ||
            __builtin_add_overflow(magnitude, (uint64_t)digit, &magnitude))
            return false;
    }
    *ret_magnitude = magnitude;
    return digits.len > 0;
}

static size_t count_digits(const char *at)
{
    size_t count = 0;
    while (at[count] >= '0' && at[count] <= '9')
        count++;
    return count;
}

/* Whether the text is digits[.digits] or .digits, with or without an exponent. strtod() would read more,
 * such as "inf" and "0x1p3". */
static bool looks_like_float(const char *at)
{
    size_t whole = count_digits(at);
    at += whole;
    size_t fraction = 0;
    if (*at == '.') {
        fraction = count_digits(at + 1);
        at += 1 + fraction;
    }
    if (whole + fraction == 0)
        return false;
    if (*at == 'e' || *at == 'E') {
        at++;
        at += *at == '+' || *at == '-';
        size_t exponent = count_digits(at);
        if (exponent == 0)
            return false;
        at += exponent;
    }
    return *at == '\0';
}

/* Copies `text` without `_`, which may separate digits anywhere but at the beginning. Returns false if
 * the text cannot be a number. */
static bool copy_without_separators(struct yk_str text, char copy[NUMBER_BYTES_MAX])
{
    size_t len = 0;
    if (text.len == 0 || text.len >= NUMBER_BYTES_MAX || text.p[0] == '_' ||
        memchr(text.p, '\0', text.len) != NULL)
        return false;
    for (size_t i = 0; i < text.len; i++) {
        if (text.p[i] != '_')
            copy[len++] = text.p[i];
    }
    copy[len] = '\0';
    return true;
}

static enum yk_status parse_number(struct yk_str text, struct number *ret_number)
{
    char copy[NUMBER_BYTES_MAX];
    struct number number = {0};
    if (!copy_without_separators(text, copy))
        return YK_ERR_INVALID;
    const char *digits = copy;
    number.negative = *digits == '-';
    digits += *digits == '-' || *digits == '+';
    if (parse_integer(yk_str_from(digits), &number.magnitude)) {
        number.is_integer = true;
        number.value = (double)number.magnitude;
    } else if (looks_like_float(digits)) {
        number.value = strtod(digits, NULL);
    } else {
        return YK_ERR_INVALID;
    }
    number.value = number.negative ? -number.value : number.value;
    *ret_number = number;
    return YK_OK;
}

enum yk_status yk_yaml_scalar_u64(const struct yk_yaml_node *scalar, uint64_t *ret_number)
{
    struct number number;
    if (!scalar->plain || parse_number(scalar->u.text, &number) != YK_OK || number.value < 0)
        return YK_ERR_INVALID;
    if (!number.is_integer) {
        if (!(number.value < 0x1p64))
            return YK_ERR_INVALID;
        number.magnitude = (uint64_t)number.value;
    }
    *ret_number = number.magnitude;
    return YK_OK;
}

enum yk_status yk_yaml_scalar_double(const struct yk_yaml_node *scalar, double *ret_number)
{
    struct number number;
    if (!scalar->plain || parse_number(scalar->u.text, &number) != YK_OK || !isfinite(number.value))
        return YK_ERR_INVALID;
    *ret_number = number.value;
    return YK_OK;
}

/* ---- writing ---- */

static bool starts_like_a_number(struct yk_str text)
{
    return memchr("0123456789+-.", text.p[0], 13) != NULL;
}

bool yk_yaml_scalar_needs_quotes(struct yk_str text)
{
    if (text_is_null(text) || is_one_of(text, core_yes, YK_COUNT(core_yes)) ||
        is_one_of(text, core_no, YK_COUNT(core_no)) || is_one_of(text, old_yes, YK_COUNT(old_yes)) ||
        is_one_of(text, old_no, YK_COUNT(old_no)))
        return true;
    /* A text that begins like a number is quoted even if it is none: other readers know more forms of
     * numbers, dates and times. */
    return starts_like_a_number(text) || yk_str_is(text, "<<") || yk_str_is(text, "=");
}
