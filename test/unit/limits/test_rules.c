/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits of users and groups as scripts: who asks for what, and who runs in the end
 * (docs/reference/queues.md, L7 to L18).
 *
 * A script is a list of words: `user[+group...]:application[@queue]:vcores` asks, `-3` releases what the
 * third ask got, `~` loads the second configuration. The outcome has one letter per ask: 1 allocated, u waits
 * for its user or group, a its application may not start, q waits for a queue, . gone.
 */
#include "lib/core_world.h"

enum { ASKS_MAX = 20 };

struct limits {
    const char *root, *p, *leaf;
};

struct script_case {
    const char *what;
    struct limits limits, later;
    const char *script, *want;
};

#define USER(name, amount)    "{users: [" name "], maxresources: {vcore: " amount "}}"
#define GROUP(name, amount)   "{groups: [" name "], maxresources: {vcore: " amount "}}"
#define USER_APPS(name, most) "{users: [" name "], maxapplications: " most "}"

static const struct script_case cases[] = {
    {.what = "L7: a named user has its own limit, the wildcard gives each other user one",
     .limits = {.leaf = USER("ann", "2") ", " USER("'*'", "1")},
     .script = "ann:a:2 bob:b:1 bob:b:1 eve:c:1 ann:a:1",
     .want = "11u1u"},
    {.what = "L7: without an entry there is no limit",
     .limits = {.leaf = USER("ann", "2")},
     .script = "bob:b:9",
     .want = "1"},
    {.what = "L7: limits of all levels hold",
     .limits = {.root = USER("ann", "3"), .leaf = USER("ann", "2")},
     .script = "ann:a:2 ann:a:1 ann:b@east:1 ann:b@east:1",
     .want = "1u1u"},
    {.what = "L7: a wildcard further up counts where the user is not named",
     .limits = {.root = USER("'*'", "3"), .leaf = USER("ann", "2")},
     .script = "ann:a:2 ann:b@east:1 ann:b@east:1 bob:c@east:3 bob:d:1",
     .want = "11u1u"},
    {.what = "L7: types that the limit does not name are free",
     .limits = {.leaf = "{users: [ann], maxresources: {memory: 100Mi}}"},
     .script = "ann:a:9 ann:a:9",
     .want = "11"},
    {.what = "L5, L11: a zero forbids the type",
     .limits = {.leaf = "{users: [ann], maxresources: {vcore: 9, memory: 0}}"},
     .script = "ann:a:1 bob:b:1",
     .want = "u1"},
    {.what = "L8: the first group in configuration order, not in the user's",
     .limits = {.leaf = GROUP("ops", "1") ", " GROUP("dev", "5")},
     .script = "ann+dev+ops:a:2 bob+dev:b:2",
     .want = "u1"},
    {.what = "L8: the order within one entry counts as well",
     .limits = {.root = GROUP("dev", "1"), .leaf = "{groups: [ops, dev], maxapplications: 5}"},
     .script = "ann+dev+ops:a:2",
     .want = "1"},
    {.what = "L8: the level nearest to the leaf decides",
     .limits = {.root = GROUP("ops", "1"), .leaf = GROUP("dev", "5")},
     .script = "ann+ops+dev:a:2",
     .want = "1"},
    {.what = "L8: a level that names none of the user's groups is passed over",
     .limits = {.root = GROUP("dev", "1"), .leaf = GROUP("ops", "9")},
     .script = "ann+dev:a:2",
     .want = "u"},
    {.what = "L9: a wildcard low in the tree hides named groups above",
     .limits = {.root = GROUP("ops", "1"), .leaf = GROUP("x", "9") ", " GROUP("'*'", "9")},
     .script = "ann+ops:a:2",
     .want = "1"},
    {.what = "L9: the group wildcard is one allowance for everybody",
     .limits = {.leaf = GROUP("x", "1") ", " GROUP("'*'", "2")},
     .script = "ann+dev:a:1 bob+ops:b:1 eve+qa:c:1 tom+x:d:1",
     .want = "11u1"},
    {.what = "L9: the group's limits of all levels hold",
     .limits = {.root = GROUP("dev", "1"), .leaf = "{groups: [dev], maxapplications: 9}"},
     .script = "ann+dev:a:2",
     .want = "u"},
    {.what = "L9: a group that is not named on the path does not count",
     .limits = {.leaf = GROUP("dev", "1")},
     .script = "ann+dev:a@east:2 ann+dev:b:2",
     .want = "1u"},
    {.what = "L11: members of a group share its limit, users have their own besides",
     .limits = {.leaf = "{users: [ann], maxresources: {vcore: 2}}, " GROUP("dev", "3")},
     .script = "ann+dev:a:2 ann+dev:a:1 bob+dev:b:1 bob+dev:b:1",
     .want = "1u1u"},
    {.what = "L12: the user's quota is looked at before the queue's",
     .limits = {.p = USER("ann", "1")},
     .script = "ann:a@small:2 bob:b@small:2",
     .want = "uq"},
    {.what = "L12: what is smaller runs while the larger waits",
     .limits = {.leaf = USER("ann", "3")},
     .script = "ann:a:2 ann:a:2 ann:a:1",
     .want = "1u1"},
    {.what = "L10, L12: what is given back wakes who waits",
     .limits = {.leaf = USER("ann", "3")},
     .script = "ann:a:3 ann:b:2 ann:b:2 bob:c:5 -1",
     .want = ".1u1"},
    {.what = "L10, L12: also across queues, for a limit above them",
     .limits = {.root = GROUP("dev", "3")},
     .script = "ann+dev:a:3 bob+dev:b@east:2 -1",
     .want = ".1"},
    {.what = "L13: more asks of what runs already are not held back",
     .limits = {.leaf = USER_APPS("ann", "1")},
     .script = "ann:a:1 ann:b:1 ann:a:1 bob:c:1 bob:d:1",
     .want = "1a111"},
    {.what = "L13: the wildcard limits each user's applications",
     .limits = {.leaf = USER_APPS("'*'", "1")},
     .script = "ann:a:1 ann:b:1 bob:c:1 bob:d:1",
     .want = "1a1a"},
    {.what = "L13: a level above may be the one that refuses",
     .limits = {.root = USER_APPS("ann", "1")},
     .script = "ann:a:1 ann:b@east:1",
     .want = "1a"},
    {.what = "L13: user and group must both agree",
     .limits = {.leaf = "{users: [ann], maxapplications: 2}, {groups: [dev], maxapplications: 1}"},
     .script = "bob+dev:a:1 ann+dev:b:1 ann+ops:c:1",
     .want = "1a1"},
    {.what = "L10, L13: with its last ask the application gives its place back",
     .limits = {.leaf = USER_APPS("ann", "1")},
     .script = "ann:a:1 ann:b:1 ann:c:1 -1",
     .want = ".1a"},
    {.what = "L10, L13: it keeps its place while something of it is pending",
     .limits = {.leaf = "{users: [ann], maxapplications: 1, maxresources: {vcore: 2}}"},
     .script = "ann:a:2 ann:a:2 ann:b:1 -1",
     .want = ".1a"},
    {.what = "L14: a lowered limit ends nothing, but lets nothing new run",
     .limits = {.leaf = USER("ann", "4")},
     .later = {.leaf = USER("ann", "1")},
     .script = "ann:a:3 ~ ann:a:1",
     .want = "1u"},
    {.what = "L14: at most as many applications go on as run",
     .limits = {.leaf = USER_APPS("ann", "3")},
     .later = {.leaf = USER_APPS("ann", "1")},
     .script = "ann:a:1 ann:b:1 ~ ann:c:1 ann:a:1 -1 -4",
     .want = ".1a."},
    {.what = "L18: a raised limit wakes who waits",
     .limits = {.leaf = USER("ann", "1")},
     .later = {.leaf = USER("ann", "3")},
     .script = "ann:a:2 ann:a:2 ~",
     .want = "1u"},
    {.what = "L18: so does more applications",
     .limits = {.leaf = USER_APPS("ann", "1")},
     .later = {.leaf = USER_APPS("ann", "2")},
     .script = "ann:a:1 ann:b:1 ann:c:1 ~",
     .want = "11a"},
    {.what = "L18: a removed limit wakes everybody",
     .limits = {.root = USER("ann", "1"), .leaf = USER_APPS("ann", "1")},
     .script = "ann:a:1 ann:b:1 ann:c@east:1 ~",
     .want = "111"},
    {.what = "L18: a name that is added leaves the wildcard's allowance",
     .limits = {.leaf = USER("'*'", "1")},
     .later = {.leaf = USER("ann", "3") ", " USER("'*'", "1")},
     .script = "ann:a:2 bob:b:2 ~",
     .want = "1u"},
    {.what = "L18: a name that is removed falls under the wildcard",
     .limits = {.leaf = USER("ann", "3") ", " USER("'*'", "1")},
     .later = {.leaf = USER("'*'", "1")},
     .script = "ann:a:2 ~ ann:a:1 bob:b:1",
     .want = "1u1"},
    {.what = "L18: a new limit counts what runs already",
     .later = {.leaf = USER("ann", "3"), .root = USER("ann", "4")},
     .script = "ann:a:2 ann:b@east:1 ~ ann:a:1 ann:a:1 ann:b@east:1",
     .want = "111uu"},
    {.what = "L18: an application whose group is named no more takes its usage to the next one",
     .limits = {.leaf = GROUP("dev", "9") ", " GROUP("ops", "2")},
     .later = {.leaf = GROUP("ops", "2")},
     .script = "ann+dev+ops:a:2 ~ bob+ops:b:1 -1",
     .want = ".1"},
    {.what = "L18: until then that usage fills the next group",
     .limits = {.leaf = GROUP("dev", "9") ", " GROUP("ops", "2")},
     .later = {.leaf = GROUP("ops", "2")},
     .script = "ann+dev+ops:a:2 ~ bob+ops:b:1",
     .want = "1u"},
    {.what = "L18: its place among the running ones goes along",
     .limits = {.leaf = "{groups: [dev], maxapplications: 3}, {groups: [ops], maxapplications: 1}"},
     .later = {.leaf = "{groups: [ops], maxapplications: 1}"},
     .script = "ann+dev+ops:a:2 ~ bob+ops:b:1",
     .want = "1a"},
    {.what = "L18: who waits for the old group is checked again",
     .limits = {.leaf = GROUP("dev", "1") ", " GROUP("ops", "5")},
     .later = {.leaf = GROUP("ops", "5")},
     .script = "ann+dev+ops:a:2 ~",
     .want = "1"},
    {.what = "L18: without another group it has none",
     .limits = {.leaf = GROUP("dev", "2")},
     .later = {.leaf = GROUP("qa", "1")},
     .script = "ann+dev:a:2 ann+dev:a:1 ~ ann+dev:a:5",
     .want = "111"},
    {.what = "L18: who was found to have none keeps none; a new application is asked",
     .limits = {.leaf = GROUP("qa", "1")},
     .later = {.leaf = GROUP("dev", "1")},
     .script = "ann+dev:a:2 ~ ann+dev:a:2 ann+dev:b:2",
     .want = "11u"},
    {.what = "L18: the group stays while any level of the path names it",
     .limits = {.root = GROUP("dev", "3"), .leaf = GROUP("dev", "2")},
     .later = {.root = GROUP("dev", "3"), .leaf = GROUP("ops", "9")},
     .script = "ann+dev+ops:a:2 ~ ann+dev+ops:a:2 ann+dev+ops:a:1",
     .want = "1u1"},
};

/* "Leaf" is written with a capital: limits follow the queue, whatever the spelling (BUG-18 of 1.9). */
static void config_text(const struct limits *limits, struct yk_buf *out)
{
    yk_buf_printf(
        out,
        "partitions: [{name: default, placementrules: [{name: provided, create: true}], queues: [{name: "
        "root, submitacl: '*', limits: [%s], queues: [{name: p, parent: true, limits: [%s], queues: "
        "[{name: Leaf, limits: [%s]}, {name: east}, {name: small, resources: {max: {vcore: 1}}}]}]}]}]",
        limits->root != NULL ? limits->root : "", limits->p != NULL ? limits->p : "",
        limits->leaf != NULL ? limits->leaf : "");
}

struct player {
    struct world world;
    const struct script_case *script;
    char apps[ASKS_MAX][16];
    size_t asks;
};

static void load(struct player *player, const struct limits *limits)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    config_text(limits, &text);
    const char *refusal = world_reload(&player->world, yk_buf_cstr(&text));
    if (refusal != NULL)
        fail_msg("%s: %s", player->script->what, refusal);
}

static void ask(struct player *player, struct yk_str word)
{
    struct yk_str who, app, queue, name, group;
    char text[4][32], path[64], key[8];
    const char *groups[4];
    size_t group_count = 0;
    assert_true(yk_str_split(&word, ':', &who) && yk_str_split(&word, ':', &queue));
    (void)yk_str_split(&queue, '@', &app); /* there is a part */
    (void)yk_str_split(&who, '+', &name);  /* there is a part */
    while (yk_str_split(&who, '+', &group)) {
        (void)snprintf(text[group_count], sizeof(text[0]), YK_STR_FMT, YK_STR_ARG(group));
        groups[group_count] = text[group_count];
        group_count++;
    }
    char *id = player->apps[player->asks], user[32];
    (void)snprintf(id, sizeof(player->apps[0]), YK_STR_FMT, YK_STR_ARG(app));
    (void)snprintf(user, sizeof(user), YK_STR_FMT, YK_STR_ARG(name));
    (void)snprintf(path, sizeof(path), "root.p." YK_STR_FMT,
                   YK_STR_ARG(queue.p != NULL ? queue : YK_STR("leaf")));
    (void)snprintf(key, sizeof(key), "%zu", ++player->asks);
    struct yk_si_new_app submission = {.application_id = id,
                                       .queue = path,
                                       .ugi = {.user = user, .groups = groups, .group_count = group_count}};
    if (world_app(&player->world, id) == NULL)
        assert_int_equal(yk_core_add_app(player->world.core, "rm", &submission), YK_OK);
    world_ask(&player->world, id, key, (word.p[0] - '0') * 1000, 1);
}

static void act(struct player *player, struct yk_str word)
{
    char key[2] = {word.len > 1 ? word.p[1] : '\0', '\0'};
    if (word.p[0] == '~')
        load(player, &player->script->later);
    else if (word.p[0] == '-')
        world_release(&player->world, player->apps[key[0] - '1'], key, YK_SI_STOPPED_BY_RM);
    else
        ask(player, word);
    (void)world_schedule(&player->world); /* the outcome is looked at in the end */
}

static char outcome(struct player *player, size_t number)
{
    char key[8];
    (void)snprintf(key, sizeof(key), "%zu", number + 1);
    const struct yk_app *app = world_app(&player->world, player->apps[number]);
    const struct yk_ask *found = app == NULL ? NULL : yk_app_find_ask(app, yk_str_from(key));
    if (found == NULL)
        return '.';
    if (!yk_ask_is_pending(found))
        return '1';
    if (app->start.held || yk_list_linked(&app->start.in_gated))
        return 'a';
    switch (found->group->wait) {
    case YK_WAIT_USER_QUOTA:
        return 'u';
    case YK_WAIT_QUEUE_QUOTA:
        return 'q';
    case YK_WAIT_NODES:
        return 'n';
    case YK_WAIT_NONE:
    case YK_WAIT_APP_LIMIT:
    case YK_WAIT_PLACEHOLDER:
    case YK_WAIT_REQUIRED_NODE:
    case YK_WAIT_GANG:
        break;
    }
    return '?';
}

static void scripts(void **state)
{
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
        struct player player = {.script = &cases[i]};
        struct yk_str rest = yk_str_from(cases[i].script), word;
        char got[ASKS_MAX + 1] = "";
        config_text(&cases[i].limits, &text);
        world_init(&player.world, yk_buf_cstr(&text));
        world_node(&player.world, "n1", 100000, 100000);
        while (yk_str_split(&rest, ' ', &word))
            act(&player, word);
        for (size_t n = 0; n < player.asks; n++)
            got[n] = outcome(&player, n);
        if (strcmp(got, cases[i].want) != 0)
            fail_msg("%s: %s, not %s", cases[i].what, got, cases[i].want);
        world_done(&player.world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(scripts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
