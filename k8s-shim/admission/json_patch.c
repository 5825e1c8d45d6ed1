/* SPDX-License-Identifier: Apache-2.0 */
#include "admission/json_patch.h"

#include "base/json_writer.h"

#include <openssl/evp.h>

void yk_patch_done(struct yk_patch *patch)
{
    yk_buf_done(&patch->text);
}

bool yk_patch_empty(const struct yk_patch *patch)
{
    return patch->text.len == 0;
}

void yk_patch_clear(struct yk_patch *patch)
{
    yk_buf_clear(&patch->text);
}

static void begin(struct yk_patch *patch, const char *path)
{
    if (patch->text.max == 0)
        patch->text.max = YK_PATCH_MAX;
    yk_buf_text(&patch->text,
                yk_patch_empty(patch) ? "{\"op\":\"add\",\"path\":" : ",{\"op\":\"add\",\"path\":");
    yk_json_put_string(&patch->text, yk_str_from(path));
    yk_buf_text(&patch->text, ",\"value\":");
}

void yk_patch_add_empty_object(struct yk_patch *patch, const char *path)
{
    begin(patch, path);
    yk_buf_text(&patch->text, "{}}");
}

void yk_patch_add_text(struct yk_patch *patch, const char *path, struct yk_str value)
{
    begin(patch, path);
    yk_json_put_string(&patch->text, value);
    yk_buf_char(&patch->text, '}');
}

/* Appends a part of a JSON pointer (RFC 6901): "~" becomes "~0", "/" becomes "~1". */
static void put_escaped(struct yk_buf *pointer, const char *key)
{
    for (; *key != '\0'; key++) {
        if (*key == '~')
            yk_buf_text(pointer, "~0");
        else if (*key == '/')
            yk_buf_text(pointer, "~1");
        else
            yk_buf_char(pointer, *key);
    }
}

void yk_patch_add_member(struct yk_patch *patch, const char *path, const char *key, struct yk_str value)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf pointer = {0};
    yk_buf_text(&pointer, path);
    yk_buf_char(&pointer, '/');
    put_escaped(&pointer, key);
    yk_patch_add_text(patch, yk_buf_cstr(&pointer), value);
}

bool yk_patch_base64(const struct yk_patch *patch, struct yk_buf *out)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf whole = {.max = YK_PATCH_MAX + 2};
    if (patch->text.failed)
        return false;
    yk_buf_char(&whole, '[');
    yk_buf_str(&whole, yk_buf_view(&patch->text));
    yk_buf_char(&whole, ']');
    char *at = yk_buf_reserve(out, (whole.len + 2) / 3 * 4 + 1); /* EVP_EncodeBlock() appends a NUL */
    if (at == NULL)
        return false;
    int written = EVP_EncodeBlock((unsigned char *)at, (const unsigned char *)whole.p, (int)whole.len);
    out->len += (size_t)written;
    return true;
}
