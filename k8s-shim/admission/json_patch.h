/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON patches (RFC 6902) of operations "add". Each operation sets one member of an object, and leaves the
 * other members as they are.
 *
 * Thread: any.
 * Source: docs/reference/admission.md, "Reviews" (R5).
 */
#ifndef YK_ADMISSION_JSON_PATCH_H
#define YK_ADMISSION_JSON_PATCH_H

#include "base/str.h"

enum { YK_PATCH_MAX = 4 << 20 }; /* bytes of the operations; as base64 they fit into YK_REVIEW_ANSWER_MAX */

/* A zeroed patch has no operations, and at most YK_PATCH_MAX bytes of them can be added. An operation beyond
 * `text.max` sets `text.failed`; the first operation sets a `text.max` of 0 to YK_PATCH_MAX. */
struct yk_patch {
    struct yk_buf text; /* the operations, without the brackets around them */
};

/* Frees the text. */
void yk_patch_done(struct yk_patch *patch);
/* Whether the patch has no operation. Does not look at `text.failed`, which the caller checks before. */
bool yk_patch_empty(const struct yk_patch *patch);
/* Appends an operation that sets an empty object at `path`, an escaped JSON pointer (RFC 6901). */
void yk_patch_add_empty_object(struct yk_patch *patch, const char *path);
/* Appends an operation that sets the text `value` at `path`, an escaped JSON pointer. Both texts are
 * copied. */
void yk_patch_add_text(struct yk_patch *patch, const char *path, struct yk_str value);
/* Appends an operation that sets the member `key` of the object at `path` to `value`. `path` is an escaped
 * JSON pointer; `key` is not escaped. All texts are copied. */
void yk_patch_add_member(struct yk_patch *patch, const char *path, const char *key, struct yk_str value);
/* Drops all operations, and clears `text.failed`. */
void yk_patch_clear(struct yk_patch *patch);
/* Appends the patch, with the brackets around its operations, as base64 to `out`. False, and nothing is
 * appended: an operation did not fit (`text.failed`); or the base64 text and one more byte do not fit into
 * `out->max`, and `out->failed` is set. */
YK_NODISCARD bool yk_patch_base64(const struct yk_patch *patch, struct yk_buf *out);

#endif
