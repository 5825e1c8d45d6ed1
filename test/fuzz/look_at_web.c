/* SPDX-License-Identifier: Apache-2.0 */
#include "look_at_web.h"

#include "web/web.h"

void look_at_web(const struct yk_core *core, const char *target)
{
    const struct yk_web_query query = {.target = target};
    struct yk_answer answer;
    yk_web_render(core, NULL, &query, &answer);
    yk_answer_done(&answer);
}
