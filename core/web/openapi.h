/* SPDX-License-Identifier: Apache-2.0 */
/* The description of the REST interface, docs/reference/openapi.yaml, which is part of the binary. Thread:
 * any. */
#ifndef YK_WEB_OPENAPI_H
#define YK_WEB_OPENAPI_H

#include "base/str.h"

/* The text of the description; static. */
struct yk_str yk_openapi(void);

#endif
