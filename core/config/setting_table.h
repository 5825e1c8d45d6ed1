/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The settings, one row each. A new setting needs a field in struct yk_settings (config/settings.h) and a row
 * in setting_table.c. Defaults, parsing, `yunikorn validate`, the release of memory and the table in
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

/* What happens if a value is not valid. */
enum yk_setting_severity {
    YK_SETTING_STRICT,  /* the whole map is refused */
    YK_SETTING_LENIENT, /* the value is logged, and the default applies */
};

/* When a changed value applies. */
enum yk_setting_effect { YK_SETTING_AT_RESTART, YK_SETTING_AT_ONCE };

enum { YK_SETTING_CHOICES_MAX = 3 };

struct yk_setting {
    const char *key;
    enum yk_setting_kind kind;
    enum yk_setting_severity severity;
    enum yk_setting_effect effect;
    size_t offset;        /* of the field in struct yk_settings */
    const char *text;     /* default of a text */
    int64_t number;       /* default of the other kinds; of a bool 0 or 1, of a duration in nanoseconds */
    int64_t min, max;     /* bounds of a number; also of a duration, in nanoseconds, if `max` is not 0 */
    bool zero_is_default; /* the number 0 means the default */
    const char *choices[YK_SETTING_CHOICES_MAX]; /* the allowed values of a text; none: all */
    const char *unit;                            /* of a number, for configuration.md; NULL: none */
    const char *help;                            /* for configuration.md: sentences in Markdown */
};

/* If two keys set the same field, the later row has precedence. */
extern const struct yk_setting yk_setting_rows[];
extern const size_t yk_setting_row_count;

struct yk_settings; /* config/settings.h */

/* Appends the value that `settings`, made by yk_settings_parse(), has for the row, in the form of a
 * ConfigMap: "true", "90", "30s". */
void yk_setting_put_value(const struct yk_setting *row, const struct yk_settings *settings,
                          struct yk_buf *out);

#endif
