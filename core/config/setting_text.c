/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"
#include "config/setting_table.h"
#include "config/settings.h"

#include <inttypes.h>

void yk_setting_put_value(const struct yk_setting *row, const struct yk_settings *settings,
                          struct yk_buf *out)
{
    const void *field = (const char *)settings + row->offset;
    char text[YK_TIME_TEXT_MAX];
    switch (row->kind) {
    case YK_SETTING_TEXT:
        yk_buf_text(out, *(char *const *)field);
        return;
    case YK_SETTING_BOOL:
        yk_buf_text(out, *(const bool *)field ? "true" : "false");
        return;
    case YK_SETTING_INT:
        yk_buf_printf(out, "%" PRId64, *(const int64_t *)field);
        return;
    case YK_SETTING_DURATION:
        yk_duration_format(*(const int64_t *)field, text);
        yk_buf_text(out, text);
        return;
    }
}
