/* SPDX-License-Identifier: Apache-2.0 */
#include "admission/json_patch.h"

#include <jansson.h>

void yk_json_patch_init(struct yk_json_patch *patch)
{
    patch->operations = (struct yk_buf){0};
    yk_json_init(&patch->writer, &patch->operations);
}

void yk_json_patch_done(struct yk_json_patch *patch)
{
    yk_buf_done(&patch->operations);
}

/* Leaves the operation open: its value comes next. */
static void begin(struct yk_json_patch *patch, struct yk_str path)
{
    struct yk_json *json = &patch->writer;
    if (patch->operations.len == 0)
        yk_json_array_begin(json);
    yk_json_object_begin(json);
    yk_json_add_text(json, "op", "add"); /* replaces a member that exists */
    yk_json_key(json, "path");
    yk_json_str(json, path);
    yk_json_key(json, "value");
}

void yk_json_patch_set(struct yk_json_patch *patch, const char *path, struct yk_str value)
{
    begin(patch, yk_str_from(path));
    yk_json_str(&patch->writer, value);
    yk_json_object_end(&patch->writer);
}

void yk_json_patch_need_map(struct yk_json_patch *patch, const char *path, const struct json_t *map)
{
    if (json_is_object(map))
        return;
    begin(patch, yk_str_from(path));
    yk_json_object_begin(&patch->writer);
    yk_json_object_end(&patch->writer);
    yk_json_object_end(&patch->writer);
}

/* RFC 6901. */
static void escape(struct yk_buf *path, const char *key)
{
    for (; *key != '\0'; key++) {
        if (*key == '~')
            yk_buf_text(path, "~0");
        else if (*key == '/')
            yk_buf_text(path, "~1");
        else
            yk_buf_char(path, *key);
    }
}

void yk_json_patch_set_key(struct yk_json_patch *patch, const char *path, const char *key,
                           struct yk_str value)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf full = {0};
    yk_buf_text(&full, path);
    yk_buf_char(&full, '/');
    escape(&full, key);
    begin(patch, yk_buf_view(&full));
    yk_json_str(&patch->writer, value);
    yk_json_object_end(&patch->writer);
}

void yk_json_patch_finish(struct yk_json_patch *patch)
{
    if (patch->operations.len > 0)
        yk_json_array_end(&patch->writer);
}
