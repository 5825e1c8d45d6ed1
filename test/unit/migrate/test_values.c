/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/finding_ids.h"
#include "migrate/migration.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define SET "rest: {access: none}\n" /* so that only the check in question fires */

static const struct {
    const char *what, *values;
    const char *want; /* ids of the findings, sorted as printed */
} cases[] = {
    {"nothing but what is decided", SET, ""},
    {"empty", "", "value-rest"},
    {"the title of helm get values", "COMPUTED VALUES:\n" SET, ""},
    {"null", "USER-SUPPLIED VALUES:\nnull\n", "value-rest"},
    {"JSON", "{\"rest\": {\"access\": \"delegated\"}}", ""},
    {"access as a setting", "yunikornDefaults: {service.web.access: none}", ""},
    {"a key that nothing reads", SET "imagePullSecret: x", "value-refused"},
    {"a key inside", SET "admissionController: {image: {repo: x}}", "value-refused"},
    {"two of them", SET "a: 1\nweb: {b: 2}", "value-refused value-refused"},
    {"free keys",
     SET "podLabels: {any.thing: x}\nnodeSelector: {a: b}\nglobal: {x: 1}\nserviceAccount: {create: false}",
     ""},
    {"a key of an account", SET "serviceAccount: {creates: false}", "value-refused"},
    {"an account by name", SET "serviceAccount: yunikorn-admin", ""},
    {"the image of 1.9", SET "image: {repository: apache/yunikorn, tag: scheduler-1.9.0}", "value-image"},
    {"behind a registry", SET "image: {registry: docker.io/apache, repository: yunikorn}", "value-image"},
    {"behind a registry alone", SET "image: {registry: docker.io/apache}", "value-image"},
    {"behind a registry with a slash", SET "admissionController: {image: {registry: docker.io/apache/}}",
     "value-image"},
    {"in the repository", SET "image: {repository: 'docker.io/apache/yunikorn:x'}", "value-image"},
    {"a tag of 1.8 alone", SET "image: {tag: scheduler-1.8.0}", "value-image"},
    {"an image of one's own", SET "image: {repository: reg/yunikorn, tag: scheduler-1.9.0}", ""},
    {"a similar name", SET "image: {repository: notapache/yunikorn}", ""},
    {"the image of the controller", SET "admissionController: {image: {repository: apache/yunikorn}}",
     "value-image"},
    {"no controller",
     SET "embedAdmissionController: false\nadmissionController: {image: {repository: apache/yunikorn}}", ""},
    {"the web page", SET "enableWebService: true", "value-web"},
    {"no web page", SET "enableWebService: false", ""},
    {"plugin mode", SET "enableSchedulerPlugin: true", "value-plugin"},
    {"operator plugins", SET "operatorPlugins: 'general,spark-k8s-operator'", "value-operators"},
    {"the usual one", SET "operatorPlugins: general", ""},
    {"replicas by the old name", SET "replicaCount: 2", "value-replicas"},
    {"replicas", SET "replicas: 3\nreplicaCount: null", ""},
    {"old labels of nodes", SET "nodeSelector: {beta.kubernetes.io/os: linux}", "value-node-selector"},
    {"of the controller", SET "admissionController: {nodeSelector: {node-role.kubernetes.io/master: ''}}",
     "value-node-selector"},
    {"an Ingress", "ingress: {enabled: true}", "value-rest value-ingress"},
    {"an Ingress, and access is decided", SET "ingress: {enabled: true}", ""},
    {"a load balancer", "service: {type: LoadBalancer}", "value-rest value-service"},
    {"a load balancer, and access is decided", "rest: {access: delegated}\nservice: {type: LoadBalancer}",
     ""},
    {"annotations for Prometheus",
     "rest: {access: delegated}\npodAnnotations: {prometheus.io/scrape: 'true'}", "value-scrape"},
    {"a boolean", "rest: {access: delegated}\npodAnnotations: {prometheus.io/scrape: true}", "value-scrape"},
    {"over https",
     "rest: {access: delegated}\npodAnnotations: {prometheus.io/scrape: 'true', prometheus.io/scheme: https}",
     ""},
    {"open", SET "podAnnotations: {prometheus.io/scrape: 'true'}", ""},
    {"memory for Go", SET "resources: {requests: {memory: 1Gi}}", "value-resources"},
    {"memory of the controller", SET "admissionController: {resources: {requests: {memory: 500Mi}}}",
     "value-resources"},
    {"other memory", SET "resources: {requests: {memory: 2Gi}}", ""},
    {"settings of Go", SET "goGC: 50\ngoMemoryLimit: 1GiB", "value-go value-go"},
    {"their defaults", SET "goGC: 100\nadmissionController: {goMemoryLimitPercentage: 60, goGC: 100}", ""},
    {"a deprecated key", SET "placeHolderImage: pause", "value-deprecated"},
    {"one of the controller", SET "admissionController: {bypassNamespaces: ^a$}", "value-deprecated"},
    {"host networks", SET "hostNetwork: true\nadmissionController: {hostNetwork: true}",
     "value-host-network value-host-network"},
    {"affinity", SET "affinity: {nodeAffinity: {}}", "value-affinity"},
    {"no affinity", SET "affinity: {}", ""},
    {"numbers of all kinds", SET "podLabels: {a: 1.5, b: .inf, c: .nan, d: -1, e: 0x10}", ""},
    {"other types everywhere",
     SET "image: []\nadmissionController: 1\nresources: x\nnodeSelector: [a]\npodAnnotations: true\nservice: "
         "{type: []}\naffinity: 3",
     ""},
};

static void each_check_fires_and_does_not(void **state)
{
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_migration_freep) struct yk_migration *migration = yk_migration_new("yk", "yunikorn");
        struct yk_err err = {0};
        char ids[IDS_MAX];
        if (yk_migration_take_values(migration, yk_str_from(cases[i].values), &err) != YK_OK)
            fail_msg("%s: %s", cases[i].what, err.text);
        yk_findings_sort(yk_migration_findings(migration));
        put_ids(yk_migration_findings(migration), ids);
        if (strcmp(ids, cases[i].want) != 0)
            fail_msg("%s: '%s', not '%s'", cases[i].what, ids, cases[i].want);
    }
}

/* Each image has its own registry. */
static void values_that_mend_an_image(void **state)
{
    static const struct {
        const char *values, *want;
    } images[] = {
        {"image: {registry: docker.io/apache, repository: yunikorn}",
         "--set image.repository=yunikorn --set image.tag= --set image.registry="},
        {"admissionController: {image: {registry: docker.io/apache, repository: yunikorn}}",
         "--set admissionController.image.repository= --set admissionController.image.tag= "
         "--set admissionController.image.registry="},
        {"image: {registry: reg, repository: yunikorn, tag: scheduler-1.9.0}",
         "--set image.repository=yunikorn --set image.tag="},
    };
    (void)state;
    for (size_t i = 0; i < YK_COUNT(images); i++) {
        YK_CLEANUP(yk_migration_freep) struct yk_migration *migration = yk_migration_new("yk", "yunikorn");
        YK_CLEANUP(yk_buf_done) struct yk_buf values = {0};
        yk_buf_printf(&values, SET "%s", images[i].values);
        assert_int_equal(yk_migration_take_values(migration, yk_buf_view(&values), NULL), YK_OK);
        const struct yk_findings *findings = yk_migration_findings(migration);
        assert_int_equal(findings->count, 1);
        assert_string_equal(findings->items[0]->values, images[i].want);
    }
}

static void every_row_has_a_case(void **state)
{
    (void)state;
    for (size_t row = 0; row < yk_check_count; row++) {
        bool is_seen = yk_checks[row].subjects != 1u << YK_SUBJECT_VALUES;
        for (size_t i = 0; i < YK_COUNT(cases); i++)
            is_seen = is_seen || strstr(cases[i].want, yk_checks[row].id) != NULL;
        if (!is_seen)
            fail_msg("no case for '%s'", yk_checks[row].id);
    }
}

static void hostile_files(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf deep = {0};
    YK_CLEANUP(yk_buf_done) struct yk_buf bomb = {0};
    for (int i = 0; i < 1000; i++)
        yk_buf_text(&deep, "{a: ");
    for (int i = 0; i < 1000; i++)
        yk_buf_char(&deep, '}');
    yk_buf_text(&bomb, "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
    for (int i = 1; i < 9; i++)
        yk_buf_printf(&bomb, "a%d: &a%d [*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d]\n", i, i, i - 1,
                      i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
    const char *const texts[] = {
        "[1, 2]",           "just text",       "a: [", "a: 1\n---\nb: 2\n", "? [a]\n: b\n", "\"a\\0b\": 1\n",
        yk_buf_cstr(&deep), yk_buf_cstr(&bomb)};
    for (size_t i = 0; i < YK_COUNT(texts); i++) {
        YK_CLEANUP(yk_migration_freep) struct yk_migration *migration = yk_migration_new("yk", "yunikorn");
        struct yk_err err = {0};
        enum yk_status st = yk_migration_take_values(migration, yk_str_from(texts[i]), &err);
        if (st == YK_OK)
            fail_msg("taken: %.60s", texts[i]);
        if (texts[i] == bomb.p)
            assert_int_equal(st, YK_ERR_LIMIT);
        assert_string_not_equal(err.text, "");
    }
    struct yk_str longest = {yk_alloc0(YK_MIGRATE_VALUES_MAX + 1), YK_MIGRATE_VALUES_MAX + 1};
    YK_CLEANUP(yk_migration_freep) struct yk_migration *migration = yk_migration_new("yk", "yunikorn");
    struct yk_err err = {0};
    assert_int_equal(yk_migration_take_values(migration, longest, &err), YK_ERR_LIMIT);
    free((char *)(uintptr_t)longest.p);
}

/* As the chart does it (_helpers.tpl, "yunikorn.defaults"): old keys count unless the setting is there. */
static void settings_of_values(void **state)
{
    (void)state;
    YK_CLEANUP(yk_migration_freep) struct yk_migration *migration = yk_migration_new("yk", "yunikorn");
    YK_CLEANUP(yk_arena_done) struct yk_arena arena = {0};
    struct yk_pairs pairs;
    struct yk_err err = {0};
    assert_int_equal(
        yk_migration_take_values(
            migration,
            YK_STR(
                "configuration: q\nplaceHolderImage: old\nyunikornDefaults: {service.placeholderImage: new, "
                "event.ringBufferCapacity: 7, service.enableConfigHotRefresh: true, none: null}\n"),
            &err),
        YK_OK);
    yk_migration_settings_of_values(migration, &arena, &pairs);
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    for (uint32_t i = 0; i < pairs.count; i++)
        yk_buf_printf(&text, YK_STR_FMT "=" YK_STR_FMT " ", YK_STR_ARG(pairs.items[i].key),
                      YK_STR_ARG(pairs.items[i].value));
    assert_string_equal(yk_buf_cstr(&text), "service.placeholderImage=new event.ringBufferCapacity=7 "
                                            "service.enableConfigHotRefresh=true queues.yaml=q ");
}

/* ---- queues ---- */

static void check_queues(const char *queues, const char *want)
{
    YK_CLEANUP(yk_migration_freep) struct yk_migration *migration = yk_migration_new("yk", "yunikorn");
    const struct yk_object_name name = {YK_STR("ConfigMap"), YK_STR("yk"), YK_STR("yunikorn-configs")};
    struct yk_config_errors errors = {0}, warnings = {0};
    struct yk_config *config = NULL;
    char ids[IDS_MAX];
    yk_config_load_all(yk_str_from(queues), &config, &errors);
    yk_migration_take_verdict(migration, &name, config, &errors, &warnings);
    put_ids(yk_migration_findings(migration), ids);
    if (strcmp(ids, want) != 0)
        fail_msg("%s: '%s', not '%s'", queues, ids, want);
    yk_config_free(config);
    yk_config_errors_done(&errors);
}

#define ROOT(more)                                                                                           \
    "partitions:\n- name: default\n  queues: [{name: root, submitacl: '*', queues: [" more "]}]\n"

static void queues_that_mean_something_else(void **state)
{
    (void)state;
    check_queues(ROOT("{name: a}"), "");
    check_queues(ROOT("{name: a, properties: {application.sort.policy: stateaware}}"), "queue-differs");
    check_queues(ROOT("{name: a, properties: {application.sort.policy: fifo}}"), "");
    check_queues(ROOT("{name: a, properties: {quota.preemption.delay: 0s}}"), "queue-differs");
    check_queues(ROOT("{name: a, properties: {quota.preemption.delay: 1s}}"), "");
    check_queues(ROOT("{name: Ab, limits: [{limit: l, users: [u], maxapplications: 1}]}"), "queue-differs");
    check_queues(ROOT("{name: ab, limits: [{limit: l, users: [u], maxapplications: 1}]}"), "");
    check_queues(ROOT("{name: a}") "  placementrules: [{name: user, filter: {type: Deny, users: [u]}}]\n",
                 "queue-differs");
    check_queues(ROOT("{name: a}") "  placementrules: [{name: user, filter: {type: deny, users: [u]}}]\n",
                 "");
    check_queues(ROOT("{name: a}") "  placementrules: [{name: user, filter: {type: allow, users: [svc$]}}]\n",
                 "queue-differs");
    check_queues(
        ROOT("{name: a}") "  placementrules: [{name: user, filter: {type: allow, users: ['^svc$']}}]\n", "");
    check_queues("partitions: [{name: x, queues: 1}]\n", "config-invalid");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_check_fires_and_does_not),
        cmocka_unit_test(values_that_mend_an_image),
        cmocka_unit_test(every_row_has_a_case),
        cmocka_unit_test(hostile_files),
        cmocka_unit_test(settings_of_values),
        cmocka_unit_test(queues_that_mean_something_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
