/* SPDX-License-Identifier: Apache-2.0 */
/* A small interpreter of JSON patches (RFC 6902): `add` to objects, which is all that the reviewer makes. */
#ifndef TEST_LIB_APPLY_PATCH_H
#define TEST_LIB_APPLY_PATCH_H

#include <jansson.h>
#include <stdbool.h>

/* Changes `object`. False: an operation does not apply. */
bool apply_patch(json_t *object, const json_t *patch);
/* The patch of base64, or NULL. json_decref() it. */
json_t *read_patch(const char *base64);

#endif
