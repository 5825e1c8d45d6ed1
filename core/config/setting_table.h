/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The settings, one row each. To add one: a field in struct yk_settings (config/settings.h) and a row in
 * setting_table.c. Defaults, parsing, `yunikorn validate`, the release of memory and the table in
 * docs/reference/configuration.md follow from the row.
 *
 * The rows are constant.
 * Thread: any.
 */
#ifndef YK_CONFIG_SETTING_TABLE_H
#define YK_CONFIG_SETTING_TABLE_H

#include "base/str.h"

enum yk_setting_kind {
    YK_SETTING_TEXT,     /* char *, owned by the struct */
    YK_SETTING_BOOL,     /* bool */
    YK_SETTING_INT,      /* int64_t */
    YK_SETTING_DURATION, /* int64_t, nanoseconds */
};

/* What a value does that cannot be used. */
enum yk_setting_severity {
    YK_SETTING_STRICT,  /* refuses the whole map */
    YK_SETTING_LENIENT, /* is logged, and the default applies */
};

/* When a changed value applies. */
enum yk_setting_effect { YK_SETTING_AT_RESTART, YK_SETTING_AT_ONCE };

enum { YK_SETTING_CHOICES_MAX = 3 };

struct yk_setting {
    const char *key;
    enum yk_setting_kind kind;
    enum yk_setting_severity severity;
    enum yk_setting_effect effect;
    size_t offset;    /* of the field in struct yk_settings */
    const char *text; /* default of a text */
    int64_t number;   /* default of the other kinds */
    int64_t min, max; /* bounds of a number; and of a duration, in nanoseconds, if `max` is not 0 */
    bool zero_is_default;
    const char *choices[YK_SETTING_CHOICES_MAX]; /* the only values of a text; none: any */
    const char *unit;                            /* of a number, for the page; NULL: none */
    const char *help;                            /* for the page: sentences in Markdown */
};

/* Where two keys set one field, the later row wins. */
extern const struct yk_setting yk_setting_rows[];
extern const size_t yk_setting_row_count;

struct yk_settings; /* config/settings.h */

/* Appends the value of the row's field as a ConfigMap would say it: "true", "90", "30s". */
void yk_setting_put_value(const struct yk_setting *row, const struct yk_settings *settings,
                          struct yk_buf *out);

#endif
