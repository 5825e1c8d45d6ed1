/* SPDX-License-Identifier: Apache-2.0 */
/* GET /openapi.yaml: docs/reference/openapi.yaml, which is part of the binary. Runs on the I/O thread. */
#include "web/openapi.h"
#include "web/routes_priv.h"

extern const unsigned char yk__openapi[];
extern const size_t yk__openapi_len;

struct yk_str yk_openapi(void)
{
    return (struct yk_str){(const char *)yk__openapi, yk__openapi_len};
}

enum yk_step yk__get_openapi(struct yk_job *job, int64_t until_mono_ns)
{
    (void)until_mono_ns;
    job->answer.content_type = "application/yaml; charset=utf-8";
    yk_buf_str(&job->answer.body, yk_openapi());
    return YK_STEP_DONE;
}
