/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/apply_patch.h"

#include "base/str.h"

/* The next part of a JSON pointer, unescaped, which the caller frees; NULL at its end. */
static char *next_part(const char **at)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf part = {0};
    if (**at != '/')
        return NULL;
    for ((*at)++; **at != '\0' && **at != '/'; (*at)++) {
        if (**at != '~') {
            yk_buf_char(&part, **at);
            continue;
        }
        (*at)++;
        if (**at != '0' && **at != '1')
            return NULL;
        yk_buf_char(&part, **at == '0' ? '~' : '/');
    }
    return yk_strdup(yk_buf_cstr(&part));
}

static bool add(json_t *object, const char *path, json_t *value)
{
    YK_CLEANUP(yk_freep) char *part = next_part(&path);
    if (part == NULL || !json_is_object(object))
        return false;
    if (*path == '\0')
        return json_object_set(object, part, value) == 0;
    return add(json_object_get(object, part), path, value);
}

bool apply_patch(json_t *object, const json_t *patch)
{
    if (!json_is_array(patch))
        return false;
    for (size_t i = 0; i < json_array_size(patch); i++) {
        const json_t *operation = json_array_get(patch, i);
        const char *name = json_string_value(json_object_get(operation, "op"));
        const char *path = json_string_value(json_object_get(operation, "path"));
        json_t *value = json_object_get(operation, "value");
        if (name == NULL || strcmp(name, "add") != 0 || path == NULL || value == NULL ||
            !add(object, path, value))
            return false;
    }
    return true;
}

json_t *read_patch(const char *base64)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    if (yk_base64_decode(yk_str_from(base64), &text, NULL) != YK_OK)
        return NULL;
    return json_loadb(yk_buf_cstr(&text), text.len, JSON_ALLOW_NUL, NULL);
}
