/* SPDX-License-Identifier: Apache-2.0 */
#include "resources/quantity.h"

#define NANO ((yk_quantity)1000000000)

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The factor that a suffix stands for: 1, or a power of 1000 or 1024; 0: the suffix is not known. The
 * caller handles "m". */
static int64_t suffix_multiplier(struct yk_str suffix)
{
    static const char letters[] = "kMGTPE";
    if (suffix.len == 0)
        return 1;
    bool binary = suffix.len == 2 && suffix.p[1] == 'i';
    if (suffix.len > 2 || (suffix.len == 2 && !binary))
        return 0;
    char letter = binary && suffix.p[0] == 'K' ? 'k' : suffix.p[0];
    if (binary && suffix.p[0] == 'k')
        return 0;
    const char *at = memchr(letters, letter, sizeof(letters) - 1);
    if (at == NULL)
        return 0;
    int64_t multiplier = 1;
    for (const char *c = letters; c <= at; c++)
        multiplier *= binary ? 1024 : 1000;
    return multiplier;
}

enum yk_status yk_quantity_parse_config(struct yk_str type_name, struct yk_str text, int64_t *ret_amount,
                                        struct yk_err *err)
{
    bool is_vcore = yk_str_is(type_name, "vcore");
    struct yk_str trimmed = yk_str_trim(text);
    struct yk_str digits = trimmed;
    for (digits.len = 0; digits.len < trimmed.len && is_digit(trimmed.p[digits.len]);)
        digits.len++;
    struct yk_str suffix = yk_str_trim((struct yk_str){trimmed.p + digits.len, trimmed.len - digits.len});

    uint64_t magnitude = 0;
    bool milli = is_vcore && yk_str_is(suffix, "m");
    int64_t multiplier = milli ? 1 : suffix_multiplier(suffix);
    if (digits.len == 0 || multiplier == 0)
        return yk_fail(err, YK_ERR_INVALID, "invalid quantity '" YK_STR_FMT "' for '" YK_STR_FMT "'",
                       YK_STR_ARG(text), YK_STR_ARG(type_name));
    int64_t amount;
    if (yk_str_to_u64(digits, &magnitude) != YK_OK || magnitude > INT64_MAX ||
        __builtin_mul_overflow((int64_t)magnitude, multiplier, &amount) ||
        (is_vcore && !milli && __builtin_mul_overflow(amount, INT64_C(1000), &amount)))
        return yk_fail(err, YK_ERR_LIMIT, "quantity '" YK_STR_FMT "' for '" YK_STR_FMT "' overflows",
                       YK_STR_ARG(text), YK_STR_ARG(type_name));
    *ret_amount = amount;
    return YK_OK;
}

/* Larger than any int64_t of units, and so small that a sum of two fits into the type. */
#define QUANTITY_MAX ((yk_quantity)1 << 120)

static yk_quantity clamp(yk_quantity q)
{
    return YK_MAX(-QUANTITY_MAX, YK_MIN(q, QUANTITY_MAX));
}

yk_quantity yk_quantity_add(yk_quantity a, yk_quantity b)
{
    return clamp(a + b);
}

/* a * b, but at most QUANTITY_MAX. Neither is negative. */
static yk_quantity multiply(yk_quantity a, yk_quantity b)
{
    yk_quantity product;
    if (__builtin_mul_overflow(a, b, &product))
        return QUANTITY_MAX;
    return clamp(product);
}

static yk_quantity divide_up(yk_quantity a, yk_quantity b)
{
    return (a + b - 1) / b;
}

enum {
    EXPONENT_MAX = 1 << 20, /* larger exponents count as this one: no text has so many digits against it */
    TEN_MAX = 80,           /* with larger powers of ten, the quantity saturates */
};

struct scale {
    bool binary;
    int exponent; /* of 10, or of 2 */
};

static enum yk_status parse_exponent(struct yk_str text, int *ret_exponent)
{
    int64_t exponent;
    if (yk_str_to_i64(text, &exponent) != YK_OK)
        return YK_ERR_INVALID;
    *ret_exponent = (int)YK_MAX(-EXPONENT_MAX, YK_MIN(exponent, EXPONENT_MAX));
    return YK_OK;
}

static enum yk_status parse_suffix(struct yk_str suffix, struct scale *ret_scale)
{
    static const struct {
        const char *text;
        struct scale scale;
    } known[] = {
        {"", {false, 0}},   {"n", {false, -9}}, {"u", {false, -6}}, {"m", {false, -3}},
        {"k", {false, 3}},  {"M", {false, 6}},  {"G", {false, 9}},  {"T", {false, 12}},
        {"P", {false, 15}}, {"E", {false, 18}}, {"Ki", {true, 10}}, {"Mi", {true, 20}},
        {"Gi", {true, 30}}, {"Ti", {true, 40}}, {"Pi", {true, 50}}, {"Ei", {true, 60}},
    };
    for (size_t i = 0; i < YK_COUNT(known); i++) {
        if (yk_str_is(suffix, known[i].text)) {
            *ret_scale = known[i].scale;
            return YK_OK;
        }
    }
    if (suffix.p[0] != 'e' && suffix.p[0] != 'E')
        return YK_ERR_INVALID;
    ret_scale->binary = false;
    return parse_exponent((struct yk_str){suffix.p + 1, suffix.len - 1}, &ret_scale->exponent);
}

/* The number digits * 10^-places. `more`: digits that did not fit were left out behind the point, and not
 * all were 0. */
struct number {
    yk_quantity digits;
    int places;
    bool more;
};

static size_t scan_number(struct yk_str text, struct number *number)
{
    bool seen_point = false;
    size_t at = 0;
    for (; at < text.len && (is_digit(text.p[at]) || (text.p[at] == '.' && !seen_point)); at++) {
        if (text.p[at] == '.') {
            seen_point = true;
        } else if (number->digits < (QUANTITY_MAX >> 4) / NANO) {
            number->digits = number->digits * 10 + (text.p[at] - '0');
            number->places += seen_point;
        } else {
            number->more = number->more || (seen_point && text.p[at] != '0');
            number->places -= !seen_point;
        }
    }
    return at;
}

static yk_quantity power_of_ten(int exponent)
{
    yk_quantity power = 1;
    for (int i = 0; i < exponent; i++)
        power = multiply(power, 10);
    return power;
}

/* The number times the scale in billionths of a unit, rounded up. The number has no sign. */
static yk_quantity to_nano(const struct number *number, struct scale scale)
{
    yk_quantity nano = number->digits;
    int ten = 9 - number->places + (scale.binary ? 0 : scale.exponent);
    ten = YK_MAX(-TEN_MAX, YK_MIN(ten, TEN_MAX));
    if (scale.binary)
        nano = multiply(nano, (yk_quantity)1 << scale.exponent);
    if (ten >= 0)
        nano = multiply(nano, power_of_ten(ten));
    else
        nano = divide_up(nano, power_of_ten(-ten));
    return number->more ? yk_quantity_add(nano, 1) : nano;
}

enum yk_status yk_quantity_parse(struct yk_str text, yk_quantity *ret_quantity, struct yk_err *err)
{
    if (text.len == 0)
        return yk_fail(err, YK_ERR_INVALID, "quantity is empty");
    struct yk_str rest = text;
    bool negative = rest.p[0] == '-';
    if (rest.p[0] == '-' || rest.p[0] == '+') {
        rest.p++;
        rest.len--;
    }
    struct number number = {0};
    struct scale scale = {0};
    size_t used = scan_number(rest, &number);
    if (parse_suffix((struct yk_str){rest.p + used, rest.len - used}, &scale) != YK_OK)
        return yk_fail(err, YK_ERR_INVALID, "'" YK_STR_FMT "' is not a quantity", YK_STR_ARG(text));
    yk_quantity nano = to_nano(&number, scale);
    *ret_quantity = negative ? -nano : nano;
    return YK_OK;
}

static int64_t ceil_to(yk_quantity quantity, yk_quantity unit)
{
    yk_quantity units = quantity > 0 ? divide_up(quantity, unit) : quantity / unit;
    if (units > INT64_MAX)
        return INT64_MAX;
    return units < INT64_MIN ? INT64_MIN : (int64_t)units;
}

int64_t yk_quantity_value(yk_quantity quantity)
{
    return ceil_to(quantity, NANO);
}

int64_t yk_quantity_milli(yk_quantity quantity)
{
    return ceil_to(quantity, NANO / 1000);
}

int64_t yk_quantity_amount(struct yk_str name, yk_quantity quantity)
{
    return yk_str_is(name, "cpu") ? yk_quantity_milli(quantity) : yk_quantity_value(quantity);
}
