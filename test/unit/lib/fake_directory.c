/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/fake_directory.h"

static enum yk_directory_serves serves(void *context, const char *type, struct yk_err *err)
{
    const struct fake_directory *fake = context;
    if (fake->unusable != NULL && strcmp(type, fake->unusable) == 0) {
        (void)yk_fail(err, YK_ERR_INVALID, "no settings for '%s'", type); /* read from `err` */
        return YK_DIRECTORY_UNUSABLE;
    }
    bool known = strcmp(type, "test") == 0 || strcmp(type, "os") == 0 || strcmp(type, "ldap") == 0;
    return known ? YK_DIRECTORY_SERVES : YK_DIRECTORY_UNKNOWN;
}

static void ask(void *context, struct yk_question *question)
{
    struct fake_directory *fake = context;
    fake->asked++;
    yk_vec_append(&fake->open, question);
}

void fake_directory_init(struct fake_directory *fake)
{
    *fake = (struct fake_directory){.directory = {.context = fake, .serves = serves, .ask = ask}};
}

void fake_directory_done(struct fake_directory *fake)
{
    struct yk_question *question;
    yk_vec_foreach (question, &fake->open)
        yk_question_free(question);
    yk_vec_done(&fake->open);
}

static struct yk_question *take(struct fake_directory *fake, const char *user)
{
    for (size_t i = 0; i < fake->open.count; i++) {
        struct yk_question *question = fake->open.items[i];
        if (strcmp(question->user.name, user) != 0)
            continue;
        memmove(&fake->open.items[i], &fake->open.items[i + 1], (fake->open.count - i - 1) * sizeof(void *));
        fake->open.count--;
        return question;
    }
    return NULL;
}

static void give(struct yk_question *question, const char *groups)
{
    struct yk_str rest = yk_str_from(groups), group;
    size_t bytes = 0;
    while (yk_str_split(&rest, ',', &group)) {
        if (!yk_user_add_group(&question->user, group, &bytes))
            abort();
    }
    yk_question_answer(question);
}

static void fail(struct yk_question *question, const char *why)
{
    (void)yk_fail(&question->failure, YK_ERR_UNAVAILABLE, "%s", why); /* read from the question */
    yk_question_answer(question);
}

bool fake_directory_answer(struct fake_directory *fake, const char *user, const char *groups)
{
    struct yk_question *question = take(fake, user);
    if (question != NULL)
        give(question, groups);
    return question != NULL;
}

bool fake_directory_fail(struct fake_directory *fake, const char *user, const char *why)
{
    struct yk_question *question = take(fake, user);
    if (question != NULL)
        fail(question, why);
    return question != NULL;
}

void fake_directory_answer_all(struct fake_directory *fake)
{
    static const char *const table[][2] = {
        {"ann", "staff,dev"},
        {"bob", "staff"},
        {"eve", "guests,staff,dev"},
    };
    while (fake->open.count > 0) {
        const char *user = ((const struct yk_question *)fake->open.items[0])->user.name, *groups = NULL;
        for (size_t i = 0; i < YK_COUNT(table); i++)
            groups = strcmp(table[i][0], user) == 0 ? table[i][1] : groups;
        if (groups != NULL)
            give(take(fake, user), groups);
        else
            fail(take(fake, user), "user is not known");
    }
}
