/* SPDX-License-Identifier: Apache-2.0 */
/* docs/reference/kubernetes.md, "Gangs" (S07, S08, S14 to S16, P10 to P13): steps of one gang, in all
 * orders. */
#include "api/json_reader.h"
#include "app/placeholder_pod.h"
#include "base/log.h"
#include "bind/placeholders.h"
#include "shim/world.h"

#include "app/apps.h"

#include "lib/cmocka_headers.h"

#define GROUPS "yunikorn.apache.org/task-groups"
#define GROUP  "yunikorn.apache.org/task-group-name"
#define POLICY "yunikorn.apache.org/schedulingPolicyParameters"

enum { START_WALL_S = 1700000000 };

static const char two_members[] = "[{\"name\":\"g\",\"minMember\":2,\"minResource\":{\"cpu\":\"1\"}}]";

/* ---- pods ---- */

static struct yk_pod *member_with(struct world *world, const char *name, const char *groups,
                                  const char *policy)
{
    struct yk_pod *object = pod(world, name);
    struct yk_object *meta = &object->object;
    meta->creation_wall_ns = START_WALL_S * YK_NS_PER_S;
    add_pair(meta, &meta->annotations, GROUPS, groups);
    add_pair(meta, &meta->annotations, GROUP, "g");
    add_pair(meta, &meta->annotations, POLICY, policy);
    return object;
}

static struct yk_pod *member(struct world *world, const char *name)
{
    return member_with(world, name, two_members, "");
}

static struct yk_pod *on(struct yk_pod *object, const char *node_name)
{
    set_text(&object->object, &object->node_name, node_name);
    return object;
}

/* The name of the nth placeholder that is made for pod `owner` of application "app". */
static const char *placeholder_name(const char *owner, uint32_t nth)
{
    static char names[64][YK_PLACEHOLDER_NAME_MAX + 1];
    static unsigned next;
    char uid[64], *name = names[next++ % 64];
    snprintf(uid, sizeof(uid), "uid-%s", owner);
    yk_placeholder_name("app", uid, "g", nth, name);
    return name;
}

static const char *uid_of(const char *name)
{
    static char uids[64][YK_PLACEHOLDER_NAME_MAX + 8];
    static unsigned next;
    char *uid = uids[next++ % 64];
    snprintf(uid, sizeof(uids[0]), "uid-%s", name);
    return uid;
}

static struct yk_pod *placeholder_named(struct world *world, const char *name, const char *owner)
{
    struct yk_pod *object = member(world, name);
    struct yk_object *meta = &object->object;
    char uid[64];
    add_pair(meta, &meta->annotations, "internal.yunikorn.apache.org/placeholder", "true");
    add_owner(meta, "Pod");
    snprintf(uid, sizeof(uid), "uid-%s", owner);
    set_text(meta, &meta->owners[0].uid, uid);
    set_text(meta, &meta->owners[0].name, owner);
    return object;
}

static struct yk_pod *placeholder(struct world *world, const char *owner, uint32_t nth)
{
    return placeholder_named(world, placeholder_name(owner, nth), owner);
}

/* ---- the API server ---- */

static bool made(struct world *world, const char *name, enum yk_op_result result, int http)
{
    bool there = fake_api_answer(&world->api, YK_OP_CREATE_POD, name, result, http, "because");
    work(world);
    return there;
}

static bool deleted(struct world *world, const char *name, enum yk_op_result result, int http)
{
    const struct yk_op *op = fake_api_find(&world->api, YK_OP_DELETE_POD, name);
    if (op == NULL)
        return false;
    assert_string_equal(op->uid, uid_of(op->name)); /* never a later one of that name */
    bool there = fake_api_answer(&world->api, YK_OP_DELETE_POD, name, result, http, NULL);
    work(world);
    return there;
}

/* Everything that was said by Events since the last look. */
static char *events(struct world *world)
{
    struct yk_buf all = {0};
    struct yk_op *op;
    for (int i = 0; i < 100; i++) {
        while ((op = fake_api_find(&world->api, YK_OP_CREATE_EVENT, NULL)) != NULL) {
            yk_buf_str(&all, yk_buf_view(&op->body));
            (void)fake_api_answer(&world->api, YK_OP_CREATE_EVENT, NULL, YK_OP_OK, 201, NULL); /* is there */
        }
        work(world);
    }
    return yk_buf_take(&all);
}

static void expect_event(struct world *world, const char *action, const char *note)
{
    char text[256], *all = events(world);
    snprintf(text, sizeof(text), "\"action\":\"%s\",\"reason\":\"GangScheduling\"", action);
    if (strstr(all, text) == NULL || strstr(all, note) == NULL)
        fail_msg("no event %s '%s' in %s", action, note, all);
    free(all);
}

static void expect_unused(struct world *world, const char *app, const char *why)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    world->core.callbacks->gang_unused(world->core.rm, app, &text);
    assert_string_equal(yk_buf_cstr(&text), why);
}

/* ---- a gang on its way ---- */

/* r0 came, its two placeholders are made and shown. */
static void reserving_with(struct world *world, const char *policy)
{
    running(world);
    upsert(world, member_with(world, "r0", two_members, policy));
    told(world, "app app");
    for (uint32_t i = 0; i < 2; i++) {
        upsert(world, placeholder(world, "r0", i));
        assert_true(made(world, placeholder_name("r0", i), YK_OP_OK, 201));
    }
    settle(world);
}

static void bind_placeholder(struct world *world, uint32_t nth)
{
    const char *name = placeholder_name("r0", nth);
    assert_true(fake_core_decide(&world->core, uid_of(name), "n1"));
    work(world);
    assert_true(fake_api_answer(&world->api, YK_OP_BIND, name, YK_OP_OK, 201, NULL));
    upsert(world, on(placeholder(world, "r0", nth), "n1"));
    work(world);
}

/* Both are bound: r0 is asked for. */
static void reserved(struct world *world)
{
    reserving_with(world, "");
    bind_placeholder(world, 0);
    told(world, "");
    bind_placeholder(world, 1);
    told(world, "ask uid-r0");
}

static void told_of(struct world *world, const char *format, ...) YK_PRINTF(2, 3);
static void told_of(struct world *world, const char *format, ...)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf want = {0};
    va_list args;
    va_start(args, format);
    yk_buf_vprintf(&want, format, args);
    va_end(args);
    told(world, yk_buf_cstr(&want));
}

/* As the core does it: within the same call as what it says next. */
static void let_go(struct world *world, const char *key)
{
    fake_core_wants_gone(&world->core, key, YK_SI_TIMEOUT, "late");
}

/* ---- tests ---- */

/* S14, 3.2, 3.3 */
static void a_gang_is_reserved_and_runs(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, member(world, "r0"));
    upsert(world, member(world, "r1"));
    told(world, "app app");
    assert_int_equal(world->core.last_members, 2);
    assert_int_equal(world->core.last_style, YK_SI_GANG_SOFT);
    assert_int_equal(fake_api_count(&world->api, YK_OP_CREATE_POD), 2);
    expect_event(world, "CreatingPlaceholders", "Application app creating placeholders");
    for (uint32_t i = 0; i < 2; i++) {
        const struct yk_op *op = fake_api_find(&world->api, YK_OP_CREATE_POD, placeholder_name("r0", i));
        assert_non_null(op);
        assert_string_equal(op->namespace_, "ns");
        assert_true(made(world, placeholder_name("r0", i), YK_OP_OK, 201));
        upsert(world, placeholder(world, "r0", i));
        told_of(world, "ask uid-%s", placeholder_name("r0", i));
        const struct fake_ask *ask = fake_core_ask(&world->core, uid_of(placeholder_name("r0", i)));
        assert_true(ask->placeholder && !ask->originator);
        assert_string_equal(ask->group, "g");
    }
    bind_placeholder(world, 0);
    told(world, ""); /* the real ones wait for the other */
    expect_event(world, "PlaceholderAllocated", "Application app placeholder has been allocated.");
    bind_placeholder(world, 1);
    told(world, "ask uid-r0; ask uid-r1");
    const struct fake_ask *first = fake_core_ask(&world->core, "uid-r0");
    assert_true(first->originator && !first->placeholder); /* P13 */
    assert_false(fake_core_ask(&world->core, "uid-r1")->originator);
    char *all = events(world);
    assert_non_null(strstr(all, "all placeholders are allocated. Transitioning to running state."));
    assert_non_null(strstr(all, "Pod belongs to the taskGroup g, it will be scheduled as a gang member"));
    free(all);
    pass(world, 60 * YK_NS_PER_S);
    assert_int_equal(fake_api_count(&world->api, YK_OP_CREATE_POD), 0);
}

static bool has_condition(struct world *world, const char *name, const char *text)
{
    work(world);
    const struct yk_op *op = fake_api_find(&world->api, YK_OP_PATCH_POD_STATUS, name);
    if (op == NULL)
        return false;
    if (strstr(yk_buf_cstr(&op->body), text) == NULL)
        fail_msg("'%s' is not in '%s'", text, yk_buf_cstr(&op->body));
    assert_true(fake_api_answer(&world->api, YK_OP_PATCH_POD_STATUS, name, YK_OP_OK, 200, NULL));
    return true;
}

struct names {
    struct yk_buf text;
};

static void add_name(void *context, const struct yk_si_held *held)
{
    yk_buf_printf(&((struct names *)context)->text, "%s ", held->name);
}

/* The pods that the core hears of as waiting for their gang, looked at one by one. */
static void expect_held(const struct world *world, const char *want)
{
    struct yk_si_held_place place = {0};
    struct names names = {0};
    const struct yk_si_callbacks *callbacks = world->core.callbacks;
    while (callbacks->held(world->core.rm, "app", &place, 1, add_name, &names))
        ;
    assert_string_equal(yk_buf_cstr(&names.text), want);
    yk_buf_done(&names.text);
    yk_buf_done(&place.key);
}

/* S21: they say so once a placeholder is known to wait, not before. */
static void real_pods_say_that_their_gang_waits(void **state)
{
    struct world *world = *state;
    reserving_with(world, "");
    assert_null(fake_api_find(&world->api, YK_OP_PATCH_POD_STATUS, "r0"));
    static struct yk_str claim = YK_STR("gpu"); /* only read */
    struct yk_pod *with_claim = member(world, "r2");
    with_claim->resource_claims = &claim;
    with_claim->resource_claim_count = 1;
    upsert(world, with_claim);
    assert_true(has_condition(world, "r2", "the pod has resource claims"));
    bind_placeholder(world, 0);
    world->core.why = (struct yk_si_why){YK_REASON_NODE_RESOURCES, 0};
    fake_core_waits(&world->core, uid_of(placeholder_name("r0", 1)), YK_SI_STATE_FAILED, YK_SI_NO_CAPACITY,
                    "no node");
    static const char want[] =
        "\"reason\":\"SchedulingSkipped\",\"message\":\"pod is skipped from scheduling because the "
        "gang of application 'app' is not complete (InsufficientNodeResources). GangWaiting: 1 of 2 placed";
    assert_true(has_condition(world, "r0", want));
    char *all = events(world);
    assert_non_null(strstr(all, "\"action\":\"PodUnschedulable\""));
    assert_non_null(strstr(all, "InsufficientNodeResources). GangWaiting: 1 of 2 placed"));
    free(all);
    upsert(world, member(world, "r1")); /* one that comes later */
    assert_true(has_condition(world, "r1", want));
    assert_null(fake_api_find(&world->api, YK_OP_PATCH_POD_STATUS, "r2")); /* its own reason stays */
    expect_held(world, "r0 r1 ");
    told(world, "");
    bind_placeholder(world, 1);
    told(world, "ask uid-r0; ask uid-r1");
    pass(world, 60 * YK_NS_PER_S);
    assert_null(fake_api_find(&world->api, YK_OP_PATCH_POD_STATUS, "r0"));
}

static void skip_name(void *context, const struct yk_si_held *held)
{
    (void)context, (void)held;
}

/* However many tasks there are, a call looks at `most` of them. Where it was can go. */
static void held_pods_are_listed_in_steps(void **state)
{
    struct world *world = *state;
    struct yk_si_held_place place = {0};
    struct names names = {0};
    reserving_with(world, "");
    upsert(world, member(world, "r1"));
    upsert(world, member(world, "r2"));
    upsert(world, member(world, "r3"));
    work(world);
    expect_held(world, "r0 r1 r2 r3 ");
    const struct yk_si_callbacks *callbacks = world->core.callbacks;
    while (strstr(yk_buf_cstr(&names.text), "r2") == NULL)
        assert_true(callbacks->held(world->core.rm, "app", &place, 1, add_name, &names));
    uint64_t looked = place.looked;
    removed(world, member(world, "r2"));
    work(world);
    assert_true(
        callbacks->held(world->core.rm, "app", &place, 1, skip_name, NULL)); /* from the start again */
    while (callbacks->held(world->core.rm, "app", &place, 2, add_name, &names))
        ;
    assert_true(place.looked >= looked && place.skip == 0);
    /* none is passed over that was not looked at */
    assert_non_null(strstr(yk_buf_cstr(&names.text), " r3 "));
    yk_buf_clear(&names.text);
    callbacks->find_held(world->core.rm, "app", "r3", add_name, &names);
    callbacks->find_held(world->core.rm, "app", "r2", add_name, &names);
    callbacks->find_held(world->core.rm, "app", "none", add_name, &names);
    assert_string_equal(yk_buf_cstr(&names.text), "r3 ");
    yk_buf_done(&names.text);
    yk_buf_done(&place.key);
}

/* A pod that comes in place of the one where the walk was stands behind the others, which are not passed
 * over. */
static void a_pod_of_the_same_name_is_another_one(void **state)
{
    struct world *world = *state;
    struct yk_si_held_place place = {0};
    struct names names = {0};
    reserving_with(world, "");
    upsert(world, member(world, "r1"));
    upsert(world, member(world, "r2"));
    upsert(world, member(world, "r3"));
    work(world);
    const struct yk_si_callbacks *callbacks = world->core.callbacks;
    while (strstr(yk_buf_cstr(&names.text), "r1") == NULL)
        assert_true(callbacks->held(world->core.rm, "app", &place, 1, add_name, &names));
    removed(world, member(world, "r1"));
    work(world);
    struct yk_pod *again = member(world, "r1");
    set_text(&again->object, &again->object.uid, "uid-another");
    upsert(world, again);
    work(world);
    yk_buf_clear(&names.text);
    while (callbacks->held(world->core.rm, "app", &place, 1, add_name, &names))
        ;
    assert_string_equal(yk_buf_cstr(&names.text), "r2 r3 r1 ");
    yk_buf_done(&names.text);
    yk_buf_done(&place.key);
}

/* 3.5 "Life cycle": deleted, and confirmed with the same word when it is really gone. */
static void what_the_core_lets_go_is_deleted_and_confirmed(void **state)
{
    struct world *world = *state;
    const char *p0 = placeholder_name("r0", 0), *p1 = placeholder_name("r0", 1);
    reserved(world);
    released(world, uid_of(p0), YK_SI_PLACEHOLDER_REPLACED, "replaced");
    assert_true(deleted(world, p0, YK_OP_OK, 200));
    told(world, "");
    removed(world, on(placeholder(world, "r0", 0), "n1"));
    told_of(world, "release uid-%s 4", p0);
    released(world, uid_of(p1), YK_SI_TIMEOUT, "late");
    expect_event(world, "PlaceholderTimeOut", "Application app placeholder has been timed out");
    assert_true(deleted(world, p1, YK_OP_NOT_FOUND, 404));
    removed(world, on(placeholder(world, "r0", 1), "n1"));
    told_of(world, "release uid-%s 2", p1);
    pass(world, 60 * YK_NS_PER_S);
    assert_int_equal(fake_api_count(&world->api, YK_OP_DELETE_POD), 0);
    assert_int_equal(fake_api_count(&world->api, YK_OP_CREATE_POD), 0); /* it runs: nothing is made again */
}

/* A placeholder that ends by itself is an object that stays: it is deleted as well. */
static void a_terminal_placeholder_is_deleted(void **state)
{
    struct world *world = *state;
    const char *p0 = placeholder_name("r0", 0);
    reserved(world);
    struct yk_pod *ended = on(placeholder(world, "r0", 0), "n1");
    set_text(&ended->object, &ended->phase, "Failed");
    upsert(world, ended);
    told_of(world, "release uid-%s 1", p0);
    assert_true(deleted(world, p0, YK_OP_OK, 200));
}

/* "retried with back-off until gone": whatever the answer is, however often. */
static void a_deletion_is_repeated_until_it_is_gone(void **state)
{
    struct world *world = *state;
    const char *p0 = placeholder_name("r0", 0);
    reserved(world);
    released(world, uid_of(p0), YK_SI_TIMEOUT, "late");
    static const struct {
        enum yk_op_result result;
        int http;
    } answers[] = {{YK_OP_RETRY, 500}, {YK_OP_INVALID, 403}, {YK_OP_CONFLICT, 409}};
    for (int i = 0; i < 30; i++) {
        assert_true(deleted(world, p0, answers[i % 3].result, answers[i % 3].http));
        assert_false(deleted(world, p0, YK_OP_OK, 200)); /* not at once */
        pass(world, 30 * YK_NS_PER_S);
    }
    assert_true(deleted(world, p0, YK_OP_NOT_FOUND, 404));
    pass(world, 300 * YK_NS_PER_S);
    assert_false(deleted(world, p0, YK_OP_OK, 200));
}

/* An accepted deletion that did not happen, as after the restore of an older database. */
static void a_deletion_is_repeated_while_the_pod_is_there(void **state)
{
    struct world *world = *state;
    const char *p0 = placeholder_name("r0", 0);
    reserved(world);
    released(world, uid_of(p0), YK_SI_TIMEOUT, "late");
    for (int i = 0; i < 3; i++) {
        assert_true(deleted(world, p0, YK_OP_OK, 200));
        pass(world, 30 * YK_NS_PER_S);
    }
    assert_true(deleted(world, p0, YK_OP_OK, 200));
    struct yk_pod *leaves = on(placeholder(world, "r0", 0), "n1");
    leaves->object.deleting = true;
    upsert(world, leaves);
    pass(world, 300 * YK_NS_PER_S);
    assert_false(deleted(world, p0, YK_OP_OK, 200));
}

/* A conflict when the watch has already said that the pod is gone: its name may be another pod's. */
static void a_deletion_ends_with_a_conflict_when_the_pod_is_gone(void **state)
{
    struct world *world = *state;
    const char *p0 = placeholder_name("r0", 0);
    reserved(world);
    released(world, uid_of(p0), YK_SI_TIMEOUT, "late");
    removed(world, on(placeholder(world, "r0", 0), "n1"));
    assert_true(deleted(world, p0, YK_OP_CONFLICT, 409));
    pass(world, 300 * YK_NS_PER_S);
    assert_false(deleted(world, p0, YK_OP_OK, 200));
}

/* S15: nothing is asked for until the placeholders are gone. */
static void soft_goes_on_without_placeholders(void **state)
{
    struct world *world = *state;
    const char *p0 = placeholder_name("r0", 0), *p1 = placeholder_name("r0", 1);
    reserving_with(world, "gangSchedulingStyle=Soft placeholderTimeoutInSeconds=7");
    assert_int_equal(world->core.last_timeout_ns, 7 * YK_NS_PER_S);
    bind_placeholder(world, 0);
    fake_core_app_state(&world->core, "app", YK_APP_RESUMING, YK_SI_FAILURE_OTHER,
                        "ResourceReservationTimeout");
    let_go(world, uid_of(p1));
    let_go(world, uid_of(p0));
    expect_event(world, "GangSchedulingFailed", "Application app resuming as non-gang application (SOFT)");
    assert_true(deleted(world, p1, YK_OP_OK, 200));
    removed(world, placeholder(world, "r0", 1));
    told(world, ""); /* the core has dropped that ask itself */
    assert_true(deleted(world, p0, YK_OP_OK, 200));
    removed(world, on(placeholder(world, "r0", 0), "n1"));
    told_of(world, "release uid-%s 2; ask uid-r0", p0);
    upsert(world, placeholder(world, "r0", 1)); /* its request was late */
    told(world, "");
    assert_true(deleted(world, p1, YK_OP_OK, 200));
}

/* S07, S15 */
static void hard_fails_the_pods(void **state)
{
    struct world *world = *state;
    const char *p0 = placeholder_name("r0", 0), *p1 = placeholder_name("r0", 1);
    reserving_with(world, "gangSchedulingStyle=Hard");
    assert_int_equal(world->core.last_style, YK_SI_GANG_HARD);
    bind_placeholder(world, 0);
    fake_core_app_state(&world->core, "app", YK_APP_FAILING, YK_SI_FAILURE_GANG_TIMEOUT,
                        "ResourceReservationTimeout");
    let_go(world, uid_of(p1));
    let_go(world, uid_of(p0));
    work(world);
    const struct yk_op *op = fake_api_find(&world->api, YK_OP_PATCH_POD_STATUS, "r0");
    assert_non_null(op);
    assert_non_null(strstr(yk_buf_cstr(&op->body), "\"reason\":\"ResourceReservationTimeout\""));
    assert_non_null(strstr(yk_buf_cstr(&op->body), "Scheduling has timed out due to insufficient resources"));
    assert_null(fake_api_find(&world->api, YK_OP_PATCH_POD_STATUS, p0)); /* these are deleted */
    assert_true(deleted(world, p1, YK_OP_OK, 200));
    assert_true(deleted(world, p0, YK_OP_OK, 200));
    removed(world, placeholder(world, "r0", 1));
    removed(world, on(placeholder(world, "r0", 0), "n1"));
    told_of(world, "release uid-%s 2", p0);
}

/* The core dropped the ask of a real pod as well, because it knew of another sum: it is asked for again. */
static void a_real_ask_that_timed_out_is_asked_again(void **state)
{
    struct world *world = *state;
    const char *p0 = placeholder_name("r0", 0), *p1 = placeholder_name("r0", 1);
    reserved(world);
    fake_core_app_state(&world->core, "app", YK_APP_RESUMING, YK_SI_FAILURE_OTHER,
                        "ResourceReservationTimeout");
    let_go(world, "uid-r0");
    let_go(world, uid_of(p0));
    let_go(world, uid_of(p1));
    told(world, "");
    assert_null(fake_api_find(&world->api, YK_OP_DELETE_POD, "r0")); /* a user's pod */
    removed(world, on(placeholder(world, "r0", 0), "n1"));
    told_of(world, "release uid-%s 2", p0);
    removed(world, on(placeholder(world, "r0", 1), "n1"));
    told_of(world, "release uid-%s 2; ask uid-r0", p1);
}

/* 3.5: the first that cannot be made ends the gang; those that are there go. */
static void what_cannot_be_made_is_done_without(void **state)
{
    struct world *world = *state;
    const char *p0 = placeholder_name("r0", 0), *p1 = placeholder_name("r0", 1);
    running(world);
    upsert(world, member(world, "r0"));
    told(world, "app app");
    assert_true(made(world, p0, YK_OP_OK, 201));
    upsert(world, placeholder(world, "r0", 0));
    told_of(world, "ask uid-%s", p0);
    assert_true(made(world, p1, YK_OP_INVALID, 422));
    told_of(world, "release uid-%s 1; ask uid-r0", p0);
    expect_event(world, "PlaceholderCreateFailed", "Application app fall back to normal scheduling");
    expect_unused(world, "app", "its placeholders cannot be created: the API server refuses them");
    assert_true(deleted(world, p0, YK_OP_OK, 200));
    pass(world, 60 * YK_NS_PER_S);
    assert_int_equal(fake_api_count(&world->api, YK_OP_CREATE_POD), 0);
}

/* A refusal is logged in full once for the gang; the others are counted. */
static void refusals_are_logged_once(void **state)
{
    struct world *world = *state;
    char text[16384] = "";
    FILE *stream = tmpfile();
    running(world);
    upsert(world, member(world, "r0"));
    told(world, "app app");
    yk_log_set_stream(stream);
    assert_true(made(world, placeholder_name("r0", 0), YK_OP_INVALID, 422));
    assert_true(made(world, placeholder_name("r0", 1), YK_OP_INVALID, 422));
    yk_log_set_stream(NULL);
    (void)fseek(stream, 0, SEEK_SET);
    assert_int_not_equal(fread(text, 1, sizeof(text) - 1, stream), 0);
    (void)fclose(stream);
    const char *first = strstr(text, "placeholder could not be made");
    assert_non_null(first);
    assert_null(strstr(first + 1, "placeholder could not be made"));
    const char *sum = strstr(text, "placeholders of a gang could not be made");
    assert_non_null(sum);
    assert_non_null(strstr(sum, "\"count\": 2"));
}

/* The API server is busy: tried again; it stays busy: done without. */
static void a_busy_server_is_asked_again(void **state)
{
    struct world *world = *state;
    const char *p0 = placeholder_name("r0", 0);
    running(world);
    upsert(world, member(world, "r0"));
    told(world, "app app");
    for (int i = 0; i < 7; i++) {
        assert_true(made(world, p0, YK_OP_RETRY, 503));
        assert_false(made(world, p0, YK_OP_OK, 201));
        pass(world, 30 * YK_NS_PER_S);
    }
    told(world, "");
    assert_true(made(world, p0, YK_OP_RETRY, 503));
    told(world, "ask uid-r0");
}

/* Killed, or cut off, between request and answer: what is there by that name is it. */
static void an_answer_that_was_lost(void **state)
{
    struct world *world = *state;
    const char *p0 = placeholder_name("r0", 0), *p1 = placeholder_name("r0", 1);
    running(world);
    upsert(world, member(world, "r0"));
    told(world, "app app");
    upsert(world, placeholder(world, "r0", 0));
    told_of(world, "ask uid-%s", p0);
    assert_true(made(world, p0, YK_OP_CONFLICT, 409));
    assert_true(made(world, p1, YK_OP_RETRY, 0));
    upsert(world, placeholder(world, "r0", 1));
    told_of(world, "ask uid-%s", p1);
    pass(world, 60 * YK_NS_PER_S);
    assert_int_equal(fake_api_count(&world->api, YK_OP_CREATE_POD), 0);
    told(world, "");
}

/* 409, and the watch does not show it yet. */
static void a_conflict_is_looked_at_again(void **state)
{
    struct world *world = *state;
    const char *p0 = placeholder_name("r0", 0);
    running(world);
    upsert(world, member(world, "r0"));
    settle(world);
    assert_true(made(world, p0, YK_OP_CONFLICT, 409));
    pass(world, YK_NS_PER_S);
    assert_true(made(world, p0, YK_OP_OK, 201)); /* it had gone */
    told(world, "");
}

/* Another client deletes a placeholder: it is made again, a limited number of times. */
static void a_lost_placeholder_is_made_again(void **state)
{
    struct world *world = *state;
    const char *p1 = placeholder_name("r0", 1);
    reserving_with(world, "");
    for (int i = 0; i < 10; i++) {
        removed(world, placeholder(world, "r0", 1));
        settle(world);
        assert_true(deleted(world, p1, YK_OP_NOT_FOUND, 404)); /* it may only have ended */
        assert_int_equal(fake_api_count(&world->api, YK_OP_CREATE_POD), 0);
        pass(world, 10 * YK_NS_PER_S);
        assert_true(made(world, p1, YK_OP_OK, 201));
        upsert(world, placeholder(world, "r0", 1));
        told_of(world, "ask uid-%s", p1);
    }
    removed(world, placeholder(world, "r0", 1));
    settle(world);
    pass(world, 10 * YK_NS_PER_S);
    told_of(world, "release uid-%s 1; ask uid-r0", placeholder_name("r0", 0));
}

/* The core ends it for another gang: it is made again as often as that happens, every 10 s at most. */
static void one_that_gave_way_is_made_again_without_end(void **state)
{
    struct world *world = *state;
    const char *p1 = placeholder_name("r0", 1);
    reserving_with(world, "");
    for (int i = 0; i < 25; i++) {
        bind_placeholder(world, 1);
        released(world, uid_of(p1), YK_SI_PREEMPTED_BY_SCHEDULER, "Gives way to gang 'other'");
        assert_true(deleted(world, p1, YK_OP_OK, 200));
        removed(world, on(placeholder(world, "r0", 1), "n1"));
        told_of(world, "release uid-%s 3", p1);
        assert_int_equal(fake_api_count(&world->api, YK_OP_CREATE_POD), 0);
        pass(world, 10 * YK_NS_PER_S);
        assert_true(made(world, p1, YK_OP_OK, 201));
        upsert(world, placeholder(world, "r0", 1));
        told_of(world, "ask uid-%s", p1);
    }
}

static void a_refused_placeholder_ends_the_gang(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, member(world, "r0"));
    settle(world);
    world->core.refuse_ask = "no";
    assert_true(made(world, placeholder_name("r0", 0), YK_OP_OK, 201));
    upsert(world, placeholder(world, "r0", 0));
    work(world);
    world->core.refuse_ask = NULL;
    assert_true(deleted(world, placeholder_name("r0", 0), YK_OP_OK, 200));
    expect_event(world, "PlaceholderCreateFailed", "fall back");
}

/* ---- start ---- */

static void starting_with(struct world *world, struct yk_pod *const *pods, size_t count)
{
    listed_nodes(world, 2);
    work(world);
    yk_buf_done(&world->core.log);
    list(world, YK_KIND_POD, YK_WATCH_REPLACE_BEGIN);
    for (size_t i = 0; i < count; i++)
        upsert(world, pods[i]);
    list(world, YK_KIND_POD, YK_WATCH_REPLACE_END);
    work(world);
    assert_true(yk_shim_is_ready(world->shim));
}

/* One was made and is bound, the other one was on its way when the process was killed. */
static void a_restart_counts_what_is_there(void **state)
{
    struct world *world = *state;
    struct yk_pod *const pods[] = {member(world, "r0"), member(world, "r1"),
                                   on(placeholder(world, "r1", 1), "n1")};
    starting_with(world, pods, 3);
    told_of(world, "app app; alloc uid-%s@n1; node n1 5; node n2 5", placeholder_name("r1", 1));
    assert_int_equal(fake_api_count(&world->api, YK_OP_CREATE_POD), 1);
    assert_non_null(
        fake_api_find(&world->api, YK_OP_CREATE_POD, placeholder_name("r1", 0))); /* of the same owner */
    assert_true(made(world, placeholder_name("r1", 0), YK_OP_CONFLICT, 409));     /* it has arrived */
    upsert(world, placeholder(world, "r1", 0));
    settle(world);
    pass(world, 60 * YK_NS_PER_S);
    assert_int_equal(fake_api_count(&world->api, YK_OP_CREATE_POD), 0);
}

/* P13: the pod that had named the groups is gone, the others do not: the placeholders know. */
static void placeholders_speak_for_their_gang(void **state)
{
    struct world *world = *state;
    struct yk_pod *const pods[] = {pod(world, "r5"), on(placeholder(world, "r0", 0), "n1")};
    starting_with(world, pods, 2);
    settle(world);
    assert_int_equal(world->core.last_members, 2);
    assert_null(fake_core_ask(&world->core, "uid-r5"));                                       /* it waits */
    assert_non_null(fake_api_find(&world->api, YK_OP_CREATE_POD, placeholder_name("r5", 0))); /* r0 is gone */
    assert_int_equal(fake_api_count(&world->api, YK_OP_CREATE_POD), 1);
    assert_int_equal(fake_api_count(&world->api, YK_OP_DELETE_POD), 0);
}

/* Placeholders of Apache YuniKorn have names of their own. */
static void placeholders_of_others_count(void **state)
{
    struct world *world = *state;
    struct yk_pod *const pods[] = {member(world, "r0"),
                                   placeholder_named(world, "tg-app-g-0123456789", "r0")};
    starting_with(world, pods, 2);
    settle(world);
    assert_int_equal(fake_api_count(&world->api, YK_OP_CREATE_POD), 1);
}

static void too_many_are_taken_away(void **state)
{
    struct world *world = *state;
    struct yk_pod *const pods[] = {member(world, "r0"), placeholder(world, "r0", 0),
                                   placeholder(world, "r0", 1),
                                   placeholder_named(world, "tg-app-g-0123456789", "r0")};
    starting_with(world, pods, 4);
    assert_int_equal(fake_api_count(&world->api, YK_OP_DELETE_POD), 1);
    assert_int_equal(fake_api_count(&world->api, YK_OP_CREATE_POD), 0);
    settle(world);
}

/* 3.2: it has been reserved before. What holds room is kept, what only waits is not needed. */
static void a_gang_that_runs_already_runs(void **state)
{
    struct world *world = *state;
    struct yk_pod *const pods[] = {on(member(world, "r0"), "n1"), member(world, "r1"),
                                   on(placeholder(world, "r0", 0), "n2"), placeholder(world, "r0", 1)};
    starting_with(world, pods, 4);
    settle(world);
    assert_string_equal(fake_core_ask(&world->core, "uid-r0")->node, "n1");
    assert_string_equal(fake_core_ask(&world->core, "uid-r1")->node, "");
    const struct fake_ask *kept = fake_core_ask(&world->core, uid_of(placeholder_name("r0", 0)));
    assert_true(kept != NULL && kept->placeholder);
    assert_string_equal(kept->node, "n2");
    assert_true(deleted(world, placeholder_name("r0", 1), YK_OP_OK, 200));
    assert_int_equal(fake_api_count(&world->api, YK_OP_DELETE_POD), 0);
    assert_int_equal(fake_api_count(&world->api, YK_OP_CREATE_POD), 0);
}

/* S16: its time was over before we came. */
/* Created within the same second, and the placeholders have the first names: also those that another
 * scheduler made, with the user that its admission controller wrote. */
static void the_user_after_a_restart(void **state)
{
    static const struct {
        const char *what;
        bool is_bound; /* of the placeholder */
    } cases[] = {{"it waits", false}, {"it runs", true}};
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        if (i > 0)
            assert_int_equal(set_up(state), 0);
        struct world *world = *state;
        listed_nodes(world, 2);
        list(world, YK_KIND_POD, YK_WATCH_REPLACE_BEGIN);
        struct yk_pod *first = placeholder_named(world, "a-placeholder", "r0");
        add_pair(&first->object, &first->object.annotations, "yunikorn.apache.org/user.info",
                 "{\"user\":\"system\"}");
        upsert(world, cases[i].is_bound ? on(first, "n1") : first);
        struct yk_pod *real = member(world, "r0");
        add_pair(&real->object, &real->object.annotations, "yunikorn.apache.org/user.info",
                 "{\"user\":\"ann\"}");
        upsert(world, real);
        list(world, YK_KIND_POD, YK_WATCH_REPLACE_END);
        settle(world);
        if (strcmp(world->core.last_user, "ann") != 0)
            fail_msg("%s: '%s'", cases[i].what, world->core.last_user);
        if (i + 1 < YK_COUNT(cases))
            assert_int_equal(tear_down(state), 0);
    }
}

static void too_late_after_a_restart(void **state)
{
    struct world *world = *state;
    const char *policy = "placeholderTimeoutInSeconds=60";
    struct yk_pod *late = member_with(world, "r0", two_members, policy);
    late->object.creation_wall_ns -= 60 * YK_NS_PER_S;
    starting_with(world, &late, 1);
    told(world, "app app; ask uid-r0; node n1 5; node n2 5");
    assert_int_equal(fake_api_count(&world->api, YK_OP_CREATE_POD), 0);
    expect_event(world, "PlaceholderTimeout",
                 "Application app placeholder timeout exceeded, not creating placeholders");
}

static void too_late_and_hard(void **state)
{
    struct world *world = *state;
    struct yk_pod *late =
        member_with(world, "r0", two_members, "placeholderTimeoutInSeconds=60 gangSchedulingStyle=Hard");
    late->object.creation_wall_ns -= 61 * YK_NS_PER_S;
    starting_with(world, &late, 1);
    told(world, "app app; remove app app; node n1 5; node n2 5");
    assert_non_null(fake_api_find(&world->api, YK_OP_PATCH_POD_STATUS, "r0"));
}

/* The core gets the time that is left; 15 minutes where the pod has none. */
static void the_time_goes_on_during_a_restart(void **state)
{
    struct world *world = *state;
    struct yk_pod *const pods[] = {member(world, "r0"), placeholder(world, "r0", 0)};
    pods[0]->object.creation_wall_ns -= 600 * YK_NS_PER_S;
    starting_with(world, pods, 2);
    settle(world);
    assert_int_equal(world->core.last_timeout_ns, 300 * YK_NS_PER_S);
}

/* ---- no member is left ---- */

static void orphans_are_deleted_at_the_start(void **state)
{
    struct world *world = *state;
    struct yk_pod *const pods[] = {placeholder(world, "r0", 0), on(placeholder(world, "r0", 1), "n1")};
    starting_with(world, pods, 2);
    const char *p1 = placeholder_name("r0", 1);
    told_of(world, "foreign uid-%s@n1; node n1 5; node n2 5",
            p1); /* it uses its node as long as it is there */
    assert_true(deleted(world, placeholder_name("r0", 0), YK_OP_OK, 200));
    assert_true(deleted(world, p1, YK_OP_RETRY, 500));
    pass(world, YK_NS_PER_S);
    assert_true(deleted(world, p1, YK_OP_OK, 200));
    removed(world, placeholder(world, "r0", 0));
    removed(world, on(placeholder(world, "r0", 1), "n1"));
    told_of(world, "release uid-%s 1", p1);
    struct yk_shim_counts counts;
    yk_shim_count(world->shim, &counts);
    assert_int_equal(counts.applications, 0);
}

/* The pods go before the gang could run: so do the placeholders, and the next gang of that id is another
 * one. */
static void a_gang_that_is_given_up(void **state)
{
    struct world *world = *state;
    const char *p0 = placeholder_name("r0", 0), *p1 = placeholder_name("r0", 1);
    reserving_with(world, "");
    bind_placeholder(world, 0);
    settle(world);
    removed(world, member(world, "r0"));
    told_of(world, "release uid-%s 1; foreign uid-%s@n1; release uid-%s 1", p0, p0, p1);
    assert_true(deleted(world, p0, YK_OP_OK, 200));
    assert_true(deleted(world, p1, YK_OP_OK, 200));
    upsert(world, member(world, "r9")); /* while the core completes the former one */
    told(world, "remove app app; app app");
    assert_int_equal(fake_api_count(&world->api, YK_OP_CREATE_POD), 2);
    assert_non_null(fake_api_find(&world->api, YK_OP_CREATE_POD, placeholder_name("r9", 0)));
}

/* The core completes it, as any application; with its placeholders nothing is left here. */
static void a_gang_that_is_given_up_completes(void **state)
{
    struct world *world = *state;
    const char *p0 = placeholder_name("r0", 0), *p1 = placeholder_name("r0", 1);
    reserving_with(world, "");
    removed(world, member(world, "r0"));
    settle(world);
    assert_true(deleted(world, p0, YK_OP_OK, 200));
    assert_true(deleted(world, p1, YK_OP_OK, 200));
    removed(world, placeholder(world, "r0", 0));
    removed(world, placeholder(world, "r0", 1));
    told(world, "");
    assert_int_equal(yk_shim_apps(world->shim)->by_id.count, 1);
    fake_core_app_state(&world->core, "app", YK_APP_COMPLETED, YK_SI_FAILURE_OTHER, "");
    told(world, "");
    assert_int_equal(yk_shim_apps(world->shim)->by_id.count, 0);
}

static void an_application_that_completes_keeps_none(void **state)
{
    struct world *world = *state;
    reserved(world);
    fake_core_app_state(&world->core, "app", YK_APP_COMPLETED, YK_SI_FAILURE_OTHER, "done");
    work(world);
    assert_int_equal(fake_api_count(&world->api, YK_OP_DELETE_POD), 2);
    settle(world);
}

static void a_gang_that_is_rejected(void **state)
{
    struct world *world = *state;
    running(world);
    world->core.refuse_app = "queue root.a cannot fit application app";
    upsert(world, member(world, "r0"));
    told(world, "app app");
    assert_int_equal(fake_api_count(&world->api, YK_OP_CREATE_POD), 0);
    assert_non_null(fake_api_find(&world->api, YK_OP_PATCH_POD_STATUS, "r0"));
}

/* ---- no gang ---- */

/* P10 */
static void wrong_groups_are_told_and_left_out(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, member_with(world, "r0", "[{\"name\":\"g\",\"minMember\":0,\"minResource\":{}}]", ""));
    told(world, "app app; ask uid-r0");
    assert_int_equal(world->core.last_members, 0);
    assert_int_equal(fake_api_count(&world->api, YK_OP_CREATE_POD), 0);
    expect_event(world, "TaskGroupsError", "unable to get taskGroups for pod, reason: task group 1 'g': ");
    expect_unused(world, "app", "task group 1 'g': 'minMember' is 0, it has to be positive");
}

/* The core gets the total of the gang again when a node offers what the gang asks for. */
static void the_total_changes_with_the_resources(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world,
           member_with(world, "r0",
                       "[{\"name\":\"g\",\"minMember\":2,\"minResource\":{\"gang.example/x\":\"3\"}}]", ""));
    told(world, "app app");
    upsert(world, make_node("n3", next_version(world), "cpu=4 pods=10 gang.example/x=8"));
    told(world, "node n3 6 capacity; node n3 5; gang of app");
    int type = yk_restype_find(YK_STR("gang.example/x"));
    assert_int_not_equal(type, YK_RESTYPE_UNKNOWN);
    assert_int_equal(yk_resvec_get(&world->core.last_total, type), 6);
    assert_int_equal(yk_resvec_count(&world->core.last_total), 2); /* and two pods */
    upsert(world, make_node("n4", next_version(world), "cpu=4 pods=10 other.example/x=8"));
    told(world, "node n4 6 capacity; node n4 5");
    yk_resvec_done(&world->core.last_total);
}

/* P11: a gang with a timeout that is too long waits for 15 minutes, and the pod gets an event that says so. */
static void wrong_policies_are_told(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world,
           member_with(world, "r0", "[{\"name\":\"g\",\"minMember\":1,\"minResource\":{\"cpu\":\"1\"}}]",
                       "placeholderTimeoutInSeconds=9999999999"));
    settle(world);
    expect_event(
        world, "PolicyParametersError",
        "placeholderTimeoutInSeconds is '9999999999', not a number of seconds from 0 to 9223372036, so "
        "the timeout is 15 minutes");
    assert_int_equal(fake_api_count(&world->api, YK_OP_CREATE_POD), 1);
}

/* A misspelt name of a task group: the pod is a member of no group, and gets an event that says so. */
static void a_strange_group_is_told(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, member_with(world, "r0",
                              "[{\"name\":\"h\",\"minMember\":1,\"minResource\":{\"cpu\":\"1\"}}]", ""));
    settle(world);
    expect_event(world, "TaskGroupsError", "task group 'g' is not among those of application app: h");
}

/* 4: service.disableGangScheduling */
static void gangs_can_be_switched_off(void **state)
{
    struct world *world = *state;
    list(world, YK_KIND_CONFIG_MAP, YK_WATCH_REPLACE_BEGIN);
    upsert(world, config(world, "service.disableGangScheduling", "true"));
    list(world, YK_KIND_CONFIG_MAP, YK_WATCH_REPLACE_END);
    empty_list(world, YK_KIND_NAMESPACE);
    empty_list(world, YK_KIND_PRIORITY_CLASS);
    list(world, YK_KIND_NODE, YK_WATCH_REPLACE_BEGIN);
    upsert(world, node(world, "n1"));
    list(world, YK_KIND_NODE, YK_WATCH_REPLACE_END);
    list(world, YK_KIND_POD, YK_WATCH_REPLACE_BEGIN);
    upsert(world, member(world, "r0"));
    upsert(world, placeholder(world, "r0", 0)); /* of a time when it was on */
    list(world, YK_KIND_POD, YK_WATCH_REPLACE_END);
    settle(world);
    assert_int_equal(world->core.last_members, 0);
    assert_non_null(fake_core_ask(&world->core, "uid-r0"));
    assert_int_equal(fake_api_count(&world->api, YK_OP_CREATE_POD), 0);
    assert_true(deleted(world, placeholder_name("r0", 0), YK_OP_OK, 200));
}

/* S14, "How many": three placeholders in a namespace. */
static struct yk_pod *member_of(struct world *world, const char *app, const char *namespace_,
                                const char *groups)
{
    struct yk_pod *object = make_pod(namespace_, app, next_version(world));
    struct yk_object *meta = &object->object;
    add_container(object, "c", "cpu=1");
    add_pair(meta, &meta->labels, "applicationId", app);
    add_pair(meta, &meta->annotations, GROUPS, groups);
    add_pair(meta, &meta->annotations, GROUP, "g");
    return object;
}

static void placeholders_of_a_namespace_are_limited(void **state)
{
    struct world *world = *state;
    running_with(world, "service.maxPlaceholdersPerNamespace", "3");

    upsert(world, member_of(world, "one", "ns", two_members));
    upsert(world, member_of(world, "two", "ns", two_members));
    settle(world);
    assert_int_equal(fake_api_count(&world->api, YK_OP_CREATE_POD), 2);
    expect_event(world, "CreatingPlaceholders",
                 "waits until its namespace has fewer placeholders: it has 2 members, and 3 are allowed");
    pass(world, 60 * YK_NS_PER_S);
    assert_int_equal(fake_api_count(&world->api, YK_OP_CREATE_POD), 2);
    upsert(world, member_of(world, "other", "another", two_members)); /* each namespace has its own */
    settle(world);
    assert_int_equal(fake_api_count(&world->api, YK_OP_CREATE_POD), 4);

    removed(world, member_of(world, "one", "ns", two_members)); /* that gang is given up */
    pass(world, 20 * YK_NS_PER_S);
    settle(world);
    assert_int_equal(fake_api_count(&world->api, YK_OP_CREATE_POD), 6);

    upsert(world, member_of(world, "many", "third",
                            "[{\"name\":\"g\",\"minMember\":100000,\"minResource\":{\"cpu\":\"1\"}}]"));
    settle(world);
    assert_int_equal(fake_api_count(&world->api, YK_OP_CREATE_POD), 6);
    expect_event(
        world, "PlaceholderCreateFailed",
        "needs more placeholders than a namespace may have: it has 100000 members, and 3 are allowed");
    assert_non_null(fake_core_ask(&world->core, "uid-many")); /* as an ordinary application */
    expect_unused(world, "many",
                  "it has 100000 members, and a namespace may have 3 placeholders "
                  "(service.maxPlaceholdersPerNamespace)");
    expect_unused(world, "other", "");
    expect_unused(world, "unknown", "");
    settle(world);
}

/* Its members do not count any longer, also before its pods are gone. */
static void a_gang_that_completes_makes_room_for_the_next_one(void **state)
{
    struct world *world = *state;
    running_with(world, "service.maxPlaceholdersPerNamespace", "3");
    upsert(world, member_of(world, "one", "ns", two_members));
    upsert(world, member_of(world, "two", "ns", two_members));
    settle(world);
    assert_int_equal(fake_api_count(&world->api, YK_OP_CREATE_POD), 2);
    fake_core_app_state(&world->core, "one", YK_APP_COMPLETED, YK_SI_FAILURE_OTHER, "");
    pass(world, 20 * YK_NS_PER_S);
    settle(world);
    assert_int_equal(fake_api_count(&world->api, YK_OP_CREATE_POD), 4);
}

/* In a copy of the process, a gang gets its placeholders although requests of the original have no answer.
 * One of these waits to be repeated. */
static void a_copy_makes_all_placeholders(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, member_with(world, "r0",
                              "[{\"name\":\"g\",\"minMember\":40,\"minResource\":{\"cpu\":\"1\"}}]", ""));
    settle(world);
    assert_true(made(world, placeholder_name("r0", 0), YK_OP_RETRY, 503));
    assert_int_equal(fake_api_count(&world->api, YK_OP_CREATE_POD), YK_PLACEHOLDERS_IN_FLIGHT_MAX - 1);
    yk_shim_detach(world->shim);
    work(world);
    assert_int_equal(fake_api_count(&world->api, YK_OP_CREATE_POD), 39);
    settle(world);
}

/* ---- a standby ---- */

static void a_standby_makes_and_deletes_nothing(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, placeholder_named(world, "tg-other-g-1", "gone"));
    upsert(world, member(world, "r0"));
    settle(world);
    pass(world, 60 * YK_NS_PER_S);
    assert_null(world->api.first);
    upsert(world, placeholder(world, "r0", 1)); /* the leader has made it, and went */
    settle(world);
    yk_shim_lead(world->shim);
    pass(world, YK_NS_PER_S);
    /* The other one, whose owner is not known, is a member of this gang as well: nothing is missing. */
    assert_int_equal(fake_api_count(&world->api, YK_OP_CREATE_POD), 0);
    settle(world);
}

static void a_standby_takes_over_in_the_middle(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, member(world, "r0"));
    upsert(world, placeholder(world, "r0", 1));
    settle(world);
    assert_null(world->api.first);
    yk_shim_lead(world->shim);
    pass(world, YK_NS_PER_S);
    assert_int_equal(fake_api_count(&world->api, YK_OP_CREATE_POD), 1);
    assert_true(made(world, placeholder_name("r0", 0), YK_OP_OK, 201));
    settle(world);
}

static void a_standby_deletes_orphans_when_it_leads(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, placeholder(world, "r0", 0));
    settle(world);
    assert_null(world->api.first);
    yk_shim_lead(world->shim);
    work(world);
    assert_true(deleted(world, placeholder_name("r0", 0), YK_OP_OK, 200));
}

#define CASE(test)    cmocka_unit_test_setup_teardown(test, set_up, tear_down)
#define STANDBY(test) cmocka_unit_test_setup_teardown(test, set_up_standby, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_gang_is_reserved_and_runs),
        CASE(real_pods_say_that_their_gang_waits),
        CASE(held_pods_are_listed_in_steps),
        CASE(a_pod_of_the_same_name_is_another_one),
        CASE(what_the_core_lets_go_is_deleted_and_confirmed),
        CASE(a_terminal_placeholder_is_deleted),
        CASE(a_deletion_is_repeated_until_it_is_gone),
        CASE(a_deletion_is_repeated_while_the_pod_is_there),
        CASE(a_deletion_ends_with_a_conflict_when_the_pod_is_gone),
        CASE(soft_goes_on_without_placeholders),
        CASE(hard_fails_the_pods),
        CASE(a_real_ask_that_timed_out_is_asked_again),
        CASE(what_cannot_be_made_is_done_without),
        CASE(refusals_are_logged_once),
        CASE(a_busy_server_is_asked_again),
        CASE(an_answer_that_was_lost),
        CASE(a_conflict_is_looked_at_again),
        CASE(a_lost_placeholder_is_made_again),
        CASE(one_that_gave_way_is_made_again_without_end),
        CASE(a_refused_placeholder_ends_the_gang),
        CASE(a_restart_counts_what_is_there),
        CASE(placeholders_speak_for_their_gang),
        CASE(placeholders_of_others_count),
        CASE(too_many_are_taken_away),
        CASE(a_gang_that_runs_already_runs),
        CASE(the_user_after_a_restart),
        CASE(too_late_after_a_restart),
        CASE(too_late_and_hard),
        CASE(the_time_goes_on_during_a_restart),
        CASE(orphans_are_deleted_at_the_start),
        CASE(a_gang_that_is_given_up),
        CASE(a_gang_that_is_given_up_completes),
        CASE(an_application_that_completes_keeps_none),
        CASE(a_gang_that_is_rejected),
        CASE(wrong_groups_are_told_and_left_out),
        CASE(the_total_changes_with_the_resources),
        CASE(wrong_policies_are_told),
        CASE(a_strange_group_is_told),
        CASE(gangs_can_be_switched_off),
        CASE(placeholders_of_a_namespace_are_limited),
        CASE(a_gang_that_completes_makes_room_for_the_next_one),
        CASE(a_copy_makes_all_placeholders),
        STANDBY(a_standby_makes_and_deletes_nothing),
        STANDBY(a_standby_takes_over_in_the_middle),
        STANDBY(a_standby_deletes_orphans_when_it_leads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
