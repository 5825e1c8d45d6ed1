/* SPDX-License-Identifier: Apache-2.0 */
/* docs/reference/kubernetes.md, H1: how a Lease is read and written. */
#include "leader/lease.h"

#include "lib/cmocka_headers.h"

static struct yk_lease *read(const char *text)
{
    struct yk_lease *lease = NULL;
    struct yk_err err = {0};
    if (yk_lease_read(yk_str_from(text), &lease, &err) != YK_OK)
        fail_msg("%s: %s", text, err.text);
    return lease;
}

static void fields_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *what, *spec, *holder;
        int64_t duration_ns;
        int32_t transitions;
    } cases[] = {
        {"all there", "\"holderIdentity\":\"a_1\",\"leaseDurationSeconds\":15,\"leaseTransitions\":3", "a_1",
         15 * YK_NS_PER_S, 3},
        {"nothing there", "", "", 0, 0},
        {"nulls are nothing", "\"holderIdentity\":null,\"leaseDurationSeconds\":null", "", 0, 0},
        {"given back", "\"holderIdentity\":\"\",\"leaseDurationSeconds\":1", "", YK_NS_PER_S, 0},
        {"the longest", "\"leaseDurationSeconds\":2147483647", "", INT32_MAX * YK_NS_PER_S, 0},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        char text[256];
        (void)snprintf(text, sizeof(text), "{\"metadata\":{},\"spec\":{%s}}", cases[i].spec);
        struct yk_lease *lease = read(text);
        if (strcmp(lease->holder, cases[i].holder) != 0 || lease->duration_ns != cases[i].duration_ns ||
            lease->transitions != cases[i].transitions)
            fail_msg("%s: '%s' %lld %d", cases[i].what, lease->holder, (long long)lease->duration_ns,
                     lease->transitions);
        yk_lease_free(lease);
    }
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"", ""},
        {"[]", ""},
        {"{}", "metadata"},
        {"{\"metadata\":1}", "metadata"},
        {"{\"metadata\":{},\"spec\":[]}", "spec is not an object"},
        {"{\"metadata\":{},\"spec\":{\"holderIdentity\":7}}", "holderIdentity"},
        {"{\"metadata\":{},\"spec\":{\"leaseDurationSeconds\":\"15\"}}", "leaseDurationSeconds"},
        {"{\"metadata\":{},\"spec\":{\"leaseDurationSeconds\":-1}}", "leaseDurationSeconds"},
        {"{\"metadata\":{},\"spec\":{\"leaseDurationSeconds\":2147483648}}", "leaseDurationSeconds"},
        {"{\"metadata\":{},\"spec\":{\"leaseTransitions\":1.5}}", "leaseTransitions"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_lease *lease = NULL;
        struct yk_err err = {0};
        if (yk_lease_read(yk_str_from(cases[i].text), &lease, &err) == YK_OK || lease != NULL)
            fail_msg("taken: %s", cases[i].text);
        if (strstr(err.text, cases[i].says) == NULL)
            fail_msg("%s: '%s' is not said in '%s'", cases[i].text, cases[i].says, err.text);
    }
}

static void a_write_changes_only_what_it_is_about(void **state)
{
    (void)state;
    static const char before[] =
        "{\"kind\":\"Lease\",\"metadata\":{\"name\":\"l\",\"resourceVersion\":\"77\",\"labels\":{\"a\":\"b\"}"
        "},"
        "\"spec\":{\"holderIdentity\":\"old\",\"leaseDurationSeconds\":3,"
        "\"acquireTime\":\"2025-01-01T00:00:00.000001Z\",\"renewTime\":\"2025-01-01T00:00:00.000002Z\","
        "\"leaseTransitions\":4,\"strategy\":\"OldestEmulationVersion\",\"preferredHolder\":\"p\"}}";
    static const struct {
        const char *what;
        struct yk_lease_claim claim;
        const char *record;
    } cases[] = {
        {"a renewal keeps when it was acquired",
         {"me", 15 * YK_NS_PER_S, INT64_C(1767225600123456789), false, false},
         "{\"acquireTime\":\"2025-01-01T00:00:00.000001Z\",\"holderIdentity\":\"me\","
         "\"leaseDurationSeconds\":15,\"leaseTransitions\":4,\"preferredHolder\":\"p\","
         "\"renewTime\":\"2026-01-01T00:00:00.123456Z\",\"strategy\":\"OldestEmulationVersion\"}"},
        {"a change of hands is counted",
         {"me", 1, INT64_C(1767225600000000000), true, true},
         "{\"acquireTime\":\"2026-01-01T00:00:00.000000Z\",\"holderIdentity\":\"me\","
         "\"leaseDurationSeconds\":1,\"leaseTransitions\":5,\"preferredHolder\":\"p\","
         "\"renewTime\":\"2026-01-01T00:00:00.000000Z\",\"strategy\":\"OldestEmulationVersion\"}"},
        {"seconds are rounded up",
         {"", 1500 * YK_NS_PER_MS, INT64_C(1767225600000000000), true, false},
         "{\"acquireTime\":\"2026-01-01T00:00:00.000000Z\",\"holderIdentity\":\"\","
         "\"leaseDurationSeconds\":2,\"leaseTransitions\":4,\"preferredHolder\":\"p\","
         "\"renewTime\":\"2026-01-01T00:00:00.000000Z\",\"strategy\":\"OldestEmulationVersion\"}"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf body = {0};
        struct yk_lease *lease = read(before);
        yk_lease_write(&body, lease, &cases[i].claim);
        struct yk_lease *after = read(yk_buf_cstr(&body));
        if (strcmp(after->record, cases[i].record) != 0)
            fail_msg("%s: %s", cases[i].what, after->record);
        assert_non_null(strstr(body.p, "\"resourceVersion\":\"77\""));
        assert_non_null(strstr(body.p, "\"labels\":{\"a\":\"b\"}"));
        assert_false(yk_lease_same_record(lease, after));
        yk_lease_free(lease);
        yk_lease_free(after);
    }
}

static void a_count_at_its_end_stays_there(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf body = {0};
    const struct yk_lease_claim claim = {"me", YK_NS_PER_S, 0, true, true};
    struct yk_lease *lease = read("{\"metadata\":{},\"spec\":{\"leaseTransitions\":2147483647}}");
    yk_lease_write(&body, lease, &claim);
    yk_lease_free(lease);
    lease = read(yk_buf_cstr(&body));
    assert_int_equal(lease->transitions, INT32_MAX);
    yk_lease_free(lease);
}

static void only_the_record_is_compared(void **state)
{
    (void)state;
    struct yk_lease *a = read("{\"metadata\":{\"resourceVersion\":\"1\"},\"spec\":{\"holderIdentity\":\"x\","
                              "\"renewTime\":\"t\"}}");
    struct yk_lease *b = read("{\"metadata\":{\"resourceVersion\":\"2\"},\"spec\":{\"renewTime\":\"t\","
                              "\"holderIdentity\":\"x\"}}");
    struct yk_lease *c = read("{\"metadata\":{},\"spec\":{\"holderIdentity\":\"x\",\"renewTime\":\"u\"}}");
    assert_true(yk_lease_same_record(a, b));
    assert_false(yk_lease_same_record(a, c));
    assert_false(yk_lease_same_record(NULL, a));
    yk_lease_free(a);
    yk_lease_free(b);
    yk_lease_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_read),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(a_write_changes_only_what_it_is_about),
        cmocka_unit_test(a_count_at_its_end_stays_there),
        cmocka_unit_test(only_the_record_is_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
