/* SPDX-License-Identifier: Apache-2.0 */
/* Scenarios of `yunikorn simulate` and steps alone: any bytes are read or refused with a sentence. */
#include "simulate/scenario.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct yk_scenario *scenario = NULL;
    struct yk_err err = {0};
    enum yk_status status = yk_scenario_parse((struct yk_str){(const char *)bytes, len}, &scenario, &err);
    if ((status == YK_OK) != (scenario != NULL) || (status != YK_OK && err.text[0] == '\0'))
        abort();
    yk_scenario_free(scenario);
    scenario = NULL;
    err = (struct yk_err){0};
    status = yk_scenario_parse_steps((struct yk_str){(const char *)bytes, len}, &scenario, &err);
    if ((status == YK_OK) != (scenario != NULL) || (status != YK_OK && err.text[0] == '\0'))
        abort();
    yk_scenario_free(scenario);
    return 0;
}
