/* SPDX-License-Identifier: Apache-2.0 */
#include "base/log.h"
#include "cmd/arguments.h"
#include "cmd/cluster_config.h"
#include "cmd/commands.h"
#include "cmd/input.h"
#include "cmd/verdict.h"
#include "cmd/whatif_report.h"
#include "config/settings.h"

#include <jansson.h>

struct arguments {
    const char *from_cluster, *diff, *output, *kubeconfig, *namespace_;
    const char *token_file, *ca_file, *skip_tls_verify;
};

/* ---- reading ---- */

static enum yk_status read_cluster(const struct arguments *arguments, struct yk_source *source,
                                   struct yk_err *err)
{
    const char *space = arguments->namespace_ != NULL ? arguments->namespace_ : yk_default_namespace();
    return yk_cluster_config_read(arguments->kubeconfig, space, &source->effective, err);
}

static bool is_address(const char *from)
{
    return strncmp(from, "http://", 7) == 0 || strncmp(from, "https://", 8) == 0;
}

static enum yk_status read_text(const struct arguments *arguments, const char *from, struct yk_buf *text,
                                struct yk_err *err)
{
    const struct yk_live_access access = {arguments->token_file, arguments->ca_file,
                                          arguments->skip_tls_verify != NULL};
    if (is_address(from))
        return yk_live_config_read(from, &access, text, err);
    return yk_input_read(from, text, err);
}

/* Reads a source from a file, standard input ("-"), the ConfigMaps ("cluster") or the address of a scheduler.
 * If the text is invalid, the error is added to source->errors. */
static enum yk_status read_source(const struct arguments *arguments, const char *from,
                                  struct yk_source *source, struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = YK_CONFIG_BYTES_MAX + 1};
    struct yk_err why = {0};
    source->name = strcmp(from, "-") == 0 ? "standard input" : from;
    if (strcmp(from, "cluster") == 0)
        return read_cluster(arguments, source, err);
    enum yk_status st = read_text(arguments, from, &text, err);
    if (st == YK_OK && yk_effective_config_read(yk_buf_view(&text), &source->effective, &why) != YK_OK)
        yk_config_errors_add(&source->errors, &why);
    return st;
}

/* ---- checking ---- */

static void check(struct yk_source *source)
{
    if (source->errors.count == 0) /* otherwise there is no text to check */
        yk_source_check(source);
}

/* The error is in the text of --diff OTHER, not in the file that is checked, so the message names OTHER
 * before the line. */
static enum yk_status fail_invalid_other(const struct yk_source *other, struct yk_err *err)
{
    const struct yk_config_warning *first = &other->errors.items[0];
    char place[64] = "";
    if (first->place.line > 0)
        (void)snprintf(place, sizeof(place), "line %u, column %u: ", first->place.line, first->place.column);
    return yk_fail(err, YK_ERR_INVALID, "--diff %s cannot be compared because it is not valid: %s" YK_STR_FMT,
                   other->name, place, YK_STR_ARG(first->text));
}

/* Lists the changes from `from` to the configuration of the verdict. */
static enum yk_status compare(struct yk_config_verdict *verdict, struct yk_source *from, struct yk_err *err)
{
    check(from);
    if (!yk_source_is_valid(from))
        return fail_invalid_other(from, err);
    verdict->change_count = yk_config_diff(from->config, verdict->source.config, &verdict->changes);
    verdict->compared = true;
    return YK_OK;
}

/* ---- the impact on a running scheduler ---- */

static enum yk_status ask_impact(const struct arguments *arguments, struct yk_str queues, json_t **ret_answer,
                                 struct yk_err *err)
{
    const struct yk_live_access access = {arguments->token_file, arguments->ca_file,
                                          arguments->skip_tls_verify != NULL};
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    json_t *question =
        json_pack("{s:s, s:o?}", "kind", "queues", "queues", json_stringn(queues.p, queues.len));
    YK_CLEANUP(yk_freep) char *body = json_dumps(question, JSON_COMPACT);
    json_decref(question);
    enum yk_status st = yk_live_whatif(arguments->diff, &access, yk_str_from(body), &text, err);
    if (st != YK_OK)
        return st;
    *ret_answer = json_loadb(yk_buf_cstr(&text), text.len, JSON_ALLOW_NUL, NULL);
    return *ret_answer != NULL ? YK_OK : yk_fail(err, YK_ERR_INVALID, "the answer is not JSON");
}

/* Prints what the configuration would change on the scheduler of --diff. Without an answer, prints only a
 * note: the comparison itself has succeeded. */
static void print_impact(const struct arguments *arguments, const struct yk_config_verdict *verdict)
{
    struct yk_err err = {0};
    json_t *answer = NULL;
    if (ask_impact(arguments, yk_buf_view(&verdict->source.effective.queues), &answer, &err) != YK_OK) {
        (void)fprintf(stderr, "note: the impact on the running scheduler is not known: %s\n", err.text);
        return;
    }
    const char *message = json_string_value(json_object_get(answer, "message"));
    printf("\non that scheduler now: %s\n", message != NULL ? message : "no answer");
    yk_whatif_print_impact(json_object_get(answer, "impact"), stdout);
    json_decref(answer);
}

/* ---- the command ---- */

static void print_json(const struct yk_config_verdict *verdict)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
    yk_verdict_put_json(verdict, &out);
    puts(yk_buf_cstr(&out));
}

static int judge(const struct arguments *arguments, const char *from, bool as_json)
{
    YK_CLEANUP(yk_verdict_done) struct yk_config_verdict verdict = {.compared = false};
    YK_CLEANUP(yk_source_done) struct yk_source other = {.name = arguments->diff};
    struct yk_err err = {0};
    enum yk_status status = read_source(arguments, from, &verdict.source, &err);
    if (status == YK_OK && arguments->diff != NULL)
        status = read_source(arguments, arguments->diff, &other, &err);
    if (status == YK_OK)
        check(&verdict.source);
    if (status == YK_OK && arguments->diff != NULL && yk_source_is_valid(&verdict.source))
        status = compare(&verdict, &other, &err);
    if (status != YK_OK) {
        yk_complain("validate", "%s", err.text);
        return YK_EXIT_FAILURE;
    }
    if (as_json)
        print_json(&verdict);
    else
        yk_verdict_print_text(&verdict, stdout);
    if (!as_json && verdict.compared && is_address(arguments->diff))
        print_impact(arguments, &verdict);
    return yk_source_is_valid(&verdict.source) ? YK_EXIT_OK : YK_EXIT_FAILURE;
}

/* The source that the command line names, "cluster" for --from-cluster. NULL: it does not name exactly one,
 * and an error was printed. */
static const char *operand_of(const struct arguments *arguments, int operands, int argc, char **argv)
{
    const char *operand = operands < argc ? argv[operands] : NULL;
    if (operand == NULL && arguments->from_cluster == NULL)
        yk_complain(
            "validate",
            "FILE is missing: - reads standard input, --from-cluster reads the ConfigMaps of the cluster");
    else if (operand != NULL && arguments->from_cluster != NULL)
        yk_complain("validate", "'%s' and --from-cluster cannot be used together", operand);
    else
        return operand != NULL ? operand : "cluster";
    return NULL;
}

int yk_cmd_validate(int argc, char **argv)
{
    struct arguments arguments = {0};
    const struct yk_flag flags[] = {
        {"from-cluster", 0, NULL, "check the ConfigMaps of the cluster", &arguments.from_cluster},
        {"diff", 0, "OTHER",
         "also show the changes from OTHER: a file, -, \"cluster\" (the ConfigMaps),\n"
         "                                    or https://HOST:PORT (what a scheduler uses now)",
         &arguments.diff},
        {"token-file", 0, "FILE", "bearer token for https://HOST:PORT", &arguments.token_file},
        {"certificate-authority", 0, "FILE", "authorities of the certificate of https://HOST:PORT",
         &arguments.ca_file},
        {"insecure-skip-tls-verify", 0, NULL, "accept any certificate of https://HOST:PORT",
         &arguments.skip_tls_verify},
        {"output", 'o', "FORMAT", "text or json", &arguments.output},
        {"kubeconfig", 0, "FILE",
         "cluster and credentials (default: in-cluster, $KUBECONFIG, ~/.kube/config)", &arguments.kubeconfig},
        {"namespace", 'n', "NAME", "namespace of the ConfigMaps (default: $NAMESPACE, or default)",
         &arguments.namespace_},
    };
    const struct yk_command_line line = {
        "yunikorn validate [OPTIONS] FILE|-|--from-cluster",
        "Checks a configuration as the scheduler would. FILE is a queues.yaml, or has manifests of the\n"
        "ConfigMaps with queues and settings, such as the output of helm template. - reads standard input.\n"
        "Exits with 0 if it is valid, 1 if it is not valid or cannot be read, 2 if the command line is "
        "wrong.",
        flags, YK_COUNT(flags), 1};
    int operands;
    bool as_json;
    enum yk_arguments parsed = yk_arguments_parse(&line, argc, argv, &operands);
    if (parsed != YK_ARGUMENTS_GO_ON)
        return parsed == YK_ARGUMENTS_HELPED ? YK_EXIT_OK : YK_EXIT_USAGE;
    const char *subject = operand_of(&arguments, operands, argc, argv);
    if (subject == NULL || !yk_arguments_output("validate", arguments.output, &as_json))
        return YK_EXIT_USAGE;
    /* The verdict has all problems, so the log need not repeat them. */
    const struct yk_pair quiet = {YK_STR("log.level"), YK_STR("error")};
    yk_settings_apply_log_levels(&quiet, 1);
    yk_log_set_stream(stderr);
    yk_log_set_waits(true);
    return judge(&arguments, subject, as_json);
}
