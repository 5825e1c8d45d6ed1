/* SPDX-License-Identifier: Apache-2.0 */
#include "api/encode.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

enum { AT_S = 1772600767 }; /* 2026-03-04T05:06:07Z */
static const int64_t at_ns = INT64_C(1772600767) * YK_NS_PER_S + 8900000;

/* The body must be JSON equal to `wanted`; empties it. */
static void check(const char *what, struct yk_buf *body, const char *wanted)
{
    json_error_t reason;
    assert_false(body->failed);
    json_t *got = json_loads(yk_buf_cstr(body), JSON_REJECT_DUPLICATES, &reason);
    json_t *want = json_loads(wanted, 0, &reason);
    assert_non_null(want);
    if (got == NULL || json_equal(got, want) == 0)
        fail_msg("%s: got %s", what, yk_buf_cstr(body));
    json_decref(got);
    json_decref(want);
    yk_buf_clear(body);
}

/* docs/reference/kubernetes.md, "What is written" (S09). */
static void volumes_are_bound_by_patches_with_a_version(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf body = {0};
    const struct yk_object claim = {.name = YK_STR("data"),
                                    .namespace_ = YK_STR("team-a"),
                                    .uid = YK_STR("u-7"),
                                    .resource_version = YK_STR("41")};
    struct yk_claim_ref_patch patch = {
        .resource_version = YK_STR("12"), .claim = &claim, .by_controller = true};
    yk_encode_claim_ref(&body, &patch);
    check(
        "claim reference", &body,
        "{\"metadata\":{\"resourceVersion\":\"12\",\"annotations\":{\"pv.kubernetes.io/bound-by-controller\":"
        "\"yes\"}},\"spec\":{\"claimRef\":{\"kind\":\"PersistentVolumeClaim\",\"namespace\":\"team-a\","
        "\"name\":\"data\",\"uid\":\"u-7\",\"apiVersion\":\"v1\",\"resourceVersion\":\"41\"}}}");
    patch.by_controller = false;
    yk_encode_claim_ref(&body, &patch);
    check("of a volume that was kept for the claim by hand", &body,
          "{\"metadata\":{\"resourceVersion\":\"12\"},\"spec\":{\"claimRef\":{\"kind\":"
          "\"PersistentVolumeClaim\",\"namespace\":\"team-a\",\"name\":\"data\",\"uid\":\"u-7\","
          "\"apiVersion\":\"v1\",\"resourceVersion\":\"41\"}}}");
    yk_encode_selected_node(&body, YK_STR("9"), YK_STR("node-1"));
    check("selected node", &body,
          "{\"metadata\":{\"resourceVersion\":\"9\",\"annotations\":{\"volume.kubernetes.io/selected-node\":"
          "\"node-1\"}}}");
    yk_encode_selected_node(&body, YK_STR("9"), (struct yk_str){0});
    check("the node is taken away", &body,
          "{\"metadata\":{\"resourceVersion\":\"9\",\"annotations\":{\"volume.kubernetes.io/selected-node\":"
          "null}}}");
}

static void bodies_say_what_they_should(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf body = {0};
    yk_encode_binding(&body, "ns", "pod", "u-1", "node-1");
    check("binding", &body,
          "{\"apiVersion\":\"v1\",\"kind\":\"Binding\",\"metadata\":{\"namespace\":\"ns\",\"name\":\"pod\","
          "\"uid\":\"u-1\"},"
          "\"target\":{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"name\":\"node-1\"}}");

    const struct yk_condition_patch patch = {.uid = "u-1",
                                             .type = "PodScheduled",
                                             .status = "False",
                                             .reason = "Unschedulable",
                                             .message = "no \"room\"\n",
                                             .transition_wall_ns = at_ns};
    yk_encode_pod_condition(&body, &patch);
    check("condition", &body,
          "{\"metadata\":{\"uid\":\"u-1\"},\"status\":{\"conditions\":[{\"type\":\"PodScheduled\",\"status\":"
          "\"False\","
          "\"reason\":\"Unschedulable\",\"message\":\"no "
          "\\\"room\\\"\\n\",\"lastTransitionTime\":\"2026-03-04T05:06:07Z\"}]}}");

    yk_encode_pod_condition(&body, &(struct yk_condition_patch){.type = "PodScheduled", .status = "False"});
    check("condition without guard and time", &body,
          "{\"status\":{\"conditions\":[{\"type\":\"PodScheduled\",\"status\":\"False\"}]}}");

    yk_encode_pod_condition(
        &body, &(struct yk_condition_patch){
                   .uid = "u-1", .version = 90071992547409930, .type = "PodScheduled", .status = "False"});
    check("condition of a pod of one version", &body,
          "{\"metadata\":{\"uid\":\"u-1\",\"resourceVersion\":\"90071992547409930\"},\"status\":{"
          "\"conditions\":[{"
          "\"type\":\"PodScheduled\",\"status\":\"False\"}]}}");

    yk_encode_pod_failed(&body, "u-1", "ApplicationRejected", "why: because: so");
    check(
        "failed", &body,
        "{\"metadata\":{\"uid\":\"u-1\"},\"status\":{\"phase\":\"Failed\",\"reason\":\"ApplicationRejected\","
        "\"message\":\"why: because: so\"}}");

    yk_encode_disruption_target(&body, "u-1", "preempted", at_ns, 0);
    check("disruption target", &body,
          "{\"metadata\":{\"uid\":\"u-1\"},\"status\":{\"conditions\":[{\"type\":\"DisruptionTarget\","
          "\"status\":\"True\","
          "\"reason\":\"PreemptionByScheduler\",\"message\":\"preempted\",\"lastTransitionTime\":\"2026-03-"
          "04T05:06:07Z\"}]}}");

    yk_encode_delete_options(&body, "u-1");
    check("delete", &body,
          "{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\",\"preconditions\":{\"uid\":\"u-1\"}}");
    yk_encode_delete_options(&body, NULL);
    check("delete any", &body, "{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\"}");
}

static void events_say_what_they_should(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf body = {0};
    struct yk_event_draft event = {
        .name = "pod.18",
        .namespace_ = "ns",
        .event_wall_ns = at_ns,
        .controller = "yunikorn",
        .instance = "yunikorn-host",
        .type = "Normal",
        .reason = "Scheduled",
        .action = "Scheduled",
        .note = "Successfully assigned ns/pod to node n",
        .regarding = {"v1", "Pod", "ns", "pod", "u-1", "7"},
    };
    yk_encode_event(&body, &event);
    check("event", &body,
          "{\"apiVersion\":\"events.k8s.io/"
          "v1\",\"kind\":\"Event\",\"metadata\":{\"namespace\":\"ns\",\"name\":\"pod.18\"},"
          "\"eventTime\":\"2026-03-04T05:06:07.008900Z\",\"reportingController\":\"yunikorn\","
          "\"reportingInstance\":\"yunikorn-host\",\"action\":\"Scheduled\",\"reason\":\"Scheduled\","
          "\"regarding\":{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"namespace\":\"ns\",\"name\":\"pod\","
          "\"uid\":\"u-1\","
          "\"resourceVersion\":\"7\"},\"note\":\"Successfully assigned ns/pod to node "
          "n\",\"type\":\"Normal\"}");

    yk_encode_event_series(&body, 2, at_ns);
    check("series", &body, "{\"series\":{\"count\":2,\"lastObservedTime\":\"2026-03-04T05:06:07.008900Z\"}}");
    event.series_count = 3;
    event.series_last_wall_ns = (int64_t)AT_S * YK_NS_PER_S;
    yk_encode_event(&body, &event);
    assert_non_null(strstr(yk_buf_cstr(&body),
                           "\"series\":{\"count\":3,\"lastObservedTime\":\"2026-03-04T05:06:07.000000Z\"}"));
}

static void notes_are_cut_between_characters(void **state)
{
    (void)state;
    static const struct {
        const char *what, *piece;
        size_t want; /* bytes of the note the server counts */
    } cases[] = {
        {"one byte each", "x", 1024},
        {"two bytes each", "\xc3\xa9", 1024},
        {"three bytes each", "\xe2\x82\xac", 1023},
        {"four bytes each", "\xf0\x9f\x98\x80", 1024},
        {"no characters: U+FFFD each", "\xff", 1023},
        {"an overlong form: two times U+FFFD", "\xc0\x80", 1023},
        {"a surrogate: three times U+FFFD", "\xed\xa0\x80", 1023},
        {"escaped ones count once", "\"", 1024},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf body = {0};
        YK_CLEANUP(yk_buf_done) struct yk_buf note = {0};
        while (note.len < 4000)
            yk_buf_text(&note, cases[i].piece);
        yk_encode_event(&body, &(struct yk_event_draft){.name = "e", .note = yk_buf_cstr(&note)});
        json_error_t reason;
        json_t *tree = json_loads(yk_buf_cstr(&body), 0, &reason);
        if (tree == NULL)
            fail_msg("%s: %s", cases[i].what, reason.text);
        size_t got = json_string_length(json_object_get(tree, "note"));
        json_decref(tree);
        if (got != cases[i].want)
            fail_msg("%s: %zu bytes", cases[i].what, got);
    }
}

static void event_names_are_names(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf name = {0};
    struct yk_random random;
    yk_random_init(&random, 1);
    yk_event_name(&name, "pod-1", 0x1a2b, &random);
    assert_string_equal(yk_buf_cstr(&name), "pod-1.1a2b");
    char longest[254];
    memset(longest, 'a', 253);
    longest[253] = '\0';
    yk_buf_clear(&name);
    yk_event_name(&name, longest, 1, &random);
    assert_int_equal(name.len, 36);
    assert_int_equal(name.p[14], '4');
    assert_non_null(strchr("89ab", name.p[19]));
}

static void a_full_body_is_noticed(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf body = {.max = 40};
    yk_encode_binding(&body, "ns", "pod", "u-1", "node-1");
    assert_true(body.failed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_say_what_they_should),
        cmocka_unit_test(volumes_are_bound_by_patches_with_a_version),
        cmocka_unit_test(events_say_what_they_should),
        cmocka_unit_test(notes_are_cut_between_characters),
        cmocka_unit_test(event_names_are_names),
        cmocka_unit_test(a_full_body_is_noticed),
    };
    return cmocka_run_group_tests_name("api/encode", tests, NULL, NULL);
}
