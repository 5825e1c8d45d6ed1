/* SPDX-License-Identifier: Apache-2.0 */
/* A pod is bound when its claims are (kubernetes.md 3.4, S11, S13; the binder itself: test/unit/volumes). */
#include "shim/world.h"

#include "api/json_reader.h"

#include "lib/cmocka_headers.h"

static void put(struct world *world, enum yk_kind kind, const char *namespace_, const char *name,
                const char *rest)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    struct yk_object *object = NULL;
    struct yk_err err = {0};
    yk_buf_printf(&text, "{'metadata':{'name':'%s','namespace':'%s','uid':'u-%s','resourceVersion':'%s'%s",
                  name, namespace_, name, next_version(world), rest);
    for (size_t i = 0; i < text.len; i++)
        text.p[i] = text.p[i] == '\'' ? '"' : text.p[i];
    if (yk_object_from_json(kind, yk_buf_view(&text), &object, &err) != YK_OK)
        fail_msg("%s", err.text);
    upsert(world, object);
}

static struct yk_pod *pod_with_claim(struct world *world, const char *name)
{
    struct yk_pod *object = pod(world, name);
    object->volumes = yk_arena_alloc0(&object->object.arena, sizeof(*object->volumes));
    object->volume_count = 1;
    object->volumes[0].has_claim = true;
    set_text(&object->object, &object->volumes[0].claim_name, "c");
    return object;
}

#define DELAYED "'spec':{'storageClassName':'s'}}"

/* A pod p that waits, with a claim that waits for its node. */
static void prepare(struct world *world)
{
    running(world);
    upsert(world, pod_with_claim(world, "p"));
    work(world); /* now the kinds are watched */
    for (int kind = YK_KIND_VOLUME_FIRST; kind <= YK_KIND_VOLUME_LAST; kind++)
        empty_list(world, (enum yk_kind)kind);
    put(world, YK_KIND_STORAGE_CLASS, "", "s",
        "},'provisioner':'d','volumeBindingMode':'WaitForFirstConsumer'}");
    put(world, YK_KIND_VOLUME_CLAIM, "ns", "c", "}," DELAYED);
    settle(world);
}

static void decide(struct world *world)
{
    assert_true(fake_core_decide(&world->core, "uid-p", "n1"));
    work(world);
    pass(world, 0);
}

static void claim_is_bound(struct world *world)
{
    put(world, YK_KIND_VOLUME, "", "v", "},'spec':{'storageClassName':'s'}}");
    put(world, YK_KIND_VOLUME_CLAIM, "ns", "c",
        ",'annotations':{'volume.kubernetes.io/selected-node':'n1','pv.kubernetes.io/bind-completed':'yes'}},"
        "'spec':{'storageClassName':'s','volumeName':'v'}}");
    pass(world, 0);
}

static bool patch_answered(struct world *world, enum yk_op_result result, int http)
{
    bool there = fake_api_answer(&world->api, YK_OP_PATCH_CLAIM, "c", result, http, "said so");
    work(world);
    return there;
}

static bool was_published(struct world *world, const char *what)
{
    for (struct yk_op *op = world->api.first; op != NULL; op = op->next) {
        if (op->kind == YK_OP_CREATE_EVENT && strstr(yk_buf_cstr(&op->body), what) != NULL)
            return true;
    }
    return false;
}

static void the_claim_comes_first_then_the_pod(void **state)
{
    struct world *world = *state;
    prepare(world);
    decide(world);
    struct yk_op *op = fake_api_find(&world->api, YK_OP_PATCH_CLAIM, "c");
    assert_non_null(op);
    assert_non_null(strstr(yk_buf_cstr(&op->body), "\"volume.kubernetes.io/selected-node\":\"n1\""));
    assert_int_equal(fake_api_count(&world->api, YK_OP_BIND), 0);
    assert_true(patch_answered(world, YK_OP_OK, 200));
    assert_int_equal(fake_api_count(&world->api, YK_OP_BIND), 0);
    claim_is_bound(world);
    assert_int_equal(fake_api_count(&world->api, YK_OP_BIND), 1);
    assert_true(answer(world, YK_OP_OK, 201, NULL));
    settle(world);
}

static void nothing_is_waited_for_when_all_is_bound(void **state)
{
    struct world *world = *state;
    prepare(world);
    claim_is_bound(world);
    decide(world);
    assert_int_equal(fake_api_count(&world->api, YK_OP_PATCH_CLAIM), 0);
    assert_int_equal(fake_api_count(&world->api, YK_OP_BIND), 1);
}

static void a_failure_is_told_and_decided_anew(void **state)
{
    struct world *world = *state;
    prepare(world);
    decide(world);
    assert_true(patch_answered(world, YK_OP_INVALID, 422));
    told(world, "release uid-p 5");
    assert_true(was_published(world, "Failed to bind volumes for ns/p on node n1, it will be retried"));
    assert_true(was_published(world, "PodVolumesBindFailure"));
    decide(world); /* once more */
    assert_true(patch_answered(world, YK_OP_OK, 200));
    claim_is_bound(world);
    assert_int_equal(fake_api_count(&world->api, YK_OP_BIND), 1);
}

static void a_pod_that_goes_meanwhile_is_forgotten(void **state)
{
    struct world *world = *state;
    prepare(world);
    decide(world);
    removed(world, pod_with_claim(world, "p"));
    settle(world);
    assert_true(patch_answered(world, YK_OP_OK, 200));
    claim_is_bound(world);
    assert_int_equal(fake_api_count(&world->api, YK_OP_BIND), 0);
}

static void a_node_that_goes_meanwhile_is_not_waited_for(void **state)
{
    struct world *world = *state;
    prepare(world);
    decide(world);
    removed(world, node(world, "n1"));
    settle(world);
    assert_true(patch_answered(world, YK_OP_RETRY, 500));
    pass(world, 2 * YK_NS_PER_S);
    assert_int_equal(fake_api_count(&world->api, YK_OP_PATCH_CLAIM), 0);
    assert_int_equal(fake_api_count(&world->api, YK_OP_BIND), 0);
    assert_non_null(fake_core_ask(&world->core, "uid-p")); /* it waits again */
}

static void time_out_comes_from_the_configuration(void **state)
{
    struct world *world = *state;
    prepare(world);
    decide(world);
    assert_true(patch_answered(world, YK_OP_OK, 200));
    pass(world, 599 * YK_NS_PER_S);
    assert_false(was_published(world, "PodVolumesBindFailure"));
    pass(world, 2 * YK_NS_PER_S);
    assert_true(was_published(world, "PodVolumesBindFailure"));
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(the_claim_comes_first_then_the_pod),           CASE(nothing_is_waited_for_when_all_is_bound),
        CASE(a_failure_is_told_and_decided_anew),           CASE(a_pod_that_goes_meanwhile_is_forgotten),
        CASE(a_node_that_goes_meanwhile_is_not_waited_for), CASE(time_out_comes_from_the_configuration),
    };
    return cmocka_run_group_tests_name("bind/volume_binding", tests, NULL, NULL);
}
