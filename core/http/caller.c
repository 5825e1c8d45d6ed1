/* SPDX-License-Identifier: Apache-2.0 */
#include "http/caller.h"

void yk_caller_init(struct yk_caller *ret_caller, const char *user, const char *const *groups,
                    size_t group_count)
{
    *ret_caller = (struct yk_caller){0};
    if (user == NULL)
        return;
    ret_caller->user = yk_strdup(user);
    ret_caller->groups = yk_new0_array(char *, group_count + 1);
    for (; ret_caller->group_count < group_count; ret_caller->group_count++)
        ret_caller->groups[ret_caller->group_count] = yk_strdup(groups[ret_caller->group_count]);
}

void yk_caller_done(struct yk_caller *caller)
{
    for (size_t i = 0; i < caller->group_count; i++)
        free(caller->groups[i]);
    free(caller->groups);
    free(caller->user);
    *caller = (struct yk_caller){0};
}
