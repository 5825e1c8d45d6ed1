/* SPDX-License-Identifier: Apache-2.0 */
/* Builds paths and queries of requests to the API server. Names and values are percent-encoded. Finds out
 * whether a URL is one of this machine, and whether a token may be sent to it.
 * Thread: any. */
#ifndef YK_CLIENT_URL_H
#define YK_CLIENT_URL_H

#include "base/str.h"

/* Appends "/<text>"; `text` is percent-encoded, so it stays one segment of the path. */
void yk_url_segment(struct yk_buf *url, const char *text);
/* Appends "?key=value", or "&key=value" if `url` already has a query. `value` is percent-encoded; `key` is
 * not encoded. */
void yk_url_query(struct yk_buf *url, const char *key, const char *value);
/* Whether the host of the URL is "localhost" or an address of the loopback interface, so that what is sent does
 * not leave this machine. Another name that begins so, and a URL with a user, do not count. */
bool yk_url_is_loopback(const char *url);
/* Whether a token may be sent to the URL: it is encrypted ("https://", in lower case), or what is sent does not
 * leave this machine. */
bool yk_url_may_have_token(const char *url);

#endif
