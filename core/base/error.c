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
    return status;
}

enum yk_status yk_fail_in(struct yk_err *err, enum yk_status status, const char *format, ...)
{
    if (err == NULL)
        return status;

    char inner[YK_ERR_TEXT_MAX];
    memcpy(inner, err->text, sizeof(inner));
    va_list args;
    va_start(args, format);
    int prefix = vsnprintf(err->text, sizeof(err->text), format, args);
    va_end(args);
    if (prefix >= 0 && (size_t)prefix < sizeof(err->text))
        (void)snprintf(err->text + prefix, sizeof(err->text) - (size_t)prefix, ": %s", inner);
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
