/* SPDX-License-Identifier: Apache-2.0 */
/* A small interpreter of JSON patches (RFC 6902), by the text of the RFC: what an API server would make of an
 * answer. */
#ifndef YK_TEST_ADMISSION_APPLY_PATCH_H
#define YK_TEST_ADMISSION_APPLY_PATCH_H

#include "base/str.h"

#include <jansson.h>

/* Changes `*object`. Only `add` to objects is known. NULL: it applied; else what is wrong with it. */
const char *apply_patch(json_t **object, struct yk_str patch);

#endif
