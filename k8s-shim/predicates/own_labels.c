/* SPDX-License-Identifier: Apache-2.0 */
#include "predicates/own_labels.h"

enum { HEAD = sizeof(uint32_t) + 1 }; /* bytes of the id and the length */

bool yk_own_labels_next(const struct yk_own_labels *labels, size_t *at, struct yk_own_label *ret)
{
    if (labels == NULL || *at >= labels->len)
        return false;
    const char *bytes = labels->bytes + *at;
    memcpy(&ret->key.id, bytes, sizeof(ret->key.id));
    ret->value = (struct yk_str){bytes + HEAD, (uint8_t)bytes[HEAD - 1]};
    *at += HEAD + ret->value.len + 1;
    return true;
}

/* A value with a NUL would look like a shorter one. The API server refuses such values. */
static bool fits(const struct yk_buf *packed, struct yk_str value)
{
    return value.len <= UINT8_MAX && packed->len + HEAD + value.len + 1 <= UINT16_MAX &&
           (value.len == 0 || memchr(value.p, '\0', value.len) == NULL);
}

bool yk_own_labels_pack(struct yk_buf *packed, yk_name key, struct yk_str value)
{
    if (!fits(packed, value))
        return false;
    yk_buf_add(packed, &key.id, sizeof(key.id));
    yk_buf_char(packed, (char)value.len);
    yk_buf_str(packed, value);
    yk_buf_char(packed, '\0');
    return true;
}

struct yk_own_labels *yk_own_labels_new(const struct yk_buf *packed)
{
    if (packed->len == 0)
        return NULL;
    struct yk_own_labels *labels = yk_alloc0(offsetof(struct yk_own_labels, bytes) + packed->len);
    labels->len = (uint16_t)packed->len;
    memcpy(labels->bytes, packed->p, packed->len);
    return labels;
}

bool yk_own_labels_are(const struct yk_own_labels *labels, const struct yk_buf *packed)
{
    if (labels == NULL)
        return packed->len == 0;
    return labels->len == packed->len && memcmp(labels->bytes, packed->p, packed->len) == 0;
}
