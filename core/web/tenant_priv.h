/* SPDX-License-Identifier: Apache-2.0 */
/* The queues that the caller of a job may see: tenant_admit.c finds them out, tenant.c answers questions
 * about them.
 * Thread: scheduling thread. */
#ifndef YK_WEB_TENANT_PRIV_H
#define YK_WEB_TENANT_PRIV_H

#include "web/tenant.h"

struct yk_tenant {
    /* For a request about one queue: the path to ask about next. After each denial, its last name is
     * removed. */
    struct yk_buf path;
    /* For a list. */
    char **paths;             /* owned, like the texts: paths of all queues, parents first */
    size_t count, at;         /* number of `paths`; index of the one to ask about next */
    struct yk_strmap shown;   /* those of `paths` that the caller may see */
    struct yk_strmap leading; /* `shown`, and the paths of the queues above them */
};

#endif
