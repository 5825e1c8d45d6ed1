/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json_writer.h"
#include "cmd/migrate.h"

#include <inttypes.h>
#include <stdio.h>

void yk_migrate_report_done(struct yk_migrate_report *report)
{
    for (size_t i = 0; i < report->unchecked_count; i++) {
        free(report->unchecked[i].what);
        free(report->unchecked[i].reason);
    }
    free(report->unchecked);
    yk_migration_free(report->migration);
}

void yk_migrate_unchecked(struct yk_migrate_report *report, const char *what, const struct yk_err *why)
{
    report->unchecked =
        yk_realloc_array(report->unchecked, report->unchecked_count + 1, sizeof(*report->unchecked));
    report->unchecked[report->unchecked_count++] =
        (struct yk_unchecked){yk_strdup(what), yk_strdup(why->text)};
}

/* ---- text ---- */

static void print_name(const struct yk_finding *finding)
{
    bool has_namespace = finding->namespace_[0] != '\0';
    if (finding->kind[0] != '\0')
        printf(" %s%s", finding->kind, finding->name[0] != '\0' ? " " : "");
    else if (finding->name[0] != '\0')
        (void)putchar(' ');
    printf("%s%s%s:", finding->namespace_, has_namespace ? "/" : "", finding->name);
}

static void print_finding(const struct yk_finding *finding)
{
    printf("%-7s  %s:", yk_severity_word(finding->check->severity), finding->check->id);
    if (finding->kind[0] != '\0' || finding->name[0] != '\0')
        print_name(finding);
    printf(" %s\n", finding->sentence);
    if (finding->command[0] != '\0')
        printf("         run: %s\n", finding->command);
    if (finding->values[0] != '\0')
        printf("         helm upgrade: %s\n", finding->values);
}

static void print_left_out(const struct yk_findings *findings)
{
    for (size_t i = 0; i < findings->check_count; i++) {
        const struct yk_count_of_check *count = &findings->counts[i];
        if (count->found > YK_FINDINGS_PER_CHECK_MAX)
            printf("note     %s: %" PRIu64 " more are left out\n", count->check->id,
                   count->found - YK_FINDINGS_PER_CHECK_MAX);
    }
}

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

void yk_migrate_print_text(const struct yk_migrate_report *report)
{
    const struct yk_findings *findings = yk_migration_findings(report->migration);
    uint64_t errors = yk_findings_of(findings, YK_SEVERITY_ERROR),
             warnings = yk_findings_of(findings, YK_SEVERITY_WARNING),
             infos = yk_findings_of(findings, YK_SEVERITY_INFO);
    for (size_t i = 0; i < findings->count; i++)
        print_finding(findings->items[i]);
    print_left_out(findings);
    for (size_t i = 0; i < report->unchecked_count; i++)
        printf("note     could not be checked: %s: %s\n", report->unchecked[i].what,
               report->unchecked[i].reason);
    printf("%" PRIu64 " error%s, %" PRIu64 " warning%s, %" PRIu64 " info%s", errors, plural(errors), warnings,
           plural(warnings), infos, plural(infos));
    if (report->unchecked_count > 0)
        printf(", %zu not checked", report->unchecked_count);
    (void)putchar('\n');
}

/* ---- JSON ---- */

static void put_finding(struct yk_json *json, const struct yk_finding *finding)
{
    yk_json_object_begin(json);
    yk_json_add_text(json, "id", finding->check->id);
    yk_json_add_text(json, "severity", yk_severity_word(finding->check->severity));
    yk_json_add_text(json, "kind", finding->kind);
    yk_json_add_text(json, "namespace", finding->namespace_);
    yk_json_add_text(json, "name", finding->name);
    yk_json_add_text(json, "message", finding->sentence);
    yk_json_add_text(json, "command", finding->command);
    yk_json_add_text(json, "values", finding->values);
    yk_json_object_end(json);
}

static void put_counts(struct yk_json *json, const struct yk_findings *findings)
{
    yk_json_key(json, "counts");
    yk_json_object_begin(json);
    for (size_t i = 0; i < findings->check_count; i++)
        yk_json_add_uint(json, findings->counts[i].check->id, findings->counts[i].found);
    yk_json_object_end(json);
}

void yk_migrate_put_json(const struct yk_migrate_report *report, struct yk_buf *out)
{
    const struct yk_findings *findings = yk_migration_findings(report->migration);
    struct yk_json json;
    yk_json_init(&json, out);
    yk_json_object_begin(&json);
    yk_json_add_text(&json, "namespace", report->namespace_);
    yk_json_add_text(&json, "release", report->release);
    yk_json_add_uint(&json, "errors", yk_findings_of(findings, YK_SEVERITY_ERROR));
    yk_json_add_uint(&json, "warnings", yk_findings_of(findings, YK_SEVERITY_WARNING));
    yk_json_add_uint(&json, "infos", yk_findings_of(findings, YK_SEVERITY_INFO));
    put_counts(&json, findings);
    yk_json_key(&json, "findings");
    yk_json_array_begin(&json);
    for (size_t i = 0; i < findings->count; i++)
        put_finding(&json, findings->items[i]);
    yk_json_array_end(&json);
    yk_json_key(&json, "unchecked");
    yk_json_array_begin(&json);
    for (size_t i = 0; i < report->unchecked_count; i++) {
        yk_json_object_begin(&json);
        yk_json_add_text(&json, "what", report->unchecked[i].what);
        yk_json_add_text(&json, "reason", report->unchecked[i].reason);
        yk_json_object_end(&json);
    }
    yk_json_array_end(&json);
    yk_json_object_end(&json);
}
