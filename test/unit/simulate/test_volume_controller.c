/* SPDX-License-Identifier: Apache-2.0 */
/* Claims and persistent volumes in the cluster in memory: who is bound to whom, what is made, what is refused
 * (docs/reference/simulate.md, "What the cluster in memory does"). */
#include "simulate/fixture.h"

#include "api/encode.h"
#include "api/json_reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const struct yk_cluster_options with_times = {.provision_ns = 5 * YK_NS_PER_S};

static void put(struct fixture *f, enum yk_kind kind, const char *json)
{
    struct yk_object *object = NULL;
    struct yk_err err = {0};
    if (yk_object_from_json(kind, yk_str_from(json), &object, &err) != YK_OK)
        fail_msg("%s: %s", json, err.text);
    yk_cluster_put(f->cluster, object);
}

/* `spec`: more members, each with a comma behind it. */
static void put_claim(struct fixture *f, const char *name, const char *class, const char *size,
                      const char *spec)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    yk_buf_printf(
        &text,
        "{\"metadata\":{\"namespace\":\"default\",\"name\":\"%s\"},\"spec\":{%s\"storageClassName\":\"%s\","
        "\"accessModes\":[\"ReadWriteOnce\"],\"resources\":{\"requests\":{\"storage\":\"%s\"}}}}",
        name, spec, class, size);
    put(f, YK_KIND_VOLUME_CLAIM, yk_buf_cstr(&text));
}

static void put_volume(struct fixture *f, const char *name, const char *class, const char *size,
                       const char *spec)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    yk_buf_printf(&text,
                  "{\"metadata\":{\"name\":\"%s\"},\"spec\":{%s\"storageClassName\":\"%s\","
                  "\"accessModes\":[\"ReadWriteOnce\",\"ReadWriteMany\"],\"capacity\":{\"storage\":\"%s\"}}}",
                  name, spec, class, size);
    put(f, YK_KIND_VOLUME, yk_buf_cstr(&text));
}

static void put_classes(struct fixture *f)
{
    put(f, YK_KIND_STORAGE_CLASS,
        "{\"metadata\":{\"name\":\"now\"},\"provisioner\":\"csi.example\",\"volumeBindingMode\":"
        "\"Immediate\"}");
    put(f, YK_KIND_STORAGE_CLASS,
        "{\"metadata\":{\"name\":\"later\"},\"provisioner\":\"csi.example\",\"volumeBindingMode\":"
        "\"WaitForFirstConsumer\"}");
    put(f, YK_KIND_STORAGE_CLASS,
        "{\"metadata\":{\"name\":\"local\"},\"provisioner\":\"kubernetes.io/"
        "no-provisioner\",\"volumeBindingMode\":"
        "\"WaitForFirstConsumer\"}");
}

static const struct yk_volume_claim *claim(struct fixture *f, const char *name)
{
    return (const struct yk_volume_claim *)(const void *)yk_cluster_find(f->cluster, YK_KIND_VOLUME_CLAIM,
                                                                         "default", name);
}

static const struct yk_volume *volume(struct fixture *f, const char *name)
{
    return (const struct yk_volume *)(const void *)yk_cluster_find(f->cluster, YK_KIND_VOLUME, NULL, name);
}

static void expect_unbound(struct fixture *f, const char *name)
{
    if (!yk_str_is(claim(f, name)->phase, "Pending") || claim(f, name)->volume_name.p != NULL)
        fail_msg("claim %s is %s", name, claim(f, name)->phase.p);
}

/* Both say so, in phase, reference and annotation. */
static void expect_bound(struct fixture *f, const char *claim_name, const char *volume_name)
{
    const struct yk_volume_claim *c = claim(f, claim_name);
    const struct yk_volume *v = volume(f, volume_name);
    if (v == NULL || !yk_str_is(c->volume_name, volume_name))
        fail_msg("claim %s is bound to '%s'", claim_name, c->volume_name.p);
    assert_string_equal(c->phase.p, "Bound");
    assert_string_equal(v->phase.p, "Bound");
    assert_true(yk_str_is(yk_pairs_get(&c->object.annotations, YK_ANNOTATION_BIND_COMPLETED), "yes"));
    assert_string_equal(v->claim.uid.p, c->object.uid.p);
    assert_string_equal(v->claim.name.p, claim_name);
}

static void claims_are_bound_at_once_to_the_smallest_that_will_do(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f, &with_times);
    put_classes(&f);
    put_volume(&f, "large", "", "100Gi", "");
    put_volume(&f, "small", "", "1Gi", "");
    put_volume(&f, "fits", "", "10Gi", "");
    put_volume(&f, "block", "", "8Gi", "\"volumeMode\":\"Block\",");
    put_volume(&f, "classy", "other", "8Gi", "");
    put_volume(&f, "reserved", "", "8Gi", "\"claimRef\":{\"namespace\":\"default\",\"name\":\"other\"},");
    put_claim(&f, "data", "", "8Gi", "");
    put_claim(&f, "more", "", "8Gi", "");
    put_claim(&f, "none", "", "8Gi", "\"selector\":{\"matchLabels\":{\"disk\":\"gold\"}},");
    fixture_pass(&f, 0);
    expect_bound(&f, "data", "fits");
    expect_bound(&f, "more", "large");
    expect_unbound(&f, "none");
    assert_string_equal(volume(&f, "small")->phase.p, "Available");
    put_claim(&f, "other", "", "1Ti", ""); /* what is kept for it is not asked for its size */
    put(&f, YK_KIND_VOLUME,
        "{\"metadata\":{\"name\":\"gold\",\"labels\":{\"disk\":\"gold\"}},\"spec\":{\"accessModes\":["
        "\"ReadWriteOnce\"],"
        "\"capacity\":{\"storage\":\"8Gi\"}}}");
    fixture_pass(&f, 0);
    expect_bound(&f, "other", "reserved");
    expect_bound(&f, "none", "gold");

    assert_true(yk_cluster_delete(f.cluster, YK_KIND_VOLUME_CLAIM, "default", "data"));
    assert_true(yk_cluster_delete(f.cluster, YK_KIND_VOLUME, NULL, "large"));
    fixture_pass(&f, 0);
    assert_string_equal(volume(&f, "fits")->phase.p, "Released");
    assert_string_equal(claim(&f, "more")->phase.p, "Lost");
    fixture_done(&f);
}

/* Annotated as bound, without the name of a volume. */
static void a_claim_that_lost_the_name_of_its_volume(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f, &with_times);
    put_classes(&f);
    put_volume(&f, "disk", "now", "10Gi", "");
    put(&f, YK_KIND_VOLUME_CLAIM,
        "{\"metadata\":{\"name\":\"data\",\"namespace\":\"default\",\"annotations\":{"
        "\"pv.kubernetes.io/bind-completed\":\"yes\"}},\"spec\":{\"storageClassName\":\"now\","
        "\"accessModes\":[\"ReadWriteOnce\"],\"resources\":{\"requests\":{\"storage\":\"1Gi\"}}}}");
    fixture_pass(&f, 60 * YK_NS_PER_S); /* ends */
    assert_string_equal(claim(&f, "data")->phase.p, "Lost");
    assert_string_equal(volume(&f, "disk")->phase.p, "Available");
    fixture_done(&f);
}

static void volumes_are_made_after_a_while(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f, &with_times);
    put_classes(&f);
    put_claim(&f, "data", "now", "8Gi", "");
    fixture_pass(&f, 5 * YK_NS_PER_S - 1);
    expect_unbound(&f, "data");
    fixture_pass(&f, 1);
    YK_CLEANUP(yk_buf_done) struct yk_buf name = {0};
    yk_buf_printf(&name, "pvc-%s", claim(&f, "data")->object.uid.p);
    expect_bound(&f, "data", yk_buf_cstr(&name));
    const struct yk_volume *made = volume(&f, yk_buf_cstr(&name));
    assert_string_equal(made->source.csi_driver.p, "csi.example");
    assert_string_equal(yk_pairs_get(&made->object.annotations, YK_ANNOTATION_PROVISIONED_BY).p,
                        "csi.example");
    assert_true(made->capacity.items[0].quantity == claim(&f, "data")->requests.items[0].quantity);
    assert_false(made->has_required_affinity);
    fixture_done(&f);
}

/* As the scheduler's requests for volumes are made: of the claim's or volume's version of now. */
static void select_node(struct fixture *f, const char *name, const char *node, struct answered *answer)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf body = {0};
    yk_encode_selected_node(&body, claim(f, name)->object.resource_version, yk_str_from(node));
    submit(f, YK_OP_PATCH_CLAIM, name, NULL, NULL, yk_buf_cstr(&body), answer);
    fixture_pass(f, 0);
}

static void give(struct fixture *f, const char *volume_name, const char *claim_name, struct answered *answer)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf body = {0};
    const struct yk_claim_ref_patch patch = {.resource_version =
                                                 volume(f, volume_name)->object.resource_version,
                                             .claim = &claim(f, claim_name)->object,
                                             .by_controller = true};
    yk_encode_claim_ref(&body, &patch);
    submit(f, YK_OP_PATCH_VOLUME, volume_name, NULL, NULL, yk_buf_cstr(&body), answer);
    fixture_pass(f, 0);
}

static void a_claim_that_waits_is_served_once_its_node_is_chosen(void **state)
{
    (void)state;
    struct fixture f;
    struct answered answer;
    fixture_init(&f, &with_times);
    put_classes(&f);
    put_claim(&f, "data", "later", "8Gi", "");
    put_claim(&f, "taken-back", "later", "8Gi", "");
    put_claim(&f, "local", "local", "8Gi", "");
    fixture_pass(&f, 60 * YK_NS_PER_S);
    expect_unbound(&f, "data");

    select_node(&f, "data", "n1", &answer);
    assert_int_equal(answer.http_status, 200);
    select_node(&f, "taken-back", "n1", &answer);
    select_node(&f, "taken-back", NULL, &answer);
    assert_int_equal(answer.http_status, 200);
    assert_null(yk_pairs_get(&claim(&f, "taken-back")->object.annotations, YK_ANNOTATION_SELECTED_NODE).p);
    select_node(&f, "local", "n1", &answer);
    expect_unbound(&f, "data");
    fixture_pass(&f, 5 * YK_NS_PER_S);
    assert_string_equal(claim(&f, "data")->phase.p, "Bound");
    expect_unbound(&f, "taken-back");
    expect_unbound(&f, "local"); /* no provisioner makes those */
    fixture_done(&f);
}

static void a_volume_given_to_a_claim_that_waits_is_its_own(void **state)
{
    (void)state;
    struct fixture f;
    struct answered answer;
    fixture_init(&f, &with_times);
    put_classes(&f);
    put_claim(&f, "data", "local", "8Gi", "");
    put_volume(&f, "disk", "local", "10Gi", "");
    fixture_pass(&f, 60 * YK_NS_PER_S);
    expect_unbound(&f, "data");
    give(&f, "disk", "data", &answer);
    assert_int_equal(answer.http_status, 200);
    expect_bound(&f, "data", "disk");
    assert_string_equal(
        yk_pairs_get(&volume(&f, "disk")->object.annotations, YK_ANNOTATION_BOUND_BY_CONTROLLER).p, "yes");
    assert_string_equal(volume(&f, "disk")->claim.kind.p, "PersistentVolumeClaim");
    assert_string_equal(volume(&f, "disk")->claim.api_version.p, "v1");
    fixture_done(&f);
}

static void a_write_of_another_version_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        enum yk_op_kind kind;
        const char *name, *body;
        int want;
    } cases[] = {
        {"an old version", YK_OP_PATCH_CLAIM, "data", "{\"metadata\":{\"resourceVersion\":\"1\"}}", 409},
        {"an old version of a volume", YK_OP_PATCH_VOLUME, "disk",
         "{\"metadata\":{\"resourceVersion\":\"1\"}}", 409},
        {"no such claim", YK_OP_PATCH_CLAIM, "other", "{}", 404},
        {"no such volume", YK_OP_PATCH_VOLUME, "other", "{}", 404},
        {"no patch", YK_OP_PATCH_CLAIM, "data", "[", 422},
        {"a number as annotation", YK_OP_PATCH_CLAIM, "data", "{\"metadata\":{\"annotations\":{\"a\":1}}}",
         422},
        {"a text as claim", YK_OP_PATCH_VOLUME, "disk", "{\"spec\":{\"claimRef\":\"a\"}}", 422},
        {"nothing at all", YK_OP_PATCH_VOLUME, "disk", "{}", 200},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct fixture f;
        struct answered answer;
        fixture_init(&f, &with_times);
        put_classes(&f);
        put_claim(&f, "data", "local", "8Gi", "");
        put_volume(&f, "disk", "local", "10Gi", "");
        fixture_pass(&f, 0);
        submit(&f, cases[i].kind, cases[i].name, NULL, NULL, cases[i].body, &answer);
        fixture_pass(&f, 0);
        if (answer.http_status != cases[i].want)
            fail_msg("%s: got %d %s", cases[i].what, answer.http_status, answer.reason);
        assert_false(volume(&f, "disk")->has_claim);
        fixture_done(&f);
    }
}

static void faults_meet_the_writes(void **state)
{
    (void)state;
    struct fixture f;
    struct answered answer;
    fixture_init(&f, &with_times);
    put_classes(&f);
    put_claim(&f, "data", "local", "8Gi", "");
    put_volume(&f, "disk", "local", "10Gi", "");
    fixture_pass(&f, 0);
    const struct yk_fault refuse = {
        .op = YK_OP_PATCH_VOLUME, .kind = YK_FAULT_REFUSE, .nth = 1, .http_status = 500};
    const struct yk_fault lose = {.op = YK_OP_PATCH_CLAIM, .kind = YK_FAULT_LOSE, .nth = 1};
    assert_int_equal(yk_cluster_add_fault(f.cluster, &refuse, NULL), YK_OK);
    assert_int_equal(yk_cluster_add_fault(f.cluster, &lose, NULL), YK_OK);
    give(&f, "disk", "data", &answer);
    assert_int_equal(answer.result, YK_OP_RETRY);
    expect_unbound(&f, "data");
    select_node(&f, "data", "n1", &answer);
    assert_int_equal(answer.result, YK_OP_RETRY); /* but it was done, and the volume that is there will do */
    fixture_pass(&f, 0);
    expect_bound(&f, "data", "disk");
    fixture_done(&f);
}

static void without_the_controller_nothing_happens(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f, &(struct yk_cluster_options){.no_volume_controller = true});
    put_classes(&f);
    put_claim(&f, "data", "now", "8Gi", "");
    put_volume(&f, "disk", "now", "10Gi", "");
    fixture_pass(&f, 60 * YK_NS_PER_S);
    assert_null(claim(&f, "data")->phase.p);
    assert_null(volume(&f, "disk")->phase.p);
    fixture_done(&f);
}

static void watches_tell_of_all_kinds(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f, &(struct yk_cluster_options){.no_volume_controller = true});
    put_claim(&f, "data", "now", "8Gi", "");
    fixture_watch(&f, YK_KIND_VOLUME_CLAIM, NULL);
    fixture_watch(&f, YK_KIND_CSI_NODE, NULL);
    fixture_pass(&f, 0);
    fixture_expect_story(&f, "[ +data ] [ ]");
    put(&f, YK_KIND_CSI_NODE, "{\"metadata\":{\"name\":\"n1\"}}");
    assert_true(yk_cluster_delete(f.cluster, YK_KIND_VOLUME_CLAIM, "default", "data"));
    fixture_pass(&f, 0);
    fixture_expect_story(&f, "+n1 -data");
    fixture_done(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(claims_are_bound_at_once_to_the_smallest_that_will_do),
        cmocka_unit_test(a_claim_that_lost_the_name_of_its_volume),
        cmocka_unit_test(volumes_are_made_after_a_while),
        cmocka_unit_test(a_claim_that_waits_is_served_once_its_node_is_chosen),
        cmocka_unit_test(a_volume_given_to_a_claim_that_waits_is_its_own),
        cmocka_unit_test(a_write_of_another_version_is_refused),
        cmocka_unit_test(faults_meet_the_writes),
        cmocka_unit_test(without_the_controller_nothing_happens),
        cmocka_unit_test(watches_tell_of_all_kinds),
    };
    return cmocka_run_group_tests_name("simulate/volumes", tests, NULL, NULL);
}
