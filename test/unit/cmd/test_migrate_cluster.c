/* SPDX-License-Identifier: Apache-2.0 */
/* In which order `yunikorn migrate` reads a cluster. What each check finds is tested in migrate/test_cluster.c. */
#include "base/io_loop.h"
#include "cmd/migrate.h"
#include "lib/mock_server.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

#define CONFIG_MAPS "/api/v1/namespaces/yk/configmaps/"
#define MAP(name, data)                                                                                      \
    "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"namespace\":\"yk\",\"name\":\"" name      \
    "\"},\"data\":{" data "}}"

/* An API server that has a version, two ConfigMaps, and empty lists of everything. */
struct cluster {
    const char *defaults, *configs;
};

static void answer(struct mock *mock, struct mock_request *request, const char *path, void *context)
{
    const struct cluster *cluster = context;
    const char *body = "{\"kind\":\"List\",\"metadata\":{},\"items\":[]}";
    int status = 200;
    (void)mock;
    if (strcmp(path, "/version") == 0)
        body = "{\"gitVersion\":\"v1.29.3\"}";
    else if (strcmp(path, CONFIG_MAPS "yunikorn-defaults") == 0)
        body = cluster->defaults;
    else if (strcmp(path, CONFIG_MAPS "yunikorn-configs") == 0)
        body = cluster->configs;
    else if (strchr(path, '?') == NULL)
        status = 404; /* a single object */
    mock_answer(request, status, "Content-Type", "application/json", status == 200 ? body : "{}");
}

/* The ids of the findings in a cluster, one after the other. */
static void find(const struct cluster *cluster, char ids[256])
{
    struct mock mock;
    struct yk_io *io = NULL;
    struct yk_getter *getter = NULL;
    struct yk_err err = {0};
    struct yk_migrate_report report = {.namespace_ = "yk", .release = "yunikorn"};
    char path[] = "/tmp/yk-migrate-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(yk_io_new(&io, &err), YK_OK);
    mock_open(&mock, yk_io_base(io), NULL, answer, (void *)(uintptr_t)cluster);
    (void)dprintf(fd,
                  "clusters: [{name: c, cluster: {server: 'http://127.0.0.1:%u'}}]\nusers: [{name: u, user: "
                  "{token: t}}]\ncontexts: [{name: c, context: {cluster: c, user: u}}]\ncurrent-context: c\n",
                  mock.port);
    (void)close(fd);
    const struct yk_getter_options options = {.kubeconfig = path, .tries = 1, .io = io};
    assert_int_equal(yk_getter_new(&options, &getter, &err), YK_OK);
    report.migration = yk_migration_new(report.namespace_, report.release);
    if (yk_migrate_read_cluster(getter, &report, false, &err) != YK_OK)
        fail_msg("%s", err.text);
    assert_int_equal(report.unchecked_count, 0);
    const struct yk_findings *findings = yk_migration_findings(report.migration);
    size_t len = 0;
    ids[0] = '\0';
    for (size_t i = 0; i < findings->count; i++)
        len +=
            (size_t)snprintf(ids + len, 256 - len, "%s%s", i > 0 ? " " : "", findings->items[i]->check->id);
    yk_migrate_report_done(&report);
    yk_getter_free(getter);
    mock_close(&mock);
    yk_io_free(io);
    (void)unlink(path);
}

/* The check of the version looks at the settings, so they are passed to it first. */
static void settings_come_before_the_version(void **state)
{
    (void)state;
    static const struct cluster guarded = {MAP("yunikorn-defaults", ""), MAP("yunikorn-configs", "")},
                                off = {MAP("yunikorn-defaults", ""),
                                       MAP("yunikorn-configs",
                                           "\"admissionController.webHook.failurePolicy\":\"Ignore\"")};
    char ids[256];
    find(&guarded, ids);
    assert_string_equal(ids, "api-server-cannot-guard no-release");
    find(&off, ids);
    assert_string_equal(ids, "no-release");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(settings_come_before_the_version)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
