/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clock: no other code asks the operating system for the wall time or the mono time.
 *
 * A virtual clock moves only when yk_clock_advance() is called or its holder sets its times. Tests,
 * simulations, what-if questions and recordings use virtual clocks; other code uses the real clock. Instants
 * and durations are int64_t nanoseconds: wall time since 1970 UTC, mono time since an arbitrary start.
 * Thread: any for the real clock; a virtual one belongs to one thread.
 */
#ifndef YK_BASE_CLOCK_H
#define YK_BASE_CLOCK_H

#include "base/str.h"

/* Written by: base; a virtual clock also by its holder. */
struct yk_clock {
    bool is_virtual;
    int64_t wall_ns; /* virtual only */
    int64_t mono_ns; /* virtual only */
};

extern struct yk_clock yk_clock_real;

/* The wall time: nanoseconds since 1970 UTC. The wall time of the real clock may jump. */
int64_t yk_clock_wall_ns(const struct yk_clock *clock);
/* The mono time: nanoseconds since an arbitrary start. It does not go back. */
int64_t yk_clock_mono_ns(const struct yk_clock *clock);
/* Makes a virtual clock that shows the wall time `wall_ns` and the mono time 1 s. */
void yk_clock_virtual_init(struct yk_clock *clock, int64_t wall_ns);
/* Makes a real clock a virtual one that shows the present time; a virtual clock stays as it is. For a copy of
 * the process (fork()) in which no time passes. */
void yk_clock_freeze(struct yk_clock *clock);
/* Moves a virtual clock forward by `ns` nanoseconds, which is not negative. Fires no timers: the caller calls
 * yk_timers_run(). */
void yk_clock_advance(struct yk_clock *clock, int64_t ns);

enum { YK_TIME_TEXT_MAX = 40 };

/* Writes a wall time to `text`, terminated, in UTC and in the format of RFC 3339 with `digits` fraction
 * digits (0 to 9), such as 2026-01-02T03:04:05.000000Z with 6. */
void yk_time_format(int64_t wall_ns, int digits, char text[YK_TIME_TEXT_MAX]);
/* Writes a wall time to `text`, terminated, in the format of HTTP headers (RFC 9110, 5.6.7): "Sun, 06 Nov
 * 1994 08:49:37 GMT". Independent of the locale. */
void yk_time_format_http(int64_t wall_ns, char text[YK_TIME_TEXT_MAX]);
/* Reads a time in the format of RFC 3339 with any offset up to 23:59. Fraction digits after the ninth are
 * ignored, and the second 60 is the first one of the next minute. Errors: YK_ERR_INVALID, also for days that
 * the month does not have, and for years before 1678 or after 2261. */
YK_NODISCARD enum yk_status yk_time_parse(struct yk_str text, int64_t *ret_wall_ns);
/* Writes a duration of `ns` nanoseconds (may be negative) to `text`, terminated, as Go does: 30s, 1m0s,
 * 1h0m0s, 1.5ms, 0s (docs/reference/rest.md, durations). */
void yk_duration_format(int64_t ns, char text[YK_TIME_TEXT_MAX]);
/* Reads a duration in the form of Go: an optional sign, then one or more numbers, each with a unit (ns us
 * µs ms s m h); or a 0 without a unit. Errors: YK_ERR_INVALID, also if the nanoseconds do not fit in an
 * int64_t. */
YK_NODISCARD enum yk_status yk_duration_parse(struct yk_str text, int64_t *ret_ns);

#endif
