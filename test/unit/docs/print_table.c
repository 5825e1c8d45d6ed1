/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints a table of docs/reference from the rows in the code:
 *
 *   print_table settings|events|filters|routes|commands|policies|metrics_ORIGIN
 *
 * test/unit/docs/tables.sh compares the pages with it.
 */
#include "base/clock.h"
#include "cmd/kubectl_flags.h"
#include "config/setting_table.h"
#include "config/sort_policies.h"
#include "events/event.h"
#include "metrics/metric.h"
#include "predicates/filter_table.h"
#include "web/access.h"

/* ---- settings ---- */

static void print_range(const struct yk_setting *row)
{
    int64_t max = row->max;
    const char *unit = row->unit != NULL ? row->unit : "";
    if (row->min == INT32_MIN && max == INT32_MAX)
        printf("number");
    else if (max >= INT32_MAX)
        printf("number from %lld", (long long)row->min);
    else
        printf("number from %lld to %lld", (long long)row->min, (long long)max);
    printf("%s%s", unit[0] != '\0' ? ", " : "", unit);
}

static void print_kind(const struct yk_setting *row)
{
    switch (row->kind) {
    case YK_SETTING_TEXT:
        printf(row->choices[0] != NULL ? "choice" : "text");
        for (size_t i = 0; i < YK_SETTING_CHOICES_MAX && row->choices[i] != NULL; i++)
            printf("%s`%s`", i > 0 ? ", " : ": ", row->choices[i]);
        return;
    case YK_SETTING_BOOL:
        printf("boolean");
        return;
    case YK_SETTING_DURATION:
        printf(row->max > 0 ? "duration, not negative" : "duration");
        return;
    case YK_SETTING_INT:
        print_range(row);
        return;
    }
}

static void print_default(const struct yk_setting *row)
{
    switch (row->kind) {
    case YK_SETTING_TEXT:
        printf(row->text[0] != '\0' ? "`%s`" : "empty", row->text);
        return;
    case YK_SETTING_BOOL:
        printf(row->number != 0 ? "`true`" : "`false`");
        return;
    case YK_SETTING_DURATION:
        printf("`%llds`", (long long)(row->number / YK_NS_PER_S));
        return;
    case YK_SETTING_INT:
        printf("`%lld`%s", (long long)row->number, row->zero_is_default ? ", also for 0" : "");
        return;
    }
}

static void print_settings(void)
{
    puts("| key | value | default | a change applies | a bad value | meaning |\n"
         "| --- | --- | --- | --- | --- | --- |");
    for (size_t i = 0; i < yk_setting_row_count; i++) {
        const struct yk_setting *row = &yk_setting_rows[i];
        printf("| `%s` | ", row->key);
        print_kind(row);
        fputs(" | ", stdout);
        print_default(row);
        printf(" | %s | %s | %s |\n", row->effect == YK_SETTING_AT_ONCE ? "at once" : "at restart",
               row->severity == YK_SETTING_STRICT ? "refuses all" : "default applies", row->help);
    }
}

/* ---- events ---- */

static const char *object_of(int number)
{
    static const char *const objects[] = {[1] = "ask",   [2] = "application", [3] = "node",
                                          [4] = "queue", [5] = "allocation",  [6] = "user or group"};
    return objects[number / 100];
}

static void print_events(void)
{
    static const struct {
        int number;
        const char *meaning;
    } rows[] = {
#define ROW(symbol, number, meaning) {number, meaning},
#include "events/event_rows.h"
#undef ROW
    };
    puts("| number | about | meaning |\n| --- | --- | --- |");
    for (size_t i = 0; i < YK_COUNT(rows); i++) {
        if (rows[i].meaning[0] != '\0')
            printf("| %d | %s | %s |\n", rows[i].number, object_of(rows[i].number), rows[i].meaning);
    }
}

/* ---- sentences of the filters ---- */

static void print_sentence(const char *sentence, const char *plugin)
{
    printf("| `%s` | %s |\n", sentence, plugin);
}

static void print_volume_sentences(void)
{
    print_sentence("<driver> CSI driver is not installed on the node", "NodeVolumeLimits");
#define ROW(symbol, plugin, sentence) print_sentence(sentence, plugin);
#include "volumes/reason_rows.h"
#undef ROW
}

static void print_filters(void)
{
    puts("| sentence | filter |\n| --- | --- |");
    for (int verdict = 0; verdict < YK_VERDICT_COUNT; verdict++) {
        const struct yk_k8s_filter *filter = &yk_filters[verdict];
        if (filter->sentence != NULL)
            print_sentence(filter->sentence, filter->plugin);
        if (verdict == YK_VERDICT_VOLUMES)
            print_volume_sentences();
    }
}

/* ---- commands of kubectl yunikorn ---- */

/* A bar would end the cell; a line of the help is a line of the page. */
static void print_cell(const char *text)
{
    for (const char *p = text; *p != '\0'; p++) {
        if (*p == '\n')
            putchar(' ');
        else
            printf(*p == '|' ? "\\|" : "%c", *p);
    }
}

static void print_commands(void)
{
    static const struct {
        unsigned bit;
        const char *text;
    } flags[] = {{FLAG_TREE, "--tree"},         {FLAG_WATCH, "--watch"},      {FLAG_TIMELINE, "--timeline"},
                 {FLAG_FOLLOW, "--follow"},     {FLAG_QUEUE, "--queue NAME"}, {FLAG_STATE, "--state STATE"},
                 {FLAG_LIMIT, "--limit COUNT"}, {FLAG_COUNT, "--count N"},    {FLAG_RECORD, "--for DURATION"},
                 {FLAG_RECORD, "-o FILE"},      {FLAG_RECORD, "--restart"},   {FLAG_RECORD, "--hash-names"}};
    static const struct {
        const char *name, *arguments, *summary, *details;
        unsigned flags;
    } rows[] = {
#define ROW(name, arguments, summary, details, flags, min, max, first, second)                               \
    {#name, arguments, summary, details, flags},
#include "cmd/kubectl_rows.h"
#undef ROW
    };
    puts("| command | what it does |\n| --- | --- |");
    for (size_t i = 0; i < YK_COUNT(rows); i++) {
        printf("| `%s%s", rows[i].name, rows[i].arguments[0] != '\0' ? " " : "");
        print_cell(rows[i].arguments);
        for (size_t flag = 0; flag < YK_COUNT(flags); flag++) {
            if ((rows[i].flags & flags[flag].bit) != 0)
                printf(" [%s]", flags[flag].text);
        }
        printf("` | ");
        bool has_details = rows[i].details[0] != '\0';
        print_cell(has_details ? rows[i].details : rows[i].summary);
        puts(" |");
    }
}

/* ---- metrics ---- */

static void print_metrics(enum yk_metric_origin origin)
{
    puts("| name | type | labels | series | meaning |\n| --- | --- | --- | --- | --- |");
    for (size_t i = 0; i < yk_metric_count; i++) {
        const struct yk_metric *row = yk_metrics[i];
        if (row->origin == origin)
            printf("| `%s` | %s | %s | %s | %s |\n", row->name, yk_metric_type_name(row->type), row->labels,
                   row->series, row->help);
    }
}

/* False: there are no metrics of that name. */
static bool print_metrics_of(const char *name)
{
    static const char *const names[] = {
        [YK_METRIC_OF_CORE] = "metrics_core",       [YK_METRIC_OF_QUEUE] = "metrics_queue",
        [YK_METRIC_OF_SERVER] = "metrics_server",   [YK_METRIC_OF_PROCESS] = "metrics_process",
        [YK_METRIC_OF_CLIENT] = "metrics_client",   [YK_METRIC_OF_SHIM] = "metrics_shim",
        [YK_METRIC_OF_PROGRAM] = "metrics_program",
    };
    YK_INDEXED_BY(names, YK_METRIC_ORIGINS - 1);
    for (int i = 0; i < YK_METRIC_ORIGINS; i++) {
        if (strcmp(names[i], name) == 0) {
            print_metrics((enum yk_metric_origin)i);
            return true;
        }
    }
    return false;
}

/* ---- routes ---- */

static void print_routes(void)
{
    puts("| # | path | answer | who | errors |\n| --- | --- | --- | --- | --- |");
    for (size_t i = 0; i < yk_route_count; i++) {
        const struct yk_route *row = &yk_routes[i];
        const char *method = yk_method_name(row->method);
        if (row->number != 0)
            printf("| %d ", row->number);
        else
            printf("| ");
        printf("| %s `%s` | %s | %s | %s%s|\n", method, row->pattern, row->help, yk_access_group(row),
               row->errors, row->errors[0] != '\0' ? " " : "");
    }
}

/* Not a table: the names of the policies, which tables.sh looks for in pages that are written by hand. */
static void print_policies(void)
{
    for (int i = 0; i < YK_NODE_SORT_COUNT; i++)
        printf("node %s\n", yk_node_sort_name((enum yk_node_sort)i));
    for (int i = 0; i < YK_APP_SORT_COUNT; i++)
        printf("application %s\n", yk_app_sort_name((enum yk_app_sort)i));
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*print)(void);
    } tables[] = {{"settings", print_settings}, {"events", print_events},     {"filters", print_filters},
                  {"routes", print_routes},     {"commands", print_commands}, {"policies", print_policies}};
    for (size_t i = 0; argc == 2 && i < YK_COUNT(tables); i++) {
        if (strcmp(argv[1], tables[i].name) == 0) {
            tables[i].print();
            return 0;
        }
    }
    if (argc == 2 && print_metrics_of(argv[1]))
        return 0;
    fprintf(stderr, "usage: print_table settings|events|filters|routes|commands|policies|metrics_ORIGIN\n");
    return 2;
}
