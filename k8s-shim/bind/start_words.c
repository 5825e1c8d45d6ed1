/* SPDX-License-Identifier: Apache-2.0 */
#include "bind/start_words.h"

#define MINUTE_NS (60 * YK_NS_PER_S)

enum { HOUR = 60, DAY = 24 * HOUR }; /* in minutes */

/* Times that are `away` minutes from now are rounded to multiples of this step, in minutes. */
static int64_t step_for(int64_t away)
{
    if (away < 15)
        return 1;
    if (away < 2 * HOUR)
        return 5;
    if (away < 12 * HOUR)
        return 30;
    return away < 3 * DAY ? HOUR : DAY;
}

struct yk_start_range yk_start_range_of(const struct yk_si_start *start, int64_t now_wall_ns)
{
    int64_t now = now_wall_ns / MINUTE_NS;
    if (!start->is_known)
        return (struct yk_start_range){0, 0};
    int64_t from = YK_MAX(start->earliest_wall_ns / MINUTE_NS, now);
    int64_t to = YK_MAX(start->latest_wall_ns / MINUTE_NS + 1, from + 1), step = step_for(to - now);
    from -= from % step;
    to += (step - to % step) % step;
    return (struct yk_start_range){(uint32_t)from, (uint32_t)YK_MIN(to, (int64_t)UINT32_MAX)};
}

bool yk_start_range_moved(struct yk_start_range written, const struct yk_si_start *start, int64_t now_wall_ns)
{
    struct yk_start_range present = yk_start_range_of(start, now_wall_ns);
    if (written.to_min == 0 || present.to_min == 0)
        return written.to_min != present.to_min;
    bool outside = present.from_min >= written.to_min || present.to_min <= written.from_min;
    bool narrower = present.to_min - present.from_min <= (written.to_min - written.from_min) / 4;
    return outside || narrower || now_wall_ns / MINUTE_NS >= (int64_t)written.to_min;
}

static void add_time(struct yk_buf *message, uint32_t minute, bool with_date)
{
    char text[YK_TIME_TEXT_MAX];
    yk_time_format((int64_t)minute * MINUTE_NS, 0, text); /* such as 2026-01-02T03:04:05Z */
    if (with_date)
        yk_buf_printf(message, "%.10s ", text);
    yk_buf_printf(message, "%.5s", text + 11);
}

void yk_start_words_add(struct yk_buf *message, const struct yk_si_start *start, int64_t now_wall_ns)
{
    struct yk_start_range range = yk_start_range_of(start, now_wall_ns);
    if (!start->waits)
        return;
    if (range.to_min > 0) {
        bool with_date = range.to_min / DAY != now_wall_ns / MINUTE_NS / DAY;
        yk_buf_text(message, "; estimated start between ");
        add_time(message, range.from_min, with_date);
        yk_buf_text(message, " and ");
        add_time(message, range.to_min, with_date);
        yk_buf_text(message, " UTC");
    } else {
        yk_buf_text(message, "; start unknown: ");
        yk_si_start_basis(start, false, message);
    }
}
