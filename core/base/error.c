/* SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"

#include "base/base.h"

#include <stdarg.h>
#include <stdio.h>

enum yk_status yk_fail(struct yk_err *err, enum yk_status status, const char *format, ...)
{
    if (err == NULL)
        return status;
    va_list args;
    va_start(args, format);
    (void)vsnprintf(err->text, sizeof(err->text), format, args); /* cut is fine */
    va_end(args);
    err->line = err->column = 0;
    return status;
}

/* Writes "line 3, column 5: " and returns its length. */
static size_t put_place(struct yk_err *err)
{
    int written = 0;
    if (err->line != 0 && err->column != 0)
        written = snprintf(err->text, sizeof(err->text), "line %u, column %u: ", err->line, err->column);
    else if (err->line != 0)
        written = snprintf(err->text, sizeof(err->text), "line %u: ", err->line);
    return (size_t)written;
}

enum yk_status yk_fail_at(struct yk_err *err, enum yk_status status, uint32_t line, uint32_t column,
                          const char *format, ...)
{
    if (err == NULL)
        return status;
    err->line = line;
    err->column = column;
    size_t at = put_place(err);
    va_list args;
    va_start(args, format);
    (void)vsnprintf(err->text + at, sizeof(err->text) - at, format, args); /* cut is fine */
    va_end(args);
    return status;
}

enum yk_status yk_fail_in(struct yk_err *err, enum yk_status status, const char *format, ...)
{
    if (err == NULL)
        return status;

    char inner[YK_ERR_TEXT_MAX];
    memcpy(inner, err->text, sizeof(inner));
    size_t place = put_place(err);
    va_list args;
    va_start(args, format);
    int prefix = vsnprintf(err->text + place, sizeof(err->text) - place, format, args);
    va_end(args);
    size_t at = place + (size_t)YK_MAX(prefix, 0);
    bool has_place = strncmp(inner, err->text, place) == 0;
    if (at < sizeof(err->text))
        (void)snprintf(err->text + at, sizeof(err->text) - at, ": %s", inner + (has_place ? place : 0));
    return status;
}

const char *yk_status_word(enum yk_status status)
{
    switch (status) {
    case YK_OK:
        return "ok";
    case YK_ERR_INVALID:
        return "invalid";
    case YK_ERR_LIMIT:
        return "above limit";
    case YK_ERR_EXISTS:
        return "exists already";
    case YK_ERR_NOT_FOUND:
        return "not found";
    case YK_ERR_DENIED:
        return "denied";
    case YK_ERR_STATE:
        return "wrong state";
    case YK_ERR_IO:
        return "input/output";
    case YK_ERR_UNAVAILABLE:
        return "unavailable";
    }
    return "unknown";
}
