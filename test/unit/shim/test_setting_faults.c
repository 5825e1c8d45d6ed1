/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/setting_faults.h"

#include "base/log.h"
#include "lib/kube_objects.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Looks at a ConfigMap with these pairs and returns how many lines were logged. */
static size_t lines_of(struct yk_setting_faults *faults, const char *const (*pairs)[2], size_t count)
{
    size_t lines = 0;
    struct yk_merged_config merged;
    struct yk_config_map *map = make_config_map("yunikorn", YK_CONFIG_MAP_CONFIGS, "1");
    for (size_t i = 0; i < count; i++)
        add_pair(&map->object, &map->data, pairs[i][0], pairs[i][1]);
    yk_config_merge(NULL, map, &merged);
    FILE *stream = tmpfile(); /* a line goes to its descriptor */
    assert_non_null(stream);
    yk_log_set_stream(stream);
    yk_setting_faults_log(faults, &merged, "queues");
    yk_log_set_stream(NULL);
    (void)fseek(stream, 0, SEEK_SET);
    for (int c; (c = fgetc(stream)) != EOF;)
        lines += c == '\n';
    (void)fclose(stream);
    yk_merged_config_done(&merged);
    yk_object_free(&map->object);
    return lines;
}

static void each_fault_is_logged_once(void **state)
{
    (void)state;
    static const char *const first[][2] = {
        {"service.clusterId", "mine"}, {"servic.typo", "1"}, {"log.level", "LOUD"}};
    static const char *const changed[][2] = {{"servic.typo", "1"}, {"log.level", "LOUDER"}};
    struct yk_setting_faults faults = {.count = 0};
    assert_int_equal(lines_of(&faults, first, YK_COUNT(first)), 2);
    assert_int_equal(lines_of(&faults, first, YK_COUNT(first)), 0);
    assert_int_equal(lines_of(&faults, changed, YK_COUNT(changed)), 1);
    assert_int_equal(lines_of(&faults, NULL, 0), 0);
    assert_int_equal(lines_of(&faults, first, YK_COUNT(first)), 2); /* mended and made again */
    yk_setting_faults_done(&faults);
}

static void many_faults_are_counted(void **state)
{
    (void)state;
    enum { MANY = 1000 };
    static char keys[MANY][16];
    static const char *pairs[MANY][2];
    struct yk_setting_faults faults = {.count = 0};
    for (size_t i = 0; i < MANY; i++) {
        (void)snprintf(keys[i], sizeof(keys[i]), "x%zu", i);
        pairs[i][0] = keys[i];
        pairs[i][1] = "1";
    }
    assert_int_equal(lines_of(&faults, (const char *const(*)[2])pairs, MANY), YK_SETTING_FAULTS_MAX + 1);
    assert_int_equal(faults.more, MANY - YK_SETTING_FAULTS_MAX);
    assert_int_equal(lines_of(&faults, (const char *const(*)[2])pairs, MANY), 0);
    yk_setting_faults_done(&faults);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_fault_is_logged_once),
        cmocka_unit_test(many_faults_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
