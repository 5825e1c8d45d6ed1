/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"

#include <stdio.h>
#include <time.h>

struct yk_clock yk_clock_real;

static int64_t system_ns(clockid_t id)
{
    struct timespec now;
    (void)clock_gettime(id, &now); /* cannot fail for these clocks */
    return now.tv_sec * YK_NS_PER_S + now.tv_nsec;
}

int64_t yk_clock_wall_ns(const struct yk_clock *clock)
{
    return clock->is_virtual ? clock->wall_ns : system_ns(CLOCK_REALTIME);
}

int64_t yk_clock_mono_ns(const struct yk_clock *clock)
{
    return clock->is_virtual ? clock->mono_ns : system_ns(CLOCK_MONOTONIC);
}

void yk_clock_virtual_init(struct yk_clock *clock, int64_t wall_ns)
{
    *clock = (struct yk_clock){.is_virtual = true, .wall_ns = wall_ns, .mono_ns = YK_NS_PER_S};
}

void yk_clock_freeze(struct yk_clock *clock)
{
    const struct yk_clock now = {
        .is_virtual = true, .wall_ns = yk_clock_wall_ns(clock), .mono_ns = yk_clock_mono_ns(clock)};
    *clock = now;
}

void yk_clock_advance(struct yk_clock *clock, int64_t ns)
{
    if (!YK_ASSERT(clock->is_virtual && ns >= 0))
        return;
    clock->wall_ns = yk_i64_add(clock->wall_ns, ns);
    clock->mono_ns = yk_i64_add(clock->mono_ns, ns);
}

void yk_time_format(int64_t wall_ns, int digits, char text[YK_TIME_TEXT_MAX])
{
    int64_t fraction = wall_ns % YK_NS_PER_S;
    time_t seconds = wall_ns / YK_NS_PER_S;
    if (fraction < 0) {
        fraction += YK_NS_PER_S;
        seconds--;
    }
    struct tm utc;
    (void)gmtime_r(&seconds, &utc); /* every int64 of nanoseconds is a valid year */
    size_t len = strftime(text, YK_TIME_TEXT_MAX, "%Y-%m-%dT%H:%M:%S", &utc);
    for (int i = digits; i < 9; i++)
        fraction /= 10;
    if (digits > 0)
        (void)snprintf(text + len, YK_TIME_TEXT_MAX - len, ".%0*lldZ", digits, (long long)fraction);
    else
        (void)snprintf(text + len, YK_TIME_TEXT_MAX - len, "Z");
}

void yk_time_format_http(int64_t wall_ns, char text[YK_TIME_TEXT_MAX])
{
    static const char days[7][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static const char months[12][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    time_t seconds = wall_ns / YK_NS_PER_S - (wall_ns % YK_NS_PER_S < 0);
    struct tm utc;
    (void)gmtime_r(&seconds, &utc); /* every int64 of nanoseconds is a valid year */
    (void)snprintf(text, YK_TIME_TEXT_MAX, "%s, %02d %s %04d %02d:%02d:%02d GMT", days[utc.tm_wday],
                   utc.tm_mday, months[utc.tm_mon], utc.tm_year + 1900, utc.tm_hour, utc.tm_min, utc.tm_sec);
}

/* Cuts a number of exactly `count` digits off the front of `text`. Returns false if `text` does not begin
 * with `count` digits. */
static bool take_digits(struct yk_str *text, size_t count, int *ret_value)
{
    int value = 0;
    if (text->len < count)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (text->p[i] < '0' || text->p[i] > '9')
            return false;
        value = value * 10 + (text->p[i] - '0');
    }
    text->p += count;
    text->len -= count;
    *ret_value = value;
    return true;
}

static bool take_char(struct yk_str *text, const char *any_of)
{
    if (text->len == 0 || memchr(any_of, text->p[0], strlen(any_of)) == NULL)
        return false;
    text->p++;
    text->len--;
    return true;
}

/* False: `text` does not begin with a digit. */
static bool take_fraction_ns(struct yk_str *text, int64_t *ret_ns)
{
    int64_t ns = 0, unit = YK_NS_PER_S / 10;
    size_t len = text->len;
    while (text->len > 0 && text->p[0] >= '0' && text->p[0] <= '9') {
        ns += (text->p[0] - '0') * unit;
        unit /= 10;
        text->p++;
        text->len--;
    }
    *ret_ns = ns;
    return text->len < len;
}

static bool take_offset_s(struct yk_str *text, int64_t *ret_offset_s)
{
    if (take_char(text, "Zz")) {
        *ret_offset_s = 0;
        return true;
    }
    bool west = text->len > 0 && text->p[0] == '-';
    int hours, minutes;
    if (!take_char(text, "+-") || !take_digits(text, 2, &hours) || !take_char(text, ":") ||
        !take_digits(text, 2, &minutes) || hours > 23 || minutes > 59)
        return false;
    *ret_offset_s = (hours * 3600 + minutes * 60) * (west ? -1 : 1);
    return true;
}

static int days_of(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && is_leap);
}

enum yk_status yk_time_parse(struct yk_str text, int64_t *ret_wall_ns)
{
    struct tm utc = {0};
    int64_t fraction_ns = 0, offset_s;
    bool ok =
        take_digits(&text, 4, &utc.tm_year) && take_char(&text, "-") && take_digits(&text, 2, &utc.tm_mon) &&
        take_char(&text, "-") && take_digits(&text, 2, &utc.tm_mday) && take_char(&text, "Tt") &&
        take_digits(&text, 2, &utc.tm_hour) && take_char(&text, ":") && take_digits(&text, 2, &utc.tm_min) &&
        take_char(&text, ":") && take_digits(&text, 2, &utc.tm_sec);
    if (ok && take_char(&text, "."))
        ok = take_fraction_ns(&text, &fraction_ns);
    if (!ok || !take_offset_s(&text, &offset_s) || text.len != 0)
        return YK_ERR_INVALID;
    if (utc.tm_mon < 1 || utc.tm_mon > 12 || utc.tm_year < 1678 || utc.tm_year > 2261 || utc.tm_mday < 1 ||
        utc.tm_mday > days_of(utc.tm_year, utc.tm_mon) || utc.tm_hour > 23 || utc.tm_min > 59 ||
        utc.tm_sec > 60)
        return YK_ERR_INVALID;
    utc.tm_year -= 1900;
    utc.tm_mon -= 1;
    *ret_wall_ns = (timegm(&utc) - offset_s) * YK_NS_PER_S + fraction_ns;
    return YK_OK;
}

/* Prints value / unit and `suffix`, such as "1.5ms", without zeros at the end of the fraction. `unit` is
 * a power of ten. Returns what snprintf() returns. */
static int print_fraction(char *text, size_t size, uint64_t value, uint64_t unit, const char *suffix)
{
    uint64_t whole = value / unit, rest = value % unit;
    if (rest == 0)
        return snprintf(text, size, "%llu%s", (unsigned long long)whole, suffix);
    char digits[24];
    int count = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)(unit + rest));
    while (count > 0 && digits[count - 1] == '0')
        count--;
    return snprintf(text, size, "%llu.%.*s%s", (unsigned long long)whole, count - 1, digits + 1, suffix);
}

void yk_duration_format(int64_t ns, char text[YK_TIME_TEXT_MAX])
{
    uint64_t left = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
    size_t len = 0;
    if (ns < 0)
        text[len++] = '-';
    if (left == 0) {
        (void)snprintf(text, YK_TIME_TEXT_MAX, "0s");
    } else if (left < (uint64_t)YK_NS_PER_US) {
        (void)snprintf(text + len, YK_TIME_TEXT_MAX - len, "%lluns", (unsigned long long)left);
    } else if (left < (uint64_t)YK_NS_PER_MS) {
        (void)print_fraction(text + len, YK_TIME_TEXT_MAX - len, left, YK_NS_PER_US, "µs");
    } else if (left < (uint64_t)YK_NS_PER_S) {
        (void)print_fraction(text + len, YK_TIME_TEXT_MAX - len, left, YK_NS_PER_MS, "ms");
    } else {
        uint64_t hours = left / (3600 * (uint64_t)YK_NS_PER_S),
                 minutes = left / (60 * (uint64_t)YK_NS_PER_S) % 60;
        if (hours > 0)
            len += (size_t)snprintf(text + len, YK_TIME_TEXT_MAX - len, "%lluh", (unsigned long long)hours);
        if (hours > 0 || minutes > 0)
            len += (size_t)snprintf(text + len, YK_TIME_TEXT_MAX - len, "%llum", (unsigned long long)minutes);
        (void)print_fraction(text + len, YK_TIME_TEXT_MAX - len, left % (60 * (uint64_t)YK_NS_PER_S),
                             YK_NS_PER_S, "s");
    }
}

static bool take_unit(struct yk_str *text, int64_t *ret_unit_ns)
{
    static const struct {
        const char *name;
        int64_t ns;
    } units[] = {
        {"ns", 1},
        {"us", YK_NS_PER_US},
        {"µs", YK_NS_PER_US},
        {"μs", YK_NS_PER_US}, /* the Greek letter */
        {"ms", YK_NS_PER_MS},
        {"s", YK_NS_PER_S},
        {"m", 60 * YK_NS_PER_S},
        {"h", 3600 * YK_NS_PER_S},
    };
    for (size_t i = 0; i < YK_COUNT(units); i++) {
        if (!yk_str_starts(*text, units[i].name))
            continue;
        text->p += strlen(units[i].name);
        text->len -= strlen(units[i].name);
        *ret_unit_ns = units[i].ns;
        return true;
    }
    return false;
}

/* Cuts one "number[.fraction]unit" off the front of `text` and adds it to *sum_ns. As in Go, what is less than
 * a nanosecond does not count. */
static bool take_duration_part(struct yk_str *text, int64_t *sum_ns)
{
    int64_t whole = 0, fraction = 0, unit_ns;
    double scale = 1;
    bool any = false;
    for (; text->len > 0 && text->p[0] >= '0' && text->p[0] <= '9'; text->p++, text->len--, any = true) {
        if (__builtin_mul_overflow(whole, INT64_C(10), &whole) ||
            __builtin_add_overflow(whole, (int64_t)(text->p[0] - '0'), &whole))
            return false;
    }
    if (take_char(text, ".")) {
        for (; text->len > 0 && text->p[0] >= '0' && text->p[0] <= '9'; text->p++, text->len--, any = true) {
            if (scale >= 1e18) /* further digits would overflow, and do not matter */
                continue;
            fraction = fraction * 10 + (text->p[0] - '0');
            scale *= 10;
        }
    }
    if (!any || !take_unit(text, &unit_ns))
        return false;
    int64_t part_ns;
    if (__builtin_mul_overflow(whole, unit_ns, &part_ns) ||
        __builtin_add_overflow(part_ns, (int64_t)((double)fraction * ((double)unit_ns / scale)), &part_ns) ||
        __builtin_add_overflow(*sum_ns, part_ns, sum_ns))
        return false;
    return true;
}

enum yk_status yk_duration_parse(struct yk_str text, int64_t *ret_ns)
{
    bool negative = text.len > 0 && text.p[0] == '-';
    int64_t sum_ns = 0;
    if (text.len > 0)
        (void)take_char(&text, "+-");
    if (yk_str_is(text, "0")) {
        *ret_ns = 0;
        return YK_OK;
    }
    if (text.len == 0)
        return YK_ERR_INVALID;
    while (text.len > 0) {
        if (!take_duration_part(&text, &sum_ns))
            return YK_ERR_INVALID;
    }
    *ret_ns = negative ? -sum_ns : sum_ns;
    return YK_OK;
}
