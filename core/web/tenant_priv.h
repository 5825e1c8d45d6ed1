/* SPDX-License-Identifier: Apache-2.0 */
/* The queues that the caller of a job may see: tenant_admit.c asks for them, tenant.c is asked about them. */
#ifndef YK_WEB_TENANT_PRIV_H
#define YK_WEB_TENANT_PRIV_H

#include "web/tenant.h"

struct yk_tenant {
    /* Of a request about one queue: what is asked about next; its last name is cut off after each denial. */
    struct yk_buf path;
    /* Of a list. */
    char **paths; /* owned; of all queues, parents first */
    size_t count, at;
    struct yk_strmap shown;   /* paths of `paths` */
    struct yk_strmap leading; /* those and the ones above them */
};

#endif
