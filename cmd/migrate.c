/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/migrate.h"

#include "base/log.h"
#include "cmd/arguments.h"
#include "cmd/commands.h"
#include "cmd/input.h"
#include "config/settings.h"

#include <stdio.h>

/* Default name of the namespace and of the release, as in the documentation. */
#define DEFAULT_NAME "yunikorn"

struct arguments {
    const char *values, *cluster, *kubeconfig, *context, *namespace_, *release, *output;
};

/* ---- the checks ---- */

static bool reads_cluster(const struct arguments *arguments)
{
    return arguments->values == NULL || arguments->cluster != NULL || arguments->kubeconfig != NULL ||
           arguments->context != NULL;
}

/* Checks the settings in the values: those that the chart would write into the ConfigMap
 * yunikorn-defaults. */
static void check_values_config(struct yk_migration *migration)
{
    YK_CLEANUP(yk_arena_done) struct yk_arena arena = {0};
    const struct yk_object_name name = {.kind = YK_STR("Values")};
    struct yk_effective_config effective;
    struct yk_pairs pairs;
    struct yk_config_map map = {.binary_data = {0}};
    yk_migration_settings_of_values(migration, &arena, &pairs);
    if (pairs.count == 0)
        return;
    map.data.items = yk_arena_alloc0(&arena, pairs.count * sizeof(*map.data.items));
    for (uint32_t i = 0; i < pairs.count; i++)
        map.data.items[map.data.count++] = (struct yk_pair){pairs.items[i].key, pairs.items[i].value};
    yk_effective_config_merge(&map, NULL, &effective);
    yk_migrate_check_config(migration, &effective, &name);
}

static enum yk_status check_values(const char *path, struct yk_migration *migration, struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = YK_MIGRATE_VALUES_MAX + 1};
    enum yk_status st = yk_input_read(path, &text, err);
    if (st != YK_OK)
        return st;
    st = yk_migration_take_values(migration, yk_buf_view(&text), err);
    if (st != YK_OK)
        return yk_fail_in(err, st, "%s", strcmp(path, "-") == 0 ? "standard input" : path);
    check_values_config(migration);
    return YK_OK;
}

static enum yk_status check_all(const struct arguments *arguments, struct yk_getter *getter, bool as_json,
                                struct yk_migrate_report *report, struct yk_err *err)
{
    enum yk_status st = YK_OK;
    report->migration = yk_migration_new(report->namespace_, report->release);
    if (arguments->values != NULL)
        st = check_values(arguments->values, report->migration, err);
    if (st == YK_OK && getter != NULL)
        st = yk_migrate_read_cluster(getter, report, !as_json, err);
    yk_findings_sort(yk_migration_findings(report->migration));
    return st;
}

/* ---- the command ---- */

static void print_report(const struct yk_migrate_report *report, bool as_json)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
    if (!as_json) {
        yk_migrate_print_text(report);
        return;
    }
    yk_migrate_put_json(report, &out);
    puts(yk_buf_cstr(&out));
}

static bool is_clean(const struct yk_migrate_report *report)
{
    const struct yk_findings *findings = yk_migration_findings(report->migration);
    return report->unchecked_count == 0 && yk_findings_of(findings, YK_SEVERITY_ERROR) == 0 &&
           yk_findings_of(findings, YK_SEVERITY_WARNING) == 0;
}

static const char *first_of(const char *given, const char *found, const char *otherwise)
{
    return given != NULL && given[0] != '\0' ? given : found != NULL ? found : otherwise;
}

static int complain(const struct yk_err *err)
{
    yk_complain("migrate", "%s", err->text);
    return YK_EXIT_FAILURE;
}

static int check(const struct arguments *arguments, bool as_json)
{
    YK_CLEANUP(yk_getter_freep) struct yk_getter *getter = NULL;
    YK_CLEANUP(yk_migrate_report_done) struct yk_migrate_report report = {0};
    YK_CLEANUP(yk_freep) char *namespace_ = NULL;
    YK_CLEANUP(yk_freep) char *release = NULL;
    struct yk_err err = {0};
    if (reads_cluster(arguments)) {
        const struct yk_getter_options options = {.kubeconfig = arguments->kubeconfig,
                                                  .context = arguments->context};
        if (yk_getter_new(&options, &getter, &err) != YK_OK)
            return complain(&err);
        if (yk_migrate_find_scheduler(getter, &namespace_, &release, &err) != YK_OK)
            return complain(&err);
    }
    report.namespace_ = first_of(arguments->namespace_, namespace_, DEFAULT_NAME);
    bool is_there = namespace_ != NULL && strcmp(report.namespace_, namespace_) == 0;
    report.release = first_of(arguments->release, is_there ? release : NULL, DEFAULT_NAME);
    if (check_all(arguments, getter, as_json, &report, &err) != YK_OK)
        return complain(&err);
    print_report(&report, as_json);
    return is_clean(&report) ? YK_EXIT_OK : YK_EXIT_FAILURE;
}

static int list(void)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf page = {0};
    yk_checks_put_page(&page);
    (void)fputs(yk_buf_cstr(&page), stdout);
    return YK_EXIT_OK;
}

int yk_cmd_migrate(int argc, char **argv)
{
    struct arguments arguments = {0};
    const struct yk_flag flags[] = {
        {"values", 'f', "FILE",
         "check the values of the chart in FILE: the output of `helm get values -a`; - reads standard input",
         &arguments.values},
        {"cluster", 0, NULL, "with --values, check the cluster as well", &arguments.cluster},
        {"kubeconfig", 0, "FILE",
         "cluster and credentials (default: in-cluster, $KUBECONFIG, ~/.kube/config)", &arguments.kubeconfig},
        {"context", 0, "NAME", "context of the kubeconfig (default: the current one)", &arguments.context},
        {"namespace", 'n', "NAME",
         "namespace of the scheduler (default: that of its Deployment, or yunikorn)", &arguments.namespace_},
        {"release", 0, "NAME", "the Helm release (default: that of the Deployment, or yunikorn)",
         &arguments.release},
        {"output", 'o', "FORMAT", "text or json", &arguments.output},
    };
    const struct yk_command_line line = {
        "yunikorn migrate [OPTIONS] check|list",
        "check: lists what a move from the chart of Apache YuniKorn breaks, changes or leaves behind in a\n"
        "cluster and in the values of the chart, with the commands and values that mend it. Changes "
        "nothing.\n"
        "list: prints a table of all findings.\n"
        "Exits with 0 if there are no errors and warnings, 1 if there are some or something could not be\n"
        "checked, 2 if the command line is wrong.",
        flags, YK_COUNT(flags), 1};
    int operands;
    bool as_json;
    enum yk_arguments parsed = yk_arguments_parse(&line, argc, argv, &operands);
    if (parsed != YK_ARGUMENTS_GO_ON)
        return parsed == YK_ARGUMENTS_HELPED ? YK_EXIT_OK : YK_EXIT_USAGE;
    const char *what = operands < argc ? argv[operands] : "";
    if (!yk_arguments_output("migrate", arguments.output, &as_json))
        return YK_EXIT_USAGE;
    if (strcmp(what, "list") == 0)
        return list();
    if (strcmp(what, "check") != 0) {
        yk_complain("migrate", "use 'migrate check' or 'migrate list', not 'migrate %s'", what);
        return YK_EXIT_USAGE;
    }
    /* The report has all problems, so the log need not repeat them. */
    const struct yk_pair quiet = {YK_STR("log.level"), YK_STR("error")};
    yk_settings_apply_log_levels(&quiet, 1);
    yk_log_set_stream(stderr);
    yk_log_set_waits(true);
    return check(&arguments, as_json);
}
