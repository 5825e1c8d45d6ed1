/* SPDX-License-Identifier: Apache-2.0 */
/* The last health check: docs/reference/rest.md, section 6. */
#include "web/show_priv.h"

void yk__show_health(struct yk_json *json, const struct yk_health *health)
{
    yk_json_object_begin(json);
    yk_json_add_bool(json, "Healthy", health->healthy);
    yk_json_key(json, "HealthChecks");
    yk_json_array_begin(json);
    for (size_t i = 0; i < YK_COUNT(health->checks); i++) {
        const struct yk_health_check *check = &health->checks[i];
        yk_json_object_begin(json);
        yk_json_add_text(json, "Name", check->name);
        yk_json_add_bool(json, "Succeeded", check->succeeded);
        yk_json_add_text(json, "Description", check->description);
        yk__put_text_if(json, "DiagnosisMessage", check->diagnosis);
        yk_json_object_end(json);
    }
    yk_json_array_end(json);
    yk_json_object_end(json);
}
