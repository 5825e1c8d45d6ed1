/* SPDX-License-Identifier: Apache-2.0 */
/* K04: what a server that speaks HTTP/2 does not want to handle now is sent again, and done once. */
#include "client/h2.h"
#include "client/world.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static enum h2_reply take_all(struct h2 *h2, size_t number)
{
    (void)h2;
    (void)number;
    return H2_ANSWER;
}

static enum h2_reply refuse_every_third(struct h2 *h2, size_t number)
{
    (void)h2;
    return number % 3 == 0 ? H2_REFUSE : H2_ANSWER;
}

static enum h2_reply refuse_the_first_three(struct h2 *h2, size_t number)
{
    (void)h2;
    return number <= 3 ? H2_REFUSE : H2_ANSWER;
}

static enum h2_reply go_away_at_the_second(struct h2 *h2, size_t number)
{
    (void)h2;
    return number == 2 ? H2_GO_AWAY : H2_ANSWER;
}

static enum h2_reply go_away_after_the_second(struct h2 *h2, size_t number)
{
    (void)h2;
    return number == 2 ? H2_SAY_GO : H2_ANSWER;
}

struct answers {
    const char *what;
    enum h2_reply (*decide)(struct h2 *h2, size_t number);
    bool again; /* libcurl takes a new connection for what it repeats */
};

/* The first alone, so that the connection stands, and the others one by one or all at once. */
static void bind_twenty(const struct answers *answers, bool at_once)
{
    enum { BINDS = 20 };
    struct world world;
    struct h2 h2;
    world_open(&world, WORLD_TLS, NULL, NULL);
    h2_open(&h2, &world.mock, answers->decide);
    for (size_t n = 0; n < BINDS; n++) {
        yk_api_submit(world.server, world_op(&world, YK_OP_BIND));
        if (n == 0 || !at_once)
            world_until(&world, &world.ops_done, n + 1, answers->what);
    }
    world_until(&world, &world.ops_done, BINDS, answers->what);
    if (world.ops_failed > 0 || h2.answered != BINDS)
        fail_msg("%s, at once %d: %zu failed, %zu of %d were done, %s", answers->what, at_once,
                 world.ops_failed, h2.answered, BINDS, world.reason);
    if (answers->again ? h2.connections < 2 : h2.connections != 1)
        fail_msg("%s: %zu connections", answers->what, h2.connections);
    h2_close(&h2);
    world_close(&world);
}

static void binds(void **state)
{
    (void)state;
    static const struct answers cases[] = {
        {"all on one connection", take_all, false},
        {"every third REFUSED_STREAM", refuse_every_third, true},
        {"the first three REFUSED_STREAM", refuse_the_first_three, true},
        {"GOAWAY, the second and what follows was not looked at", go_away_at_the_second, true},
        {"GOAWAY, the second was still taken", go_away_after_the_second, true},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        bind_twenty(&cases[i], false);
        bind_twenty(&cases[i], true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(binds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
