/* SPDX-License-Identifier: Apache-2.0 */
#include "web/tenant_priv.h"

void yk_tenant_free(struct yk_tenant *tenant)
{
    if (tenant == NULL)
        return;
    yk_buf_done(&tenant->path);
    yk_strmap_done(&tenant->shown);
    yk_strmap_done(&tenant->leading);
    for (size_t i = 0; i < tenant->count; i++)
        free(tenant->paths[i]);
    free(tenant->paths);
    free(tenant);
}

bool yk_tenant_shows(const struct yk_job *job, const char *queue_path)
{
    if (job->tenant == NULL || job->route->tenant != YK_TENANT_LIST)
        return true;
    return queue_path != NULL && yk_strmap_get(&job->tenant->shown, yk_str_from(queue_path)) != NULL;
}

bool yk_tenant_leads_to(const struct yk_job *job, const char *queue_path)
{
    if (job->tenant == NULL || job->route->tenant != YK_TENANT_LIST)
        return true;
    return yk_strmap_get(&job->tenant->leading, yk_str_from(queue_path)) != NULL;
}
