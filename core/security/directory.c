/* SPDX-License-Identifier: Apache-2.0 */
#include "security/directory.h"

void yk_user_done(struct yk_user *user)
{
    for (size_t i = 0; i < user->group_count; i++)
        free(user->groups[i]);
    free(user->groups);
    free(user->name);
    *user = (struct yk_user){0};
}

bool yk_user_add_group(struct yk_user *user, struct yk_str group, size_t *bytes)
{
    if (user->group_count >= YK_USER_GROUPS_MAX || group.len > YK_USER_NAME_BYTES_MAX ||
        *bytes + group.len > YK_USER_GROUPS_BYTES_MAX)
        return false;
    /* The array has memory for the next power of two. */
    if ((user->group_count & (user->group_count - 1)) == 0)
        user->groups =
            yk_realloc_array(user->groups, YK_MAX(user->group_count * 2, (size_t)1), sizeof(char *));
    user->groups[user->group_count++] = yk_str_dup(group);
    *bytes += group.len;
    return true;
}

static void drop(struct yk_command *command)
{
    yk_question_free((struct yk_question *)(void *)command);
}

struct yk_question *yk_question_new(const char *type, const char *user)
{
    struct yk_question *question = yk_new0(struct yk_question);
    question->type = yk_strdup(type);
    question->user.name = yk_strdup(user);
    question->command.drop = drop;
    return question;
}

void yk_question_free(struct yk_question *question)
{
    if (question == NULL)
        return;
    free(question->type);
    yk_user_done(&question->user);
    free(question);
}
