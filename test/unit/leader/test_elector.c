/* SPDX-License-Identifier: Apache-2.0 */
/* docs/reference/kubernetes.md, "Leader election" (H1 to H6). */
#include "leader/world.h"

#include "lib/cmocka_headers.h"

#define S  YK_NS_PER_S
#define MS YK_NS_PER_MS

static bool leads(const struct member *member)
{
    return yk_elector_leads(member->elector);
}

static size_t asked(const struct world *world, enum yk_op_kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < world->tap.count; i++)
        count += world->tap.asked[i].kind == kind;
    return count;
}

/* A world with one member. */
static void start(struct world *world, struct member *m, uint64_t seed, bool stands)
{
    world_init(world, seed);
    member_join(world, m, stands);
}

static void end(struct world *world, struct member *m)
{
    member_end(m);
    world_done(world);
}

/* ---- H2: the times ---- */

static void times_have_to_fit(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        struct yk_elector_times times;
        const char *says; /* NULL: fine */
    } cases[] = {
        {"the defaults", {15 * S, 10 * S, 2 * S}, NULL},
        {"just enough", {10 * S + 1, 10 * S, 8 * S}, NULL},
        {"lease as long as deadline", {10 * S, 10 * S, 2 * S}, "lease duration (10s)"},
        {"deadline as long as 1.2 retries", {15 * S, 12 * S, 10 * S}, "renew deadline (12s)"},
        {"no pause", {15 * S, 10 * S, 0}, "retry period (0s)"},
        {"longer than a Lease can say", {INT64_MAX, 10 * S, 2 * S}, "at most 2147483647 seconds"},
        {"negative", {-1 * S, -2 * S, -3 * S}, "retry period (-3s)"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_err err = {0};
        enum yk_status st = yk_elector_times_check(&cases[i].times, &err);
        if ((st == YK_OK) != (cases[i].says == NULL))
            fail_msg("%s: %s", cases[i].what, err.text);
        if (cases[i].says != NULL && strstr(err.text, cases[i].says) == NULL)
            fail_msg("%s: said '%s'", cases[i].what, err.text);
    }
}

/* ---- H3: the steps ---- */

#define HELD(duration)                                                                                       \
    "{\"holderIdentity\":\"other\",\"leaseDurationSeconds\":" duration ",\"leaseTransitions\":4,"            \
    "\"acquireTime\":\"2020-01-01T00:00:00.000000Z\",\"renewTime\":\"2020-01-01T00:00:00.000000Z\"}"

static void a_candidate_gets_it(void **state)
{
    (void)state;
    static const struct {
        const char *what, *spec; /* NULL: no Lease */
        enum yk_op_kind fault_on;
        int fault_status;              /* 0: none */
        int64_t not_before, not_after; /* s */
        int transitions;
    } cases[] = {
        {"2: none there, it is created", NULL, 0, 0, 0, 1, 0},
        {"2: the look is refused once", NULL, YK_OP_GET_LEASE, 500, 2, 5, 0},
        {"2: the creation meets another one", NULL, YK_OP_CREATE_LEASE, 409, 2, 5, 0},
        {"4: another replica has it; remote times count for nothing", HELD("15"), 0, 0, 15, 20, 5},
        {"4: the record's duration counts, not ours", HELD("3"), 0, 0, 3, 8, 5},
        {"4: a long one is waited for", HELD("60"), 0, 0, 60, 65, 5},
        {"4: given back, it is free at once", "{\"holderIdentity\":\"\",\"leaseDurationSeconds\":1}", 0, 0, 0,
         1, 1},
        {"4: a spec without anything is free", "{}", 0, 0, 0, 1, 1},
        {"5: a conflict fails this try", "{\"holderIdentity\":\"\"}", YK_OP_UPDATE_LEASE, 409, 2, 5, 1},
        {"5: so does a refusal", "{\"holderIdentity\":\"\"}", YK_OP_UPDATE_LEASE, 503, 2, 5, 1},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        struct member m;
        char transitions[40];
        world_init(&world, i);
        if (cases[i].spec != NULL)
            lease_write(&world, cases[i].spec);
        if (cases[i].fault_status != 0)
            lease_fault(&world, cases[i].fault_on, YK_FAULT_REFUSE, cases[i].fault_status, 1);
        int64_t joined_ns = world_now_ns(&world);
        member_join(&world, &m, true);
        world_pass(&world, 70 * S, NULL, NULL);
        int64_t took_ns = m.led_at_ns - joined_ns;
        if (m.led != 1 || took_ns < cases[i].not_before * S || took_ns > cases[i].not_after * S)
            fail_msg("%s: led %u times, after %lld ms", cases[i].what, m.led, (long long)(took_ns / MS));
        (void)snprintf(transitions, sizeof(transitions), "\"leaseTransitions\":%d,", cases[i].transitions);
        if (strstr(lease_text(&world), transitions) == NULL)
            fail_msg("%s: %s", cases[i].what, world.lease);
        assert_non_null(strstr(world.lease, yk_elector_identity(m.elector)));
        assert_true(cases[i].spec == NULL || strstr(world.lease, "\"kept\":\"yes\"") != NULL);
        assert_string_equal(yk_elector_holder(m.elector), yk_elector_identity(m.elector));
        end(&world, &m);
    }
}

static void a_record_that_changes_begins_anew(void **state) /* 3 */
{
    (void)state;
    struct world world;
    struct member m;
    world_init(&world, 1);
    lease_write(&world, HELD("15"));
    member_join(&world, &m, true);
    world_pass(&world, 12 * S, NULL, NULL);
    lease_write(&world, "{\"holderIdentity\":\"other\",\"leaseDurationSeconds\":15,\"leaseTransitions\":4}");
    int64_t changed_ns = world_now_ns(&world);
    world_pass(&world, 40 * S, NULL, NULL);
    assert_int_equal(m.led, 1);
    assert_true(m.led_at_ns >= changed_ns + 15 * S - 20 * MS);
    end(&world, &m);
}

static const char *field(const char *lease, const char *key, char text[64])
{
    const char *at = strstr(lease, key);
    assert_non_null(at);
    (void)snprintf(text, 64, "%.*s", (int)YK_MIN(strcspn(at, ",}"), (size_t)63), at);
    return text;
}

static void a_renewal_changes_one_time(void **state) /* 1 */
{
    (void)state;
    struct world world;
    struct member m;
    char acquired[64], renewed[64], text[64];
    start(&world, &m, 1, true);
    world_pass(&world, 1 * S, NULL, NULL);
    assert_true(leads(&m));
    field(lease_text(&world), "\"acquireTime\"", acquired);
    field(world.lease, "\"renewTime\"", renewed);
    size_t looks = asked(&world, YK_OP_GET_LEASE), writes = asked(&world, YK_OP_UPDATE_LEASE);
    world_pass(&world, 20 * S, NULL, NULL);
    assert_string_equal(field(lease_text(&world), "\"acquireTime\"", text), acquired);
    assert_string_not_equal(field(world.lease, "\"renewTime\"", text), renewed);
    assert_non_null(strstr(world.lease, "\"leaseTransitions\":0"));
    assert_int_equal(asked(&world, YK_OP_GET_LEASE), looks); /* without a look */
    assert_in_range(asked(&world, YK_OP_UPDATE_LEASE) - writes, 9, 10);
    assert_int_equal(m.led, 1);
    end(&world, &m);
}

static void a_renewal_that_fails_is_followed_by_a_look(void **state) /* 1, then 2 to 5 */
{
    (void)state;
    static const struct {
        const char *what;
        enum yk_fault_kind kind;
        int status;
    } cases[] = {
        {"refused", YK_FAULT_REFUSE, 500},
        {"conflict", YK_FAULT_REFUSE, 409},
        {"answer lost", YK_FAULT_LOSE, 0},
        {"no answer", YK_FAULT_NO_ANSWER, 0},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        struct member m;
        char acquired[64], text[64];
        start(&world, &m, i, true);
        world_pass(&world, 1 * S, NULL, NULL);
        field(lease_text(&world), "\"acquireTime\"", acquired);
        size_t looks = asked(&world, YK_OP_GET_LEASE);
        lease_fault(&world, YK_OP_UPDATE_LEASE, cases[i].kind, cases[i].status, 1);
        world_pass(&world, 9 * S, NULL, NULL);
        if (!leads(&m) || m.lost != 0 || asked(&world, YK_OP_GET_LEASE) != looks + 1)
            fail_msg("%s: lost %u, %zu looks", cases[i].what, m.lost, asked(&world, YK_OP_GET_LEASE) - looks);
        assert_string_equal(field(lease_text(&world), "\"acquireTime\"", text), acquired);
        assert_non_null(strstr(world.lease, "\"leaseTransitions\":0"));
        end(&world, &m);
    }
}

static void a_claim_whose_answer_was_lost_is_found_again(void **state)
{
    (void)state;
    struct world world;
    struct member m;
    world_init(&world, 1);
    lease_write(&world, "{\"holderIdentity\":\"\",\"leaseTransitions\":7}");
    lease_fault(&world, YK_OP_UPDATE_LEASE, YK_FAULT_LOSE, 0, 1);
    member_join(&world, &m, true);
    world_pass(&world, 1 * S, NULL, NULL);
    assert_false(leads(&m)); /* it is ours, but we do not know */
    assert_false(member_may_write(&m));
    world_pass(&world, 5 * S, NULL, NULL);
    assert_true(leads(&m));
    assert_non_null(strstr(lease_text(&world), "\"leaseTransitions\":8")); /* once */
    end(&world, &m);
}

static void who_does_not_stand_only_looks(void **state)
{
    (void)state;
    struct world world;
    struct member m;
    start(&world, &m, 1, false);
    world_pass(&world, 20 * S, NULL, NULL);
    assert_int_equal(m.led, 0);
    assert_string_equal(lease_text(&world), "");
    lease_write(&world, HELD("15"));
    world_pass(&world, 30 * S, NULL, NULL);
    assert_int_equal(m.led, 0);
    yk_elector_stand(m.elector); /* its time has run out while it looked: nothing more to wait for */
    world_pass(&world, 100 * MS, NULL, NULL);
    assert_int_equal(m.led, 1);
    end(&world, &m);
}

/* ---- H4: the pauses ---- */

static void candidates_pause_at_random(void **state)
{
    (void)state;
    struct world world;
    struct member m;
    int64_t least = INT64_MAX, most = 0;
    world_init(&world, 5);
    lease_write(&world, HELD("100000"));
    member_join(&world, &m, true);
    world_pass(&world, 1000 * S, NULL, NULL);
    for (size_t i = 1; i < world.tap.count; i++) {
        int64_t pause = world.tap.asked[i].at_ns - world.tap.asked[i - 1].at_ns - 20 * MS;
        least = YK_MIN(least, pause);
        most = YK_MAX(most, pause);
    }
    assert_true(world.tap.count > 250);
    assert_in_range(least, 2 * S, 2 * S + 100 * MS); /* 2 s x (1 + [0, 1.2)) */
    assert_in_range(most, 4300 * MS, 4400 * MS - 1);
    end(&world, &m);
}

/* ---- H5: losing it ---- */

static void the_lead_is_lost(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        enum yk_fault_kind kind;
        int status;
    } cases[] = {
        {"no answers", YK_FAULT_NO_ANSWER, 0},
        {"refusals", YK_FAULT_REFUSE, 500},
        {"forbidden", YK_FAULT_REFUSE, 403},
        {"answers are lost, though it was renewed", YK_FAULT_LOSE, 0},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        struct member m;
        start(&world, &m, i, true);
        world_pass(&world, 7 * S, NULL, NULL);
        int64_t renewed_ns = world.tap.asked[world.tap.count - 1].at_ns;
        lease_faults(&world, cases[i].kind, cases[i].status, 1);
        world_pass(&world, renewed_ns + 10 * S - 1 - world_now_ns(&world), NULL, NULL);
        assert_true(member_may_write(&m) && m.lost == 0);
        world_pass(&world, 1, NULL, NULL);
        if (member_may_write(&m) || m.lost != 1 || m.lost_at_ns != renewed_ns + 10 * S)
            fail_msg("%s: lost at %lld ms", cases[i].what, (long long)(m.lost_at_ns / MS));
        assert_non_null(strstr(m.why, "yunikorn/lead"));
        size_t count = world.tap.count;
        world_pass(&world, 60 * S, NULL, NULL);
        assert_int_equal(world.tap.count, count); /* and nothing more */
        assert_int_equal(m.lost, 1);
        assert_true(yk_elector_is_gone(m.elector));
        assert_true(yk_elector_is_healthy(m.elector));
        end(&world, &m);
    }
}

static void a_lease_that_is_somebody_elses_is_lost_at_once(void **state)
{
    (void)state;
    struct world world;
    struct member m;
    start(&world, &m, 1, true);
    world_pass(&world, 3 * S, NULL, NULL);
    lease_write(&world, HELD("15"));
    world_pass(&world, 2100 * MS, NULL, NULL); /* the next renewal meets it */
    assert_int_equal(m.lost, 1);
    assert_false(member_may_write(&m));
    assert_non_null(strstr(m.why, "held by 'other'"));
    assert_non_null(strstr(lease_text(&world), "\"other\""));
    end(&world, &m);
}

/* The thread was stopped: the fence needs no timer, and an answer that comes too late opens nothing. */
static void a_fence_closes_by_itself(void **state)
{
    (void)state;
    struct world world;
    struct member m;
    start(&world, &m, 1, true);
    world_pass(&world, 2090 * MS, NULL, NULL);
    assert_true(member_may_write(&m));
    yk_clock_advance(&world.clock, 12 * S);
    assert_false(member_may_write(&m));
    assert_true(yk_elector_is_healthy(m.elector));
    yk_clock_advance(&world.clock, 30 * S);
    assert_false(yk_elector_is_healthy(m.elector)); /* 15 s and a tolerance of 20 s */
    world_pass(&world, 1 * S, NULL, NULL);
    assert_int_equal(m.lost, 1);
    end(&world, &m);
}

/* ---- H6: giving it back ---- */

static void it_is_given_back(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        int64_t after_ms; /* led for so long */
        enum yk_op_kind fault_on;
        enum yk_fault_kind kind;
        int status; /* 0 and REFUSE: no fault */
        int64_t within_ms;
    } cases[] = {
        {"at once", 1000, 0, YK_FAULT_REFUSE, 0, 100},
        {"while a renewal is on its way", 2065, 0, YK_FAULT_REFUSE, 0, 100},
        {"a conflict is looked into at once", 1000, YK_OP_UPDATE_LEASE, YK_FAULT_REFUSE, 409, 200},
        {"a refusal is tried again", 1000, YK_OP_UPDATE_LEASE, YK_FAULT_REFUSE, 503, 2200},
        {"a lost answer is looked into: it was given back", 1000, YK_OP_UPDATE_LEASE, YK_FAULT_LOSE, 0, 2200},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        struct member m;
        start(&world, &m, i, true);
        world_pass(&world, cases[i].after_ms * MS, NULL, NULL);
        assert_true(leads(&m));
        if (cases[i].status != 0 || cases[i].kind != YK_FAULT_REFUSE)
            lease_fault(&world, cases[i].fault_on, cases[i].kind, cases[i].status, 1);
        yk_elector_leave(m.elector);
        assert_false(member_may_write(&m));
        assert_false(leads(&m));
        assert_false(yk_elector_is_gone(m.elector));
        world_pass(&world, cases[i].within_ms * MS, NULL, NULL);
        if (!yk_elector_is_gone(m.elector) || strstr(lease_text(&world), "\"holderIdentity\":\"\"") == NULL)
            fail_msg("%s: %s", cases[i].what, lease_text(&world));
        assert_non_null(strstr(world.lease, "\"leaseDurationSeconds\":1,\"leaseTransitions\":0"));
        assert_int_equal(m.lost, 0);
        end(&world, &m);
    }
}

static void giving_back_has_an_end(void **state)
{
    (void)state;
    struct world world;
    struct member m;
    start(&world, &m, 1, true);
    world_pass(&world, 1 * S, NULL, NULL);
    lease_faults(&world, YK_FAULT_REFUSE, 409, 1);
    yk_elector_leave(m.elector);
    yk_elector_leave(m.elector); /* twice is once */
    world_pass(&world, 10 * S + 20 * MS, NULL, NULL);
    assert_true(yk_elector_is_gone(m.elector));
    end(&world, &m);
}

static void who_has_nothing_gives_nothing_back(void **state)
{
    (void)state;
    struct world world;
    struct member m;
    world_init(&world, 1);
    lease_write(&world, HELD("15"));
    member_join(&world, &m, true);
    world_pass(&world, 1 * S, NULL, NULL);
    yk_elector_leave(m.elector);
    assert_true(yk_elector_is_gone(m.elector));
    assert_non_null(strstr(lease_text(&world), "\"other\""));
    end(&world, &m);
}

static void the_next_one_takes_over_at_once(void **state)
{
    (void)state;
    struct world world;
    struct member a, b;
    world_init(&world, 1);
    member_join(&world, &a, true);
    world_pass(&world, 1 * S, NULL, NULL);
    member_join(&world, &b, true);
    world_pass(&world, 60 * S, NULL, NULL);
    assert_true(leads(&a) && !leads(&b));
    int64_t left_ns = world_now_ns(&world);
    yk_elector_leave(a.elector);
    world_pass(&world, 5 * S, NULL, NULL);
    assert_true(leads(&b));
    assert_true(b.led_at_ns - left_ns <= 4500 * MS); /* a pause, not the Lease's duration */
    assert_non_null(strstr(lease_text(&world), "\"leaseTransitions\":1"));
    member_end(&a);
    member_end(&b);
    world_done(&world);
}

/* ---- never two ---- */

enum { MEMBERS = 3 };

struct rivalry {
    struct world world;
    struct member members[MEMBERS];
    uint64_t seed;
    unsigned changes; /* of who leads */
    int last;
};

static void at_most_one(void *context)
{
    struct rivalry *r = context;
    int leader = -1;
    for (int i = 0; i < MEMBERS; i++) {
        const struct member *m = &r->members[i];
        if (m->elector == NULL || !member_may_write(m))
            continue;
        if (leader >= 0)
            fail_msg("seed %llu: %d and %d may write at %lld ms", (unsigned long long)r->seed, leader, i,
                     (long long)(world_now_ns(&r->world) / MS));
        if (!leads(m))
            fail_msg("seed %llu: %d may write and does not lead", (unsigned long long)r->seed, i);
        leader = i;
    }
    if (leader >= 0 && leader != r->last) {
        r->last = leader;
        r->changes++;
    }
}

/* What lost or left is started again, as its supervisor would do. */
static void restart(struct rivalry *r, struct yk_random *random)
{
    for (int i = 0; i < MEMBERS; i++) {
        struct member *m = &r->members[i];
        if (yk_random_below(random, 20) == 0)
            yk_elector_leave(m->elector);
        if (!yk_elector_is_gone(m->elector))
            continue;
        member_end(m);
        member_join(&r->world, m, true);
    }
}

static void weather(struct rivalry *r, struct yk_random *random)
{
    yk_cluster_clear_faults(r->world.cluster);
    double bad = yk_random_below(random, 3) == 0 ? 0.5 : 0.1;
    lease_faults(&r->world, YK_FAULT_REFUSE, 500, bad * yk_random_unit(random));
    lease_faults(&r->world, YK_FAULT_REFUSE, 409, bad * yk_random_unit(random));
    lease_faults(&r->world, YK_FAULT_LOSE, 0, bad * yk_random_unit(random));
    lease_faults(&r->world, YK_FAULT_NO_ANSWER, 0, bad * yk_random_unit(random));
    lease_faults(&r->world, YK_FAULT_SLOW, 0, bad * yk_random_unit(random));
}

static void never_two_lead(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        struct rivalry r = {.seed = seed, .last = -1};
        struct yk_random random;
        yk_random_init(&random, seed);
        world_init(&r.world, seed * 1000);
        for (int i = 0; i < MEMBERS; i++)
            member_join(&r.world, &r.members[i], true);
        for (int round = 0; round < 60; round++) {
            weather(&r, &random);
            world_pass(&r.world, (int64_t)yk_random_below(&random, 30) * S, at_most_one, &r);
            restart(&r, &random);
        }
        yk_cluster_clear_faults(r.world.cluster);
        world_pass(&r.world, 60 * S, at_most_one, &r);
        unsigned leading = 0;
        for (int i = 0; i < MEMBERS; i++)
            leading += leads(&r.members[i]);
        bool any_left = leading == 1;
        if (!any_left)
            fail_msg("seed %llu: %u lead when all is well again", (unsigned long long)seed, leading);
        if (r.changes < 3)
            fail_msg("seed %llu: only %u changes of hands: nothing was tried", (unsigned long long)seed,
                     r.changes);
        for (int i = 0; i < MEMBERS; i++)
            member_end(&r.members[i]);
        world_done(&r.world);
    }
}

static void identities_differ(void **state)
{
    (void)state;
    struct world world;
    struct member a, b;
    world_init(&world, 1);
    member_join(&world, &a, false);
    member_join(&world, &b, false);
    assert_int_equal(strncmp(yk_elector_identity(a.elector), "host_", 5), 0);
    assert_int_equal(strlen(yk_elector_identity(a.elector)), 5 + 36);
    assert_string_not_equal(yk_elector_identity(a.elector), yk_elector_identity(b.elector));
    world_pass(&world, 1 * S, NULL, NULL);
    member_end(&a);
    member_end(&b);
    world_done(&world);
}

/* A process that takes over the identity of the one before does not wait, and the Lease does not change hands. */
static void who_goes_on_leads_at_once(void **state)
{
    (void)state;
    struct world world;
    struct member m;
    world_init(&world, 1);
    lease_write(&world, HELD("15"));
    world.identity = "other";
    member_join(&world, &m, true);
    assert_string_equal(yk_elector_identity(m.elector), "other");
    world_pass(&world, 1 * S, NULL, NULL);
    assert_int_equal(m.led, 1);
    assert_non_null(strstr(lease_text(&world), "\"leaseTransitions\":4"));
    assert_non_null(strstr(world.lease, "\"holderIdentity\":\"other\""));
    end(&world, &m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_have_to_fit),
        cmocka_unit_test(a_candidate_gets_it),
        cmocka_unit_test(who_goes_on_leads_at_once),
        cmocka_unit_test(a_record_that_changes_begins_anew),
        cmocka_unit_test(a_renewal_changes_one_time),
        cmocka_unit_test(a_renewal_that_fails_is_followed_by_a_look),
        cmocka_unit_test(a_claim_whose_answer_was_lost_is_found_again),
        cmocka_unit_test(who_does_not_stand_only_looks),
        cmocka_unit_test(candidates_pause_at_random),
        cmocka_unit_test(the_lead_is_lost),
        cmocka_unit_test(a_lease_that_is_somebody_elses_is_lost_at_once),
        cmocka_unit_test(a_fence_closes_by_itself),
        cmocka_unit_test(it_is_given_back),
        cmocka_unit_test(giving_back_has_an_end),
        cmocka_unit_test(who_has_nothing_gives_nothing_back),
        cmocka_unit_test(the_next_one_takes_over_at_once),
        cmocka_unit_test(never_two_lead),
        cmocka_unit_test(identities_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
