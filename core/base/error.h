/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Errors: a status that a program reads and a sentence that a person reads.
 *
 * The sentence names the object and the offending value. The function that finds the error writes it, and
 * each caller that knows more puts a prefix in front with yk_fail_in(). A sentence that is too long is cut.
 * It is one line: control characters in it are escaped. The argument `err` of a function that can fail may
 * be NULL if the caller does not want the sentence; this holds for all functions of the program.
 * Thread: any; one thread at a time uses a struct yk_err.
 */
#ifndef YK_BASE_ERROR_H
#define YK_BASE_ERROR_H

#include <stddef.h>
#include <stdint.h>

enum yk_status {
    YK_OK = 0,
    YK_ERR_INVALID,     /* malformed or not allowed input */
    YK_ERR_LIMIT,       /* a size, number or depth is above its maximum */
    YK_ERR_EXISTS,      /* there is already an object of that name, or what can run only once runs */
    YK_ERR_NOT_FOUND,   /* there is no object of that name */
    YK_ERR_DENIED,      /* no permission */
    YK_ERR_STATE,       /* the object's state does not allow this now */
    YK_ERR_IO,          /* file, network or operating system */
    YK_ERR_UNAVAILABLE, /* it cannot be done now; a later try may succeed */
};

enum { YK_ERR_TEXT_MAX = 1024 };

/* Written by: base, by yk_fail() and the like; callers may empty it. */
struct yk_err {
    char text[YK_ERR_TEXT_MAX]; /* place and sentence, terminated; empty while there was no error */
    uint32_t line, column;      /* the place of the error in the input, from 1; 0: not known */
};

/* Writes the formatted sentence to `err`, without a place, and returns `status`. The arguments must not point
 * into `err`, because its text is overwritten; the same holds for the functions below. To add to a sentence,
 * use yk_fail_in(). */
enum yk_status yk_fail(struct yk_err *err, enum yk_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Like yk_fail(), with a place in a text in front: "line 3, column 5: <formatted>". `line` and `column`
 * count from 1. `column` 0: only the line is known; `line` 0: no place is written. */
enum yk_status yk_fail_at(struct yk_err *err, enum yk_status status, uint32_t line, uint32_t column,
                          const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Puts "<formatted>: " in front of the sentence of `err`, after its place if it has one: "line 3:
 * <formatted>: <sentence>". `err` holds an error or is zeroed. Returns `status`. */
enum yk_status yk_fail_in(struct yk_err *err, enum yk_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds the place `line` and `column`, as in yk_fail_at(), to the sentence of `err`, which holds an error.
 * No effect if the sentence has a place already or if `line` is 0. Returns `status`. */
enum yk_status yk_fail_is_at(struct yk_err *err, enum yk_status status, uint32_t line, uint32_t column);

/* The sentence without its place, borrowed from `err`, which is not NULL; "" if `err` holds no error. */
const char *yk_err_sentence(const struct yk_err *err);

/* The status in words for logs: "invalid", "not found", ...; the text is static. */
const char *yk_status_word(enum yk_status status);

#endif
