/* SPDX-License-Identifier: Apache-2.0 */
#include "admission/apply_patch.h"

/* The next part of a pointer, unescaped; false: there is none. */
static bool next_part(const char **pointer, char part[512])
{
    size_t len = 0;
    const char *at = *pointer;
    if (*at != '/')
        return false;
    for (at++; *at != '\0' && *at != '/' && len < 511; at++) {
        if (*at == '~' && at[1] == '0')
            part[len++] = '~', at++;
        else if (*at == '~' && at[1] == '1')
            part[len++] = '/', at++;
        else
            part[len++] = *at;
    }
    part[len] = '\0';
    *pointer = at;
    return true;
}

static const char *add(json_t *object, const char *pointer, json_t *value)
{
    char part[512];
    if (!next_part(&pointer, part))
        return "a pointer that names no member";
    while (*pointer != '\0') {
        object = json_object_get(object, part);
        if (!json_is_object(object))
            return "a parent that is no object";
        if (!next_part(&pointer, part))
            return "a pointer that is none";
    }
    return json_object_set(object, part, value) == 0 ? NULL : "a key that cannot be set";
}

const char *apply_patch(json_t **object, struct yk_str text)
{
    json_t *patch = json_loadb(text.p, text.len, 0, NULL);
    const char *wrong = json_is_array(patch) && json_array_size(patch) > 0 ? NULL : "no list of operations";
    for (size_t i = 0; wrong == NULL && i < json_array_size(patch); i++) {
        json_t *operation = json_array_get(patch, i), *value = json_object_get(operation, "value");
        const char *op = json_string_value(json_object_get(operation, "op"));
        const char *path = json_string_value(json_object_get(operation, "path"));
        if (op == NULL || strcmp(op, "add") != 0 || path == NULL || value == NULL)
            wrong = "an operation that is not add";
        else
            wrong = add(*object, path, value);
    }
    json_decref(patch);
    return wrong;
}
