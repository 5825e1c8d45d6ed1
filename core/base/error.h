/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Errors: a status that a program reads and a sentence that a person reads.
 *
 * The sentence names the object and the offending value and is written where the error is found; each layer
 * that knows more puts a prefix in front with yk_fail_in(). A full sentence is cut, never overrun, and
 * control characters of what it names are escaped: it is one line. `err` may be NULL in each function of this
 * program that can fail: then the sentence is not wanted.
 * Thread: any; a struct yk_err belongs to its caller's stack.
 */
#ifndef YK_BASE_ERROR_H
#define YK_BASE_ERROR_H

#include <stddef.h>
#include <stdint.h>

enum yk_status {
    YK_OK = 0,
    YK_ERR_INVALID,     /* malformed or not allowed input */
    YK_ERR_LIMIT,       /* a size or depth from outside is above a named maximum */
    YK_ERR_EXISTS,      /* there already is one of that name */
    YK_ERR_NOT_FOUND,   /* there is none of that name */
    YK_ERR_DENIED,      /* no permission */
    YK_ERR_STATE,       /* the object's state does not allow this now */
    YK_ERR_IO,          /* file, network or operating system */
    YK_ERR_UNAVAILABLE, /* the other side cannot answer now; a later try may succeed */
};

enum { YK_ERR_TEXT_MAX = 1024 };

/* Written by: base, by yk_fail() and the like; callers may empty it. */
struct yk_err {
    char text[YK_ERR_TEXT_MAX]; /* always terminated; empty when there was no error */
    uint32_t line, column;      /* in the text that is wrong, from 1; 0: not known */
};

/* Writes the sentence and returns `status`. */
enum yk_status yk_fail(struct yk_err *err, enum yk_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Like yk_fail() about a place in a text: "line 3, column 5: <formatted>", or without the column if that
 * is 0, or plain if the line is. */
enum yk_status yk_fail_at(struct yk_err *err, enum yk_status status, uint32_t line, uint32_t column,
                          const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Puts "<formatted>: " in front of the sentence that is there, behind its place, and returns `status`. */
enum yk_status yk_fail_in(struct yk_err *err, enum yk_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Gives the sentence that is there its place, `line` and `column` from 1, if it has none. No effect if `line` is 0.
 * Returns `status`. */
enum yk_status yk_fail_is_at(struct yk_err *err, enum yk_status status, uint32_t line, uint32_t column);

/* The sentence without its place. Borrowed from `err`, which is not NULL. */
const char *yk_err_sentence(const struct yk_err *err);

/* The status as a word for logs: "invalid", "not found", ...; static. */
const char *yk_status_word(enum yk_status status);

#endif
