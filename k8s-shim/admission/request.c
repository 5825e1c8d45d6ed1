/* SPDX-License-Identifier: Apache-2.0 */
#include "admission/request.h"

#include <jansson.h>

void yk_admission_deny(struct yk_admission_decision *decision, const char *format, ...)
{
    va_list args;
    decision->denied = true;
    yk_buf_clear(&decision->reason);
    va_start(args, format);
    yk_buf_vprintf(&decision->reason, format, args);
    va_end(args);
}

void yk_admission_warn(struct yk_admission_decision *decision, struct yk_str text)
{
    if (decision->warning_count < YK_ADMISSION_WARNINGS_MAX)
        yk_buf_str(&decision->warnings[decision->warning_count++], text);
}

const json_t *yk_json_at(const json_t *json, ...)
{
    va_list keys;
    const char *key;
    va_start(keys, json);
    while ((key = va_arg(keys, const char *)) != NULL)
        json = json_object_get(json, key);
    va_end(keys);
    return json;
}

struct yk_str yk_json_str_of(const json_t *json)
{
    return json_is_string(json) ? (struct yk_str){json_string_value(json), json_string_length(json)}
                                : (struct yk_str){0};
}

struct yk_str yk_json_entry(const json_t *map, const char *key)
{
    return yk_json_str_of(json_object_get(map, key));
}
