/* SPDX-License-Identifier: Apache-2.0 */
#include "config/configs.h"

static const char full_text[] =
    "partitions:\n"
    "- queues:\n"
    "  - name: a\n"
    "    parent: true\n"
    "    resources: {guaranteed: {vcore: 1, memory: 010}, max: {vcore: 500k}}\n"
    "    maxapplications: 7\n"
    "    properties: {application.sort.policy: fair, 'odd key': \"tab\\there\", n: ~}\n"
    "    adminacl: \"it's admin\"\n"
    "    submitacl: '*'\n"
    "    childtemplate: {maxapplications: 2, properties: {p: 'true'}, resources: {max: {memory: 1G}}}\n"
    "    limits: [{limit: '', users: [u], groups: [g], maxresources: {vcore: 1}, maxapplications: 3}]\n"
    "    queues: [{name: B, maxapplications: 1}]\n"
    "  placementrules:\n"
    "  - {name: user, create: true, filter: {users: ['^d.*'], groups: [x, y]}, parent: {name: fixed, value: "
    "root.a}}\n"
    "  - {name: provided, filter: {type: deny}}\n"
    "  preemption: {enabled: false, quotapreemptionenabled: true}\n"
    "  nodesortpolicy: {type: binpacking, resourceweights: {vcore: 0.5, memory: 2}}\n"
    "  usergroupresolver: {type: os}\n";

static void json_has_gos_field_names(void **state)
{
    (void)state;
    struct yk_config *config = config_of(full_text);
    struct yk_buf out = {0};
    struct yk_buf want = {0};
    yk_buf_printf(
        &want,
        "{\"Partitions\":[{\"Name\":\"default\",\"Queues\":[{\"Name\":\"root\",\"Parent\":true,\"Resources\":"
        "{},"
        "\"ChildTemplate\":{\"Resources\":{}},\"Queues\":[{\"Name\":\"a\",\"Parent\":true,"
        "\"Resources\":{\"Guaranteed\":{\"memory\":\"010\",\"vcore\":\"1\"},\"Max\":{\"vcore\":\"500k\"}},"
        "\"MaxApplications\":7,\"Properties\":{\"application.sort.policy\":\"fair\",\"n\":\"\",\"odd "
        "key\":\"tab\\there\"},"
        "\"AdminACL\":\"it's admin\",\"SubmitACL\":\"*\",\"ChildTemplate\":{\"MaxApplications\":2,"
        "\"Properties\":{\"p\":\"true\"},\"Resources\":{\"Max\":{\"memory\":\"1G\"}}},"
        "\"Queues\":[{\"Name\":\"B\",\"Resources\":{},\"MaxApplications\":1,\"ChildTemplate\":{\"Resources\":"
        "{}}}],"
        "\"Limits\":[{\"Limit\":\"\",\"Users\":[\"u\"],\"Groups\":[\"g\"],\"MaxResources\":{\"vcore\":\"1\"},"
        "\"MaxApplications\":3}]}]}],"
        "\"PlacementRules\":[{\"Name\":\"user\",\"Create\":true,\"Filter\":{\"Type\":\"\",\"Users\":[\"^d.*"
        "\"],"
        "\"Groups\":[\"x\",\"y\"]},\"Parent\":{\"Name\":\"fixed\",\"Filter\":{\"Type\":\"\"},\"Value\":"
        "\"root.a\"}},"
        "{\"Name\":\"provided\",\"Filter\":{\"Type\":\"deny\"}}],"
        "\"Preemption\":{\"Enabled\":false,\"QuotaPreemptionEnabled\":true},"
        "\"NodeSortPolicy\":{\"Type\":\"binpacking\",\"ResourceWeights\":{\"memory\":2,\"vcore\":0.5}},"
        "\"UserGroupResolver\":{\"type\":\"os\"}}],\"Checksum\":\"%s\",\"Extra\":{\"log.level\":\"INFO\"},"
        "\"DeadlockDetectionEnabled\":false,\"DeadlockTimeoutSeconds\":60}",
        config->checksum);
    struct yk_pair item = {YK_STR("log.level"), YK_STR("INFO")};
    struct yk_pairs extra = {&item, 1};
    yk_config_render_json(config, &extra, &out);
    assert_string_equal(yk_buf_cstr(&out), yk_buf_cstr(&want));
    yk_buf_done(&out);
    yk_buf_done(&want);
    yk_config_free(config);
}

static void json_of_a_bare_partition(void **state)
{
    (void)state;
    struct yk_config *config = config_of("partitions: [{queues: []}]\n");
    struct yk_buf out = {0};
    yk_config_render_json(config, NULL, &out);
    static const char want[] =
        "{\"Partitions\":[{\"Name\":\"default\",\"Queues\":[{\"Name\":\"root\",\"Parent\":true,"
        "\"Resources\":{},\"ChildTemplate\":{\"Resources\":{}}}],\"Preemption\":{},"
        "\"NodeSortPolicy\":{\"Type\":\"\"},\"UserGroupResolver\":{}}],\"Checksum\":\"";
    assert_memory_equal(yk_buf_cstr(&out), want, strlen(want));
    yk_buf_done(&out);
    yk_config_free(config);
}

static void yaml_has_the_keys_of_1_9_in_their_order(void **state)
{
    (void)state;
    struct yk_config *config = config_of(full_text);
    struct yk_buf out = {0};
    yk_config_render_yaml(config, NULL, &out);
    static const char start[] = "partitions:\n"
                                "- name: default\n"
                                "  queues:\n"
                                "  - name: root\n"
                                "    parent: true\n"
                                "    queues:\n"
                                "    - name: a\n"
                                "      parent: true\n"
                                "      resources:\n"
                                "        guaranteed:\n"
                                "          memory: \"010\"\n"
                                "          vcore: \"1\"\n"
                                "        max:\n"
                                "          vcore: \"500k\"\n"
                                "      maxapplications: 7\n"
                                "      properties:\n"
                                "        application.sort.policy: fair\n"
                                "        \"n\": \"\"\n"
                                "        odd key: \"tab\\there\"\n"
                                "      adminacl: it's admin\n"
                                "      submitacl: '*'\n";
    assert_memory_equal(yk_buf_cstr(&out), start, strlen(start));
    yk_buf_done(&out);
    yk_config_free(config);
}

/* What does not belong to queues.yaml comes after the checksum. */
static struct yk_str only_queues(const struct yk_buf *yaml)
{
    const char *end = strstr(yk_buf_cstr(yaml), "deadlockdetectionenabled");
    assert_non_null(end);
    return (struct yk_str){yaml->p, (size_t)(end - yaml->p)};
}

static void yaml_reads_back_as_the_same(void **state)
{
    (void)state;
    static const char *const texts[] = {
        full_text, "", "partitions: []\n",
        ROOT("    properties: {'<<': '=', '*a': '&b', yes: no, ' x': 'y ', '- z': '{a}', "
             "'1': '.', 'a: b': '#c', \"\\u20ac\": \"\\x7f\\n\\0\\u0085\\ufeff\\ufffe\\uffff\\U0001f600\", "
             "'~': null}\n")};
    for (size_t i = 0; i < YK_COUNT(texts); i++) {
        struct yk_config *config = config_of(texts[i]);
        struct yk_buf yaml = {0}, again = {0};
        yk_config_render_yaml(config, NULL, &yaml);
        struct yk_config *copy = NULL;
        struct yk_err err = {0};
        if (yk_config_load(only_queues(&yaml), &copy, &err) != YK_OK)
            fail_msg("does not read back: %s\n%s", err.text, yk_buf_cstr(&yaml));
        assert_string_equal(copy->submitted_checksum, config->checksum);
        memcpy(copy->checksum, config->checksum, sizeof(copy->checksum));
        yk_config_render_yaml(copy, NULL, &again);
        assert_string_equal(yk_buf_cstr(&again), yk_buf_cstr(&yaml));
        yk_buf_done(&yaml);
        yk_buf_done(&again);
        yk_config_free(copy);
        yk_config_free(config);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_has_gos_field_names),
        cmocka_unit_test(json_of_a_bare_partition),
        cmocka_unit_test(yaml_has_the_keys_of_1_9_in_their_order),
        cmocka_unit_test(yaml_reads_back_as_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
