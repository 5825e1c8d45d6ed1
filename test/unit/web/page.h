/* SPDX-License-Identifier: Apache-2.0 */
/* What curl got. */
#ifndef YK_TEST_WEB_PAGE_H
#define YK_TEST_WEB_PAGE_H

#include "base/str.h"

struct page {
    long status; /* 0: no answer */
    struct yk_buf headers, body;
};

/* For CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION; `context` is a struct yk_buf. */
static inline size_t page_take(char *bytes, size_t size, size_t count, void *context)
{
    yk_buf_add(context, bytes, size * count);
    return size * count;
}

static inline void page_done(struct page *page)
{
    yk_buf_done(&page->headers);
    yk_buf_done(&page->body);
}

#endif
