/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json_writer.h"
#include "cmd/verdict.h"

#include <stdio.h>

struct report {
    const struct yk_source *source;
    struct yk_queue_places *places; /* of the queues in the text of the source; owned */
};

static struct report report_of(const struct yk_source *source)
{
    return (struct report){source, yk_queue_places_new(yk_buf_view(&source->effective.queues))};
}

static void report_done(struct report *report)
{
    yk_queue_places_free(report->places);
}

/*
 * Finds, in the text of an error, the queue that the error is about: "queue 'root.a': ..." or "partition 'p':
 * queue 'root.a': ...". The place of the error may be in another queue, whose value an alias repeats.
 */
static bool queue_in_sentence(struct yk_str sentence, struct yk_str *ret_path)
{
    static const char partition[] = "partition '", queue[] = "queue 'root";
    struct yk_str rest = sentence;
    if (yk_str_starts(rest, partition)) {
        const char *end = memmem(rest.p, rest.len, "': ", 3);
        size_t skip = end != NULL ? (size_t)(end - rest.p) + 3 : rest.len;
        rest = (struct yk_str){rest.p + skip, rest.len - skip};
    }
    if (!yk_str_starts(rest, queue))
        return false;
    rest = (struct yk_str){rest.p + strlen("queue '"), rest.len - strlen("queue '")};
    const char *end = memmem(rest.p, rest.len, "': ", 3);
    *ret_path = (struct yk_str){rest.p, end != NULL ? (size_t)(end - rest.p) : 0};
    return end != NULL;
}

/* Sets `ret_path` to the path of the queue that the problem is about, as one line. False: it is not about a
 * queue. */
static bool queue_of(const struct report *report, const struct yk_config_warning *problem,
                     struct yk_buf *ret_path)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf around = {.max = 64 << 10};
    struct yk_str path;
    bool found = queue_in_sentence(problem->text, &path);
    if (!found && yk_queue_places_find(report->places, problem->place.line, problem->place.column, &around)) {
        path = yk_buf_view(&around);
        found = true;
    }
    if (found)
        yk_buf_line(ret_path, path);
    return found;
}

/* Prints a line such as "queues.yaml:3:5: error: sentence (queue root.a)". */
static void print_problem(const struct report *report, const char *kind,
                          const struct yk_config_warning *problem)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf queue = {.max = 256 << 10};
    YK_CLEANUP(yk_buf_done) struct yk_buf name = {0};
    yk_buf_line(&name, yk_str_from(report->source->name));
    (void)fprintf(stderr, "%s:", yk_buf_cstr(&name));
    if (problem->place.line != 0)
        (void)fprintf(stderr, "%u:", problem->place.line);
    if (problem->place.column != 0)
        (void)fprintf(stderr, "%u:", problem->place.column);
    (void)fprintf(stderr, " %s: " YK_STR_FMT, kind, YK_STR_ARG(problem->text));
    if (queue_of(report, problem, &queue) &&
        memmem(problem->text.p, problem->text.len, queue.p, queue.len) == NULL)
        (void)fprintf(stderr, " (queue %s)", yk_buf_cstr(&queue));
    (void)fputc('\n', stderr);
}

/* Prints a note before the problems if their lines are not counted from the start of the file. */
static void note_manifest(const struct yk_source *source)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf name = {0};
    yk_buf_line(&name, yk_str_from(source->name));
    if (source->effective.entry_line != 0)
        (void)fprintf(stderr,
                      "note: %s is a ConfigMap: lines are counted within its entry, which is at line %u\n",
                      yk_buf_cstr(&name), source->effective.entry_line);
}

static void print_problems(const struct report *report, const char *kind,
                           const struct yk_config_errors *problems)
{
    for (uint32_t i = 0; i < problems->count; i++)
        print_problem(report, kind, &problems->items[i]);
    if (problems->cut)
        (void)fprintf(stderr, "note: more than %d %ss, the others are left out\n", YK_CONFIG_ERRORS_MAX,
                      kind);
}

void yk_verdict_print_text(const struct yk_config_verdict *verdict, FILE *out)
{
    const struct yk_source *source = &verdict->source;
    YK_CLEANUP(report_done) struct report report = report_of(source);
    uint32_t warnings = source->warnings.count;
    if (source->errors.count > 0 || warnings > 0)
        note_manifest(source);
    print_problems(&report, "error", &source->errors);
    print_problems(&report, "warning", &source->warnings);
    if (!yk_source_is_valid(source))
        return;
    YK_CLEANUP(yk_buf_done) struct yk_buf name = {0};
    yk_buf_line(&name, yk_str_from(source->name));
    (void)fprintf(out, "%s: valid, %u warning%s, checksum %s\n", yk_buf_cstr(&name), warnings,
                  warnings == 1 ? "" : "s", source->config->checksum);
    if (verdict->compared)
        (void)fprintf(out, "%zu change%s\n%s", verdict->change_count, verdict->change_count == 1 ? "" : "s",
                      yk_buf_cstr(&verdict->changes));
}

static void put_text(struct yk_json *json, const char *key, struct yk_str text)
{
    yk_json_key(json, key);
    yk_json_str(json, text);
}

static void put_number(struct yk_json *json, const char *key, uint32_t number)
{
    if (number == 0)
        return;
    yk_json_key(json, key);
    yk_json_uint(json, number);
}

static void put_problem(struct yk_json *json, const struct report *report,
                        const struct yk_config_warning *problem)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf queue = {.max = 256 << 10};
    yk_json_object_begin(json);
    put_text(json, "message", problem->text);
    put_number(json, "line", problem->place.line);
    put_number(json, "column", problem->place.column);
    if (queue_of(report, problem, &queue))
        put_text(json, "queue", yk_buf_view(&queue));
    yk_json_object_end(json);
}

static void put_problems(struct yk_json *json, const char *key, const struct report *report,
                         const struct yk_config_errors *problems)
{
    yk_json_key(json, key);
    yk_json_array_begin(json);
    for (uint32_t i = 0; i < problems->count; i++)
        put_problem(json, report, &problems->items[i]);
    yk_json_array_end(json);
}

static void put_changes(struct yk_json *json, const struct yk_config_verdict *verdict)
{
    struct yk_str rest = yk_buf_view(&verdict->changes), line;
    yk_json_key(json, "changes");
    yk_json_array_begin(json);
    while (yk_str_split(&rest, '\n', &line)) {
        if (line.len > 0)
            yk_json_str(json, line);
    }
    yk_json_array_end(json);
}

void yk_verdict_put_json(const struct yk_config_verdict *verdict, struct yk_buf *out)
{
    struct yk_json json;
    const struct yk_source *source = &verdict->source;
    YK_CLEANUP(report_done) struct report report = report_of(source);
    bool is_valid = yk_source_is_valid(source);
    yk_json_init(&json, out);
    yk_json_object_begin(&json);
    put_text(&json, "source", yk_str_from(source->name));
    put_number(&json, "entryLine", source->effective.entry_line);
    yk_json_key(&json, "valid");
    yk_json_bool(&json, is_valid);
    if (is_valid)
        put_text(&json, "checksum", yk_str_from(source->config->checksum));
    put_problems(&json, "errors", &report, &source->errors);
    put_problems(&json, "warnings", &report, &source->warnings);
    if (verdict->compared)
        put_changes(&json, verdict);
    yk_json_object_end(&json);
}
