/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON patches (RFC 6902) of operations "add". Each sets one key, so that the other keys of a map, which
 * another webhook may set at the same time, stay as they are.
 *
 * Thread: any, one at a time.
 * Source: docs/reference/admission.md, "Patches" (R5).
 */
#ifndef YK_ADMISSION_JSON_PATCH_H
#define YK_ADMISSION_JSON_PATCH_H

#include "base/str.h"

enum { YK_PATCH_MAX = 4 << 20 }; /* bytes of the operations; as base64 they fit into YK_REVIEW_ANSWER_MAX */

/* All zero: empty. An operation beyond YK_PATCH_MAX sets `text.failed`. */
struct yk_patch {
    struct yk_buf text; /* the operations, without the brackets around them */
};

/* Frees the text. */
void yk_patch_done(struct yk_patch *patch);
/* Whether the patch has no operation. Does not look at `text.failed`, which the caller checks before. */
bool yk_patch_empty(const struct yk_patch *patch);
/* Appends an operation that sets an empty object at `path`, a JSON pointer (RFC 6901), already escaped. */
void yk_patch_add_empty_object(struct yk_patch *patch, const char *path);
/* Appends an operation that sets the text `value` at `path`, a JSON pointer, already escaped. Both are
 * copied. */
void yk_patch_add_text(struct yk_patch *patch, const char *path, struct yk_str value);
/* Appends an operation that sets the member `key` of the object at `path` to `value`. `path`: a JSON pointer,
 * already escaped; `key` is not. All are copied. */
void yk_patch_add_member(struct yk_patch *patch, const char *path, const char *key, struct yk_str value);
/* Drops all operations, and clears `text.failed`. */
void yk_patch_clear(struct yk_patch *patch);
/* Appends the patch, with the brackets around its operations, as base64 to `out`. False: the patch is larger
 * than YK_PATCH_MAX, or does not fit into `out->max`, and nothing is appended. */
YK_NODISCARD bool yk_patch_base64(const struct yk_patch *patch, struct yk_buf *out);

#endif
