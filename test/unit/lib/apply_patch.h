/* SPDX-License-Identifier: Apache-2.0 */
/* Applies JSON patches (RFC 6902) of operations "add", the only ones that the admission controller makes. */
#ifndef TEST_LIB_APPLY_PATCH_H
#define TEST_LIB_APPLY_PATCH_H

#include <jansson.h>
#include <stdbool.h>

/* Applies `patch` to `object`. False: an operation cannot be applied; earlier ones have been. */
bool apply_patch(json_t *object, const json_t *patch);
/* Decodes a patch in base64. The caller frees it with json_decref(). NULL: it is malformed. */
json_t *read_patch(const char *base64);

#endif
