/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clock: no other code asks the operating system for the time.
 *
 * Production uses the real clock. Tests and `yunikorn simulate` use a virtual one, which moves only on
 * request. Instants and durations are int64_t nanoseconds: wall since 1970 UTC, mono since an arbitrary
 * start.
 * Thread: the real clock any; a virtual one belongs to one thread.
 */
#ifndef YK_BASE_CLOCK_H
#define YK_BASE_CLOCK_H

#include "base/str.h"

struct yk_clock {
    bool is_virtual;
    int64_t wall_ns; /* virtual only */
    int64_t mono_ns; /* virtual only */
};

extern struct yk_clock yk_clock_real;

/* Nanoseconds since 1970 UTC; may jump. Any thread. */
int64_t yk_clock_wall_ns(const struct yk_clock *clock);
/* Nanoseconds since some time before the start; never goes back. Any thread. */
int64_t yk_clock_mono_ns(const struct yk_clock *clock);
/* Starts a virtual clock at `wall_ns` (and mono 1 s). */
void yk_clock_virtual_init(struct yk_clock *clock, int64_t wall_ns);
/* Makes a real clock a virtual one that shows the present time; a virtual one stays as it is. For a copy of
 * the process whose time stands still. */
void yk_clock_freeze(struct yk_clock *clock);
/* Moves a virtual clock forward by `ns`, which is not negative. */
void yk_clock_advance(struct yk_clock *clock, int64_t ns);

enum { YK_TIME_TEXT_MAX = 40 };

/* Writes the time in UTC as RFC 3339 has it, with `digits` fraction digits (0, 3, 6 or 9), such as
 * 2026-01-02T03:04:05.000000Z. */
void yk_time_format(int64_t wall_ns, int digits, char text[YK_TIME_TEXT_MAX]);
/* Writes the time as in HTTP headers (RFC 9110, 5.6.7): "Sun, 06 Nov 1994 08:49:37 GMT". Independent of the
 * locale. */
void yk_time_format_http(int64_t wall_ns, char text[YK_TIME_TEXT_MAX]);
/* Reads a time of RFC 3339, with any offset and up to 9 fraction digits. Errors: YK_ERR_INVALID. */
YK_NODISCARD enum yk_status yk_time_parse(struct yk_str text, int64_t *ret_wall_ns);
/* Writes a duration as Go does: 30s, 1m0s, 1h0m0s, 1.5ms, 0s (docs/reference/rest.md, durations). */
void yk_duration_format(int64_t ns, char text[YK_TIME_TEXT_MAX]);
/* Reads a duration as Go does: an optional sign, then numbers with a unit (ns us µs ms s m h); or a bare 0. Errors:
 * YK_ERR_INVALID. */
YK_NODISCARD enum yk_status yk_duration_parse(struct yk_str text, int64_t *ret_ns);

#endif
