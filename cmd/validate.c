/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json_writer.h"
#include "base/log.h"
#include "cmd/arguments.h"
#include "cmd/cluster_config.h"
#include "cmd/commands.h"
#include "config/settings.h"
#include "placement/placement.h"

#include <unistd.h>

struct arguments {
    const char *from_cluster, *diff, *output, *kubeconfig, *namespace_;
};

struct source { /* a configuration and where it is from */
    const char *name;
    struct yk_buf text;
    uint32_t manifest_line;   /* the text's entry in the ConfigMap it came in; 0: it came in none */
    struct yk_config *config; /* NULL: not valid */
};

struct verdict {
    struct source source;
    struct yk_err err; /* of an invalid one */
    bool compared;
    struct yk_buf changes; /* a line each */
    size_t change_count;
};

static void source_done(struct source *source)
{
    yk_buf_done(&source->text);
    yk_config_free(source->config);
}

static void verdict_done(struct verdict *verdict)
{
    source_done(&verdict->source);
    yk_buf_done(&verdict->changes);
}

/* ---- reading ---- */

static enum yk_status read_stdin(struct yk_buf *text, struct yk_err *err)
{
    for (;;) {
        char *to = yk_buf_reserve(text, 65536);
        if (to == NULL)
            return yk_fail(err, YK_ERR_LIMIT, "standard input is longer than %zu bytes", text->max);
        ssize_t bytes = read(STDIN_FILENO, to, 65536);
        if (bytes < 0)
            return yk_fail(err, YK_ERR_IO, "standard input cannot be read");
        if (bytes == 0)
            return YK_OK;
        text->len += (size_t)bytes;
    }
}

static enum yk_status read_cluster(const struct arguments *arguments, struct source *source,
                                   struct yk_err *err)
{
    const char *space = arguments->namespace_ != NULL ? arguments->namespace_ : yk_default_namespace();
    source->name = "cluster";
    return yk_cluster_config_read(arguments->kubeconfig, space, &source->text, err);
}

/* FILE, "-", "cluster" or the address of a scheduler. */
static enum yk_status read_source(const struct arguments *arguments, const char *from, struct source *source,
                                  struct yk_err *err)
{
    source->name = from;
    if (strcmp(from, "cluster") == 0)
        return read_cluster(arguments, source, err);
    if (strncmp(from, "http://", 7) == 0 || strncmp(from, "https://", 8) == 0)
        return yk_live_config_read(from, &source->text, err);
    if (strcmp(from, "-") != 0)
        return yk_file_read(from, &source->text, err);
    source->name = "standard input";
    return read_stdin(&source->text, err);
}

/* ---- checking ---- */

/* What a scheduler checks before it takes the text over, without taking it over. */
static enum yk_status check_activation(const struct yk_config *config, struct yk_err *err)
{
    enum yk_status status = yk_config_check_activation(config, err);
    for (uint32_t i = 0; i < config->partition_count && status == YK_OK; i++) {
        YK_CLEANUP(yk_placement_freep) struct yk_placement *placement = NULL;
        status = yk_placement_new(&config->partitions[i], &placement, err);
    }
    return status;
}

static enum yk_status load(struct source *source, struct yk_err *err)
{
    YK_CLEANUP(yk_config_freep) struct yk_config *config = NULL;
    enum yk_status status = yk_config_unpack(&source->text, &source->manifest_line, err);
    if (status == YK_OK)
        status = yk_config_load(yk_buf_view(&source->text), &config, err);
    if (status == YK_OK)
        status = check_activation(config, err);
    if (status == YK_OK)
        source->config = yk_move(config);
    return status;
}

/* `from` is what the verdict's configuration would replace. */
static enum yk_status compare(struct verdict *verdict, struct source *from, struct yk_err *err)
{
    enum yk_status status = load(from, err);
    if (status != YK_OK)
        return yk_fail_in(err, status, "%s", from->name);
    verdict->change_count = yk_config_diff(from->config, verdict->source.config, &verdict->changes);
    verdict->compared = true;
    return YK_OK;
}

/* ---- telling ---- */

/*
 * The queue that a sentence is about: "queue 'root.a': ..." or "partition 'p': queue 'root.a': ...". Where
 * the value stands may be in another one, from which an alias takes it.
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

/* The path in one line; false: the problem is about no queue. */
static bool queue_of(const struct source *source, const struct yk_config_warning *problem,
                     struct yk_buf *ret_path)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf around = {.max = 64 << 10};
    struct yk_str path;
    bool found = queue_in_sentence(problem->text, &path);
    if (!found &&
        yk_config_queue_at(yk_buf_view(&source->text), problem->place.line, problem->place.column, &around)) {
        path = yk_buf_view(&around);
        found = true;
    }
    if (found)
        yk_buf_line(ret_path, path);
    return found;
}

/* "queues.yaml:3:5: error: sentence (queue root.a)" */
static void print_problem(const struct source *source, const char *kind,
                          const struct yk_config_warning *problem)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf queue = {.max = 256 << 10};
    YK_CLEANUP(yk_buf_done) struct yk_buf name = {0};
    yk_buf_line(&name, yk_str_from(source->name));
    (void)fprintf(stderr, "%s:", yk_buf_cstr(&name));
    if (problem->place.line != 0)
        (void)fprintf(stderr, "%u:", problem->place.line);
    if (problem->place.column != 0)
        (void)fprintf(stderr, "%u:", problem->place.column);
    (void)fprintf(stderr, " %s: " YK_STR_FMT, kind, YK_STR_ARG(problem->text));
    if (queue_of(source, problem, &queue) &&
        memmem(problem->text.p, problem->text.len, queue.p, queue.len) == NULL)
        (void)fprintf(stderr, " (queue %s)", yk_buf_cstr(&queue));
    (void)fputc('\n', stderr);
}

/* Before problems: their lines are those of the text. */
static void note_manifest(const struct source *source)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf name = {0};
    yk_buf_line(&name, yk_str_from(source->name));
    if (source->manifest_line != 0)
        (void)fprintf(stderr,
                      "note: %s is a ConfigMap: lines are counted within its entry, which is at line %u\n",
                      yk_buf_cstr(&name), source->manifest_line);
}

static struct yk_config_warning problem_of(const struct yk_err *err)
{
    return (struct yk_config_warning){yk_str_from(yk_err_sentence(err)), {err->line, err->column}};
}

static void print_text(const struct verdict *verdict)
{
    const struct source *source = &verdict->source;
    const struct yk_config *config = source->config;
    struct yk_config_warning error = problem_of(&verdict->err);
    if (config == NULL || config->warning_count > 0)
        note_manifest(source);
    if (config == NULL) {
        print_problem(source, "error", &error);
        return;
    }
    for (uint32_t i = 0; i < config->warning_count; i++)
        print_problem(source, "warning", &config->warnings[i]);
    YK_CLEANUP(yk_buf_done) struct yk_buf name = {0};
    yk_buf_line(&name, yk_str_from(source->name));
    printf("%s: valid, %u warning%s, checksum %s\n", yk_buf_cstr(&name), config->warning_count,
           config->warning_count == 1 ? "" : "s", config->checksum);
    if (verdict->compared)
        printf("%zu change%s\n%s", verdict->change_count, verdict->change_count == 1 ? "" : "s",
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

static void put_problem(struct yk_json *json, const struct source *source,
                        const struct yk_config_warning *problem)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf queue = {.max = 256 << 10};
    yk_json_object_begin(json);
    put_text(json, "message", problem->text);
    put_number(json, "line", problem->place.line);
    put_number(json, "column", problem->place.column);
    if (queue_of(source, problem, &queue))
        put_text(json, "queue", yk_buf_view(&queue));
    yk_json_object_end(json);
}

static void put_problems(struct yk_json *json, const char *key, const struct source *source,
                         const struct yk_config_warning *problems, uint32_t count)
{
    yk_json_key(json, key);
    yk_json_array_begin(json);
    for (uint32_t i = 0; i < count; i++)
        put_problem(json, source, &problems[i]);
    yk_json_array_end(json);
}

static void put_changes(struct yk_json *json, const struct verdict *verdict)
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

static void print_json(const struct verdict *verdict)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
    struct yk_json json;
    const struct yk_config *config = verdict->source.config;
    struct yk_config_warning error = problem_of(&verdict->err);
    yk_json_init(&json, &out);
    yk_json_object_begin(&json);
    put_text(&json, "source", yk_str_from(verdict->source.name));
    put_number(&json, "entryLine", verdict->source.manifest_line);
    yk_json_key(&json, "valid");
    yk_json_bool(&json, config != NULL);
    if (config != NULL)
        put_text(&json, "checksum", yk_str_from(config->checksum));
    put_problems(&json, "errors", &verdict->source, &error, config == NULL);
    put_problems(&json, "warnings", &verdict->source, config != NULL ? config->warnings : NULL,
                 config != NULL ? config->warning_count : 0);
    if (verdict->compared)
        put_changes(&json, verdict);
    yk_json_object_end(&json);
    puts(yk_buf_cstr(&out));
}

/* ---- the command ---- */

static int judge(const struct arguments *arguments, const char *from, bool as_json)
{
    YK_CLEANUP(verdict_done) struct verdict verdict = {.source.text.max = YK_CONFIG_BYTES_MAX + 1};
    YK_CLEANUP(source_done) struct source other = {.text.max = YK_CONFIG_BYTES_MAX + 1};
    struct yk_err err = {0};
    enum yk_status status = read_source(arguments, from, &verdict.source, &err);
    if (status == YK_OK && arguments->diff != NULL)
        status = read_source(arguments, arguments->diff, &other, &err);
    if (status == YK_OK && load(&verdict.source, &verdict.err) == YK_OK && arguments->diff != NULL)
        status = compare(&verdict, &other, &err);
    if (status != YK_OK) {
        yk_complain("validate", "%s", err.text);
        return YK_EXIT_FAILURE;
    }
    if (as_json)
        print_json(&verdict);
    else
        print_text(&verdict);
    return verdict.source.config != NULL ? YK_EXIT_OK : YK_EXIT_FAILURE;
}

/* What the command line wants checked, NULL (and a sentence) if that is not exactly one thing. */
static const char *subject_of(const struct arguments *arguments, int operands, int argc, char **argv)
{
    const char *operand = operands < argc ? argv[operands] : NULL;
    if (operand == NULL && arguments->from_cluster == NULL)
        yk_complain("validate", "which file? - reads standard input, --from-cluster the ConfigMaps");
    else if (operand != NULL && arguments->from_cluster != NULL)
        yk_complain("validate", "'%s' and --from-cluster: one of them", operand);
    else
        return operand != NULL ? operand : "cluster";
    return NULL;
}

int yk_cmd_validate(int argc, char **argv)
{
    struct arguments arguments = {0};
    const struct yk_flag flags[] = {
        {"from-cluster", 0, NULL, "check what the ConfigMaps of the cluster say", &arguments.from_cluster},
        {"diff", 0, "OTHER",
         "also show what would change from OTHER: a file, -, \"cluster\",\n"
         "                                    or http://HOST:PORT, what that scheduler has in force",
         &arguments.diff},
        {"output", 'o', "FORMAT", "text or json", &arguments.output},
        {"kubeconfig", 0, "FILE",
         "cluster and credentials (default: in-cluster, $KUBECONFIG, ~/.kube/config)", &arguments.kubeconfig},
        {"namespace", 'n', "NAME", "where the ConfigMaps are (default: $NAMESPACE, or default)",
         &arguments.namespace_},
    };
    const struct yk_command_line line = {
        "yunikorn validate [OPTIONS] FILE|-|--from-cluster",
        "Checks a queue configuration (queues.yaml, or the ConfigMap that holds it; - reads standard input) "
        "as\n"
        "the scheduler would.\n"
        "Exits with 0 if it is valid, 1 if it is not or cannot be read, 2 if the command line is wrong.",
        flags, YK_COUNT(flags), 1};
    int operands;
    bool as_json;
    enum yk_arguments parsed = yk_arguments_parse(&line, argc, argv, &operands);
    if (parsed != YK_ARGUMENTS_GO_ON)
        return parsed == YK_ARGUMENTS_HELPED ? YK_EXIT_OK : YK_EXIT_USAGE;
    const char *subject = subject_of(&arguments, operands, argc, argv);
    if (subject == NULL || !yk_arguments_output("validate", arguments.output, &as_json))
        return YK_EXIT_USAGE;
    const struct yk_config_pair quiet = {YK_STR("log.level"), YK_STR("error")}; /* problems are printed */
    yk_settings_apply_log_levels(&quiet, 1);
    yk_log_set_stream(stderr);
    yk_log_set_waits(true);
    return judge(&arguments, subject, as_json);
}
