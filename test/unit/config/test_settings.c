/* SPDX-License-Identifier: Apache-2.0 */
#include "config/settings.h"

#include "lib/quiet.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define PAIR(key, value)                                                                                     \
    {                                                                                                        \
        {(key), sizeof(key) - 1},                                                                            \
        {                                                                                                    \
            (value), sizeof(value) - 1                                                                       \
        }                                                                                                    \
    }

static struct yk_settings *settings_of(const struct yk_pair *pairs, size_t count)
{
    struct yk_settings *settings = NULL;
    struct yk_err err = {0};
    if (yk_settings_parse(pairs, count, &settings, &err) != YK_OK)
        fail_msg("refused: %s", err.text);
    return settings;
}

static void defaults(void **state)
{
    (void)state;
    struct yk_settings *s = settings_of(NULL, 0);
    assert_string_equal(s->cluster_id, "mycluster");
    assert_string_equal(s->policy_group, "queues");
    assert_int_equal(s->scheduling_interval_ns, YK_NS_PER_S);
    assert_int_equal(s->volume_bind_timeout_ns, 600 * YK_NS_PER_S);
    assert_int_equal(s->event_channel_capacity, 1048576);
    assert_int_equal(s->dispatch_timeout_ns, 300 * YK_NS_PER_S);
    assert_false(s->disable_gang);
    assert_true(s->enable_hot_refresh);
    assert_string_equal(s->placeholder_image, "registry.k8s.io/pause:3.7");
    assert_int_equal(s->placeholder_run_as_user, 0);
    assert_string_equal(s->instance_type_label, "node.kubernetes.io/instance-type");
    assert_string_equal(s->web_bind_host, "");
    assert_int_equal(s->web_port, 9080);
    assert_string_equal(s->scheduler_acl, "");
    assert_string_equal(s->application_scope, "namespace");
    assert_string_equal(s->trust_user_info, "any");
    assert_string_equal(s->web_access, "none");
    assert_int_equal(s->placeholders_max, 1000);
    assert_int_equal(s->kube_qps, 1000);
    assert_int_equal(s->kube_burst, 1000);
    assert_false(s->generate_unique_app_id);
    assert_int_equal(s->health_interval_ns, 30 * YK_NS_PER_S);
    assert_true(s->event_tracking);
    assert_int_equal(s->event_request_capacity, 1000);
    assert_int_equal(s->event_ring_capacity, 100000);
    assert_int_equal(s->event_max_streams, 100);
    assert_int_equal(s->event_max_streams_per_host, 15);
    assert_int_equal(s->event_rest_response_size, 10000);
    yk_settings_free(s);
    yk_settings_free(NULL);
}

static void values_overlay_defaults(void **state)
{
    (void)state;
    static const struct yk_pair pairs[] = {
        PAIR("service.clusterId", "first"),
        PAIR("service.clusterId", "second"),
        PAIR("service.volumeBindTimeout", "1m30s"),
        PAIR("service.disableGangScheduling", "T"),
        PAIR("service.enableConfigHotRefresh", "0"),
        PAIR("service.placeholderRunAsUser", "9223372036854775807"),
        PAIR("service.web.bindHost", "::1"),
        PAIR("service.web.port", "0"),
        PAIR("service.instanceTypeNodeLabelKey", "docs"),
        PAIR("service.nodeInstanceTypeNodeLabelKey", "code"),
        PAIR("kubernetes.qps", "-1"),
        PAIR("event.ringbufferCapacity", "7"),
        PAIR("event.maxStreams", "0"),
        PAIR("event.requestCapacity", "0"),
        PAIR("health.checkInterval", "-1s"),
        PAIR("some.unknown.key", "x"),
        PAIR("service.operatorPlugins", "general"),
        PAIR("queues.yaml", "not: looked at"),
    };
    struct yk_settings *s = settings_of(pairs, YK_COUNT(pairs));
    assert_string_equal(s->cluster_id, "second");
    assert_int_equal(s->volume_bind_timeout_ns, 90 * YK_NS_PER_S);
    assert_true(s->disable_gang);
    assert_false(s->enable_hot_refresh);
    assert_int_equal(s->placeholder_run_as_user, INT64_MAX);
    assert_string_equal(s->web_bind_host, "::1");
    assert_int_equal(s->web_port, 0);
    assert_string_equal(s->instance_type_label, "docs");
    assert_int_equal(s->kube_qps, -1);
    assert_int_equal(s->event_ring_capacity, 7);
    assert_int_equal(s->event_max_streams, 0);
    assert_int_equal(s->event_request_capacity, 1000);
    assert_int_equal(s->health_interval_ns, -YK_NS_PER_S);
    yk_settings_free(s);
}

/* The settings of the service (configuration.md, "Keys"). */
static void settings_of_the_service(void **state)
{
    (void)state;
    static const struct yk_pair pairs[] = {
        PAIR("service.web.tls.certFile", "/c"),
        PAIR("service.web.tls.keyFile", "/k"),
        PAIR("service.web.tls.clientCaFile", "/a"),
        PAIR("service.web.tls.minVersion", "1.3"),
        PAIR("service.web.tls.selfSigned", "true"),
        PAIR("service.web.apiAudiences", "yunikorn, other"),
        PAIR("service.schedulerACL", "ann,joe ops"),
        PAIR("service.bindHost", "0.0.0.0"),
        PAIR("service.port", "9999"),
        PAIR("service.shims", "kubernetes"),
        PAIR("service.maxDecisionsPerWake", "3"),
        PAIR("preemption.minClusterLoad", "80"),
        PAIR("preemption.checkInterval", "1m"),
    };
    struct yk_settings *s = settings_of(pairs, YK_COUNT(pairs));
    assert_string_equal(s->tls_cert_file, "/c");
    assert_string_equal(s->tls_key_file, "/k");
    assert_string_equal(s->tls_client_ca_file, "/a");
    assert_string_equal(s->tls_min_version, "1.3");
    assert_true(s->tls_self_signed);
    assert_string_equal(s->web_api_audiences, "yunikorn, other");
    assert_string_equal(s->scheduler_acl, "ann,joe ops");
    assert_string_equal(s->si_bind_host, "0.0.0.0"); /* accepted, with a warning */
    assert_int_equal(s->si_port, 9999);
    assert_string_equal(s->shims, "kubernetes");
    assert_int_equal(s->max_decisions_per_wake, 3);
    assert_int_equal(s->preemption_min_load, 80);
    assert_int_equal(s->preemption_interval_ns, 60 * YK_NS_PER_S);
    yk_settings_free(s);
    s = settings_of(NULL, 0);
    assert_string_equal(s->tls_cert_file, "");
    assert_false(s->tls_self_signed);
    assert_string_equal(s->tls_min_version, "1.2");
    assert_string_equal(s->shims, "kubernetes");
    assert_int_equal(s->max_decisions_per_wake, 0);
    assert_int_equal(s->preemption_min_load, 0);
    yk_settings_free(s);
}

static void bad_values(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        struct yk_pair pair;
        bool refused;
    } cases[] = {
        {"a bad duration of the service", PAIR("service.schedulingInterval", "1"), true},
        {"an empty duration", PAIR("service.dispatchTimeout", ""), true},
        {"a bad boolean of the service", PAIR("service.disableGangScheduling", "yes"), true},
        {"a number with a blank", PAIR("kubernetes.qps", " 5"), true},
        {"a number above 32 bits", PAIR("kubernetes.burst", "2147483648"), true},
        {"a negative user id", PAIR("service.placeholderRunAsUser", "-1"), true},
        {"a port above 65535", PAIR("service.web.port", "65536"), true},
        {"the one admission setting that is read here",
         PAIR("admissionController.filtering.generateUniqueAppId", "x"), true},
        {"a certificate without a key", PAIR("service.web.tls.certFile", "/c"), true},
        {"a key without a certificate", PAIR("service.web.tls.keyFile", "/k"), true},
        {"authorities without TLS", PAIR("service.web.tls.clientCaFile", "/a"), true},
        {"a self-signed certificate of neither kind", PAIR("service.web.tls.selfSigned", "yes"), true},
        {"access of neither kind", PAIR("service.web.access", "open"), true},
        {"a trust of no kind", PAIR("service.trustUserInfo", "Webhook"), true},
        {"trust in the webhook", PAIR("service.trustUserInfo", "webhook"), false},
        {"a scope of neither kind", PAIR("service.applicationScope", "Namespace"), true},
        {"fewer placeholders than none", PAIR("service.maxPlaceholdersPerNamespace", "-1"), true},
        {"an old TLS", PAIR("service.web.tls.minVersion", "1.1"), true},
        {"A2: an ACL of three fields", PAIR("service.schedulerACL", "a b c"), true},
        {"a shim that is not there", PAIR("service.shims", "yarn"), true},
        {"a port of the scheduler interface above 65535", PAIR("service.port", "65536"), true},
        {"fewer decisions than none", PAIR("service.maxDecisionsPerWake", "-1"), true},
        {"a load above all", PAIR("preemption.minClusterLoad", "101"), false},
        {"a pause below none", PAIR("preemption.checkInterval", "-1s"), false},
        {"another admission setting", PAIR("admissionController.accessControl.bypassAuth", "x"), false},
        {"an event setting", PAIR("event.trackingEnabled", "maybe"), false},
        {"a negative capacity", PAIR("event.ringBufferCapacity", "-1"), false},
        {"a capacity beyond all memory", PAIR("event.ringBufferCapacity", "9000000000000000000"), false},
        {"the health interval", PAIR("health.checkInterval", "often"), false},
    };
    struct yk_settings *want = settings_of(NULL, 0);
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_settings *got = NULL;
        struct yk_err err = {0};
        enum yk_status st = yk_settings_parse(&cases[i].pair, 1, &got, &err);
        if ((st != YK_OK) != cases[i].refused)
            fail_msg("%s: %s", cases[i].what, st == YK_OK ? "accepted" : err.text);
        if (st != YK_OK && (strstr(err.text, cases[i].pair.key.p) == NULL || got != NULL))
            fail_msg("%s: got '%s'", cases[i].what, err.text);
        if (st == YK_OK && (got->event_tracking != want->event_tracking ||
                            got->event_ring_capacity != want->event_ring_capacity ||
                            got->health_interval_ns != want->health_interval_ns ||
                            got->preemption_min_load != want->preemption_min_load ||
                            got->preemption_interval_ns != want->preemption_interval_ns))
            fail_msg("%s: not the default", cases[i].what);
        yk_settings_free(got);
    }
    yk_settings_free(want);
}

static int level_of(const struct yk_logger *logger)
{
    return atomic_load(&logger->level);
}

static void log_levels_follow_the_dots(void **state)
{
    (void)state;
    static const struct yk_pair pairs[] = {
        PAIR("log.level", "WARN"),
        PAIR("log.core.scheduler.level", "debug"),
        PAIR("log.core.scheduler.queue.level", "nonsense"),
        PAIR("log.shim.level", "2"),
        PAIR("log.core..level", "-1"),
        PAIR("log.shim.level", "1"),
        PAIR("log.shim.fsm.level", "2"),
    };
    yk_settings_apply_log_levels(pairs, YK_COUNT(pairs));
    assert_int_equal(level_of(YK_LOGGER(yk_log_core)), YK_LOG_WARN);
    assert_int_equal(level_of(YK_LOGGER(yk_log_node)), YK_LOG_DEBUG);
    assert_int_equal(level_of(YK_LOGGER(yk_log_queue)), YK_LOG_DEBUG);
    assert_int_equal(level_of(YK_LOGGER(yk_log_client)), YK_LOG_WARN);
    assert_int_equal(level_of(YK_LOGGER(yk_log_shim_fsm)), YK_LOG_ERROR);
    yk_settings_apply_log_levels(NULL, 0);
    assert_int_equal(level_of(YK_LOGGER(yk_log_node)), YK_LOG_INFO);
}

static void entries_without_effect_are_found(void **state)
{
    (void)state;
    static const struct {
        struct yk_pair pair;
        enum yk_setting_fault want;
    } cases[] = {
        {PAIR("service.clusterId", "x"), YK_SETTING_FINE},
        {PAIR("service.nodeInstanceTypeNodeLabelKey", "x"), YK_SETTING_FINE},
        {PAIR("service.operatorPlugins", "general"), YK_SETTING_FINE}, /* has a warning of its own */
        {PAIR("servic.clusterId", "x"), YK_SETTING_UNKNOWN},
        {PAIR("service.clusterID", "x"), YK_SETTING_UNKNOWN},
        {PAIR("service.typo", ""), YK_SETTING_UNKNOWN},
        {PAIR("", "x"), YK_SETTING_UNKNOWN},
        {PAIR("admissionController.webHook.amServiceName", "x"), YK_SETTING_FINE},
        {PAIR("admissionControler.x", "x"), YK_SETTING_UNKNOWN},
        {PAIR("log.level", "LOUD"), YK_SETTING_BAD_LEVEL},
        {PAIR("log.level", "warn"), YK_SETTING_FINE},
        {PAIR("log.level", ""), YK_SETTING_FINE},
        {PAIR("log.core.scheduler.level", "-1"), YK_SETTING_FINE},
        {PAIR("log.core.scheduler.queue.level", "nonsense"), YK_SETTING_BAD_LEVEL},
        {PAIR("log.core.schedule.level", "INFO"), YK_SETTING_NO_LOGGER},
        {PAIR("log.core..level", "INFO"), YK_SETTING_NO_LOGGER},
        {PAIR("log..level", "INFO"), YK_SETTING_NO_LOGGER},
        {PAIR("log.admission.webhook.level", "INFO"), YK_SETTING_FINE},
        {PAIR("log.levels", "INFO"), YK_SETTING_UNKNOWN},
        {PAIR("queues.yaml", "x"), YK_SETTING_FINE},
        {PAIR("queue.yaml", "x"), YK_SETTING_OTHER_QUEUES},
        {PAIR("queues.yml", "x"), YK_SETTING_UNKNOWN},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        enum yk_setting_fault got = yk_setting_check(&cases[i].pair, "queues");
        if (got != cases[i].want)
            fail_msg("%s: %s: got '%s'", cases[i].pair.key.p, cases[i].pair.value.p,
                     yk_setting_fault_text(got));
    }
    assert_int_equal(yk_setting_check(&(struct yk_pair)PAIR("teams.yaml", "x"), "teams"), YK_SETTING_FINE);
}

static bool has(const struct yk_config_errors *errors, const char *part)
{
    for (size_t i = 0; i < errors->count; i++) {
        if (strstr(errors->items[i].text.p, part) != NULL)
            return true;
    }
    return false;
}

/* Also those of settings that depend on each other, and of older releases. */
static void all_faults_are_found(void **state)
{
    (void)state;
    static const struct yk_pair pairs[] = {
        PAIR("service.web.tls.certFile", "/c"),
        PAIR("service.schedulerACL", "a b c"),
        PAIR("service.web.access", "perhaps"),
        PAIR("service.operatorPlugins", "general"),
    };
    static const char *const keys[] = {"service.web.tls.certFile", "service.schedulerACL",
                                       "service.web.access"};
    YK_CLEANUP(yk_config_errors_done) struct yk_config_errors errors = {0};
    YK_CLEANUP(yk_config_errors_done) struct yk_config_errors warnings = {0};
    yk_settings_check(pairs, YK_COUNT(pairs), &errors, &warnings);
    assert_int_equal(errors.count, YK_COUNT(keys));
    for (size_t i = 0; i < YK_COUNT(keys); i++)
        assert_true(has(&errors, keys[i]));
    assert_int_equal(warnings.count, 1);
    assert_true(has(&warnings, "service.operatorPlugins"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(values_overlay_defaults),
        cmocka_unit_test(settings_of_the_service),
        cmocka_unit_test(bad_values),
        cmocka_unit_test(log_levels_follow_the_dots),
        cmocka_unit_test(entries_without_effect_are_found),
        cmocka_unit_test(all_faults_are_found),
    };
    return cmocka_run_group_tests(tests, quiet, NULL);
}
