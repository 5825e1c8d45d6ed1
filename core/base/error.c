/* SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"

#include "base/base.h"
#include "base/str.h"

#include <stdarg.h>
#include <stdio.h>

/* Whether `text` has a control character, or a byte that may begin one in UTF-8. The answer may be true
 * although there is no control character: only yk_buf_line() looks at the bytes that follow. */
static bool may_break_line(const char *text)
{
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0'; at++) {
        if (*at < ' ' || *at == 0x7f || *at == 0xc2 || *at == 0xe2)
            return true;
    }
    return false;
}

/*
 * Escapes control characters, which names and values from outside may hold, so that the sentence is one line.
 * Escapes that are in the text already stay as they are.
 */
static void keep_on_one_line(struct yk_err *err)
{
    if (!may_break_line(err->text)) /* the usual case, which allocates nothing */
        return;
    YK_CLEANUP(yk_buf_done) struct yk_buf line = {0};
    yk_buf_line(&line, yk_str_from(err->text));
    (void)snprintf(err->text, sizeof(err->text), "%s", yk_buf_cstr(&line)); /* a longer text is cut */
}

enum yk_status yk_fail(struct yk_err *err, enum yk_status status, const char *format, ...)
{
    if (err == NULL)
        return status;
    va_list args;
    va_start(args, format);
    (void)vsnprintf(err->text, sizeof(err->text), format, args); /* a longer text is cut */
    va_end(args);
    err->line = err->column = 0;
    keep_on_one_line(err);
    return status;
}

enum { PLACE_MAX = 48 };

/* Writes "line 3, column 5: " and returns its length. */
static size_t put_place(const struct yk_err *err, char place[PLACE_MAX])
{
    int written = 0;
    place[0] = '\0';
    if (err->line != 0 && err->column != 0)
        written = snprintf(place, PLACE_MAX, "line %u, column %u: ", err->line, err->column);
    else if (err->line != 0)
        written = snprintf(place, PLACE_MAX, "line %u: ", err->line);
    return (size_t)written;
}

const char *yk_err_sentence(const struct yk_err *err)
{
    char place[PLACE_MAX];
    size_t len = put_place(err, place);
    return strncmp(err->text, place, len) == 0 ? err->text + len : err->text;
}

enum yk_status yk_fail_at(struct yk_err *err, enum yk_status status, uint32_t line, uint32_t column,
                          const char *format, ...)
{
    if (err == NULL)
        return status;
    err->line = line;
    err->column = column;
    size_t at = put_place(err, err->text);
    va_list args;
    va_start(args, format);
    (void)vsnprintf(err->text + at, sizeof(err->text) - at, format, args); /* a longer text is cut */
    va_end(args);
    keep_on_one_line(err);
    return status;
}

enum yk_status yk_fail_is_at(struct yk_err *err, enum yk_status status, uint32_t line, uint32_t column)
{
    char sentence[YK_ERR_TEXT_MAX];
    if (err == NULL || err->line != 0 || line == 0)
        return status;
    memcpy(sentence, err->text, sizeof(sentence));
    return yk_fail_at(err, status, line, column, "%s", sentence);
}

enum yk_status yk_fail_in(struct yk_err *err, enum yk_status status, const char *format, ...)
{
    if (err == NULL)
        return status;

    char inner[YK_ERR_TEXT_MAX];
    (void)snprintf(inner, sizeof(inner), "%s", yk_err_sentence(err));
    size_t place = put_place(err, err->text);
    va_list args;
    va_start(args, format);
    int prefix = vsnprintf(err->text + place, sizeof(err->text) - place, format, args);
    va_end(args);
    size_t at = place + (size_t)YK_MAX(prefix, 0);
    if (at < sizeof(err->text))
        (void)snprintf(err->text + at, sizeof(err->text) - at, ": %s", inner);
    keep_on_one_line(err);
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
