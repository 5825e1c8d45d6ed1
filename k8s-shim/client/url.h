/* SPDX-License-Identifier: Apache-2.0 */
/* Paths and queries of the API, with everything from outside percent-encoded. Thread: any. */
#ifndef YK_CLIENT_URL_H
#define YK_CLIENT_URL_H

#include "base/str.h"

/* Appends "/<text>", escaped. */
void yk_url_segment(struct yk_buf *url, const char *text);
/* Appends "?key=value", or "&key=value" if the URL has a query already; the value is escaped. */
void yk_url_query(struct yk_buf *url, const char *key, const char *value);

#endif
