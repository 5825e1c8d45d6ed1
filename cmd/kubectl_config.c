/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `kubectl yunikorn config`: shows the active queue configuration, compares a file with it, or replaces it by
 * a file. The output of `show`, unless it is JSON, ends with the line "checksum:" of the active
 * configuration. `apply` sends the file with this line, and the scheduler refuses it if the active
 * configuration has another checksum. If the file has no such line, `apply` first asks for the active
 * checksum; then only a change between these two requests is noticed. kubectl_config_history.c lists earlier
 * configurations.
 */
#include "cmd/kubectl_config.h"
#include "cmd/cluster_config.h"
#include "cmd/input.h"
#include "cmd/kubectl_link.h"
#include "cmd/kubectl_output.h"
#include "cmd/verdict.h"

#define CONFIG_PATH "/ws/v1/config"

static enum yk_status get_live(struct yk_ctl *ctl, struct yk_buf *body, struct yk_err *err)
{
    const struct yk_ctl_request request = {
        .method = "GET", .path = CONFIG_PATH, .accept = "application/x-yaml"};
    return yk_ctl_link_call(ctl->link, &request, body, err);
}

/* The value of the line "checksum: <hex>" in an answer with the active configuration; absent: there is no
 * such line. */
static struct yk_str checksum_of(struct yk_str body)
{
    static const char mark[] = "\nchecksum:";
    const char *at = body.len > 0 ? memmem(body.p, body.len, mark, strlen(mark)) : NULL;
    if (at == NULL)
        return (struct yk_str){0};
    struct yk_str rest = {at + strlen(mark), (size_t)(body.p + body.len - at) - strlen(mark)}, line;
    return yk_str_split(&rest, '\n', &line) ? yk_str_trim(line) : (struct yk_str){0};
}

/* ---- show ---- */

void yk_ctl_print_lines(const struct yk_ctl *ctl, struct yk_str text)
{
    struct yk_str line;
    while (yk_str_split(&text, '\n', &line)) {
        YK_CLEANUP(yk_buf_done) struct yk_buf clean = {.max = 1 << 20};
        if (text.p == NULL && line.len == 0) /* after the last line break, there is no line */
            break;
        yk_text_for_terminal(line, &clean);
        (void)fprintf(ctl->out, "%s\n", yk_buf_cstr(&clean));
    }
}

static enum yk_status show(struct yk_ctl *ctl, const char *operand, struct yk_err *err)
{
    (void)operand;
    YK_CLEANUP(yk_buf_done) struct yk_buf body = {.max = YK_CTL_CONFIG_ANSWER_MAX}, line = {.max = 1024};
    json_t *tree = NULL;
    enum yk_status st;
    if (ctl->output == YK_CTL_JSON) {
        if ((st = yk_ctl_get(ctl, CONFIG_PATH, &tree, err)) == YK_OK)
            (void)yk_ctl_print_tree(ctl, tree); /* true, because the output is JSON */
        json_decref(tree);
        return st;
    }
    if ((st = get_live(ctl, &body, err)) != YK_OK)
        return st;
    yk_ctl_print_lines(ctl, yk_str_trim(yk_live_config_queues(yk_buf_view(&body))));
    yk_buf_text(&line, "checksum: ");
    yk_buf_str(&line, checksum_of(yk_buf_view(&body)));
    yk_ctl_print_lines(ctl,
                       yk_buf_view(&line)); /* with it, `apply` of this text notices changes made since */
    return YK_OK;
}

/* ---- diff ---- */

static enum yk_status read_file(const char *file, struct yk_source *source, struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = YK_CONFIG_BYTES_MAX + 1};
    struct yk_err why = {0};
    source->name = strcmp(file, "-") == 0 ? "standard input" : file;
    enum yk_status st = yk_input_read(file, &text, err);
    if (st == YK_OK && yk_effective_config_read(yk_buf_view(&text), &source->effective, &why) != YK_OK)
        yk_config_errors_add(&source->errors, &why);
    if (st == YK_OK && source->errors.count == 0)
        yk_source_check(source);
    return st;
}

static enum yk_status read_live(struct yk_ctl *ctl, struct yk_source *source, struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf body = {.max = YK_CTL_CONFIG_ANSWER_MAX};
    enum yk_status st = get_live(ctl, &body, err);
    source->name = "the scheduler";
    if (st == YK_OK)
        st = yk_effective_config_read(yk_live_config_queues(yk_buf_view(&body)), &source->effective, err);
    if (st == YK_OK)
        yk_source_check(source);
    return st == YK_OK && !yk_source_is_valid(source)
               ? yk_fail(
                     err, YK_ERR_INVALID,
                     "the active configuration of the scheduler is not valid for this program: " YK_STR_FMT,
                     YK_STR_ARG(source->errors.count > 0 ? source->errors.items[0].text : YK_STR("")))
               : st;
}

static void print_verdict(const struct yk_ctl *ctl, const struct yk_config_verdict *verdict)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf out = {.max = YK_CTL_CONFIG_ANSWER_MAX};
    if (ctl->output != YK_CTL_JSON) {
        yk_verdict_print_text(verdict, ctl->out);
        return;
    }
    yk_verdict_put_json(verdict, &out);
    (void)fprintf(ctl->out, "%s\n", yk_buf_cstr(&out));
}

static enum yk_status diff(struct yk_ctl *ctl, const char *file, struct yk_err *err)
{
    YK_CLEANUP(yk_verdict_done) struct yk_config_verdict verdict = {.compared = false};
    YK_CLEANUP(yk_source_done) struct yk_source live = {.name = "the scheduler"};
    enum yk_status st = read_file(file, &verdict.source, err);
    if (st == YK_OK && yk_source_is_valid(&verdict.source) && (st = read_live(ctl, &live, err)) == YK_OK) {
        verdict.change_count = yk_config_diff(live.config, verdict.source.config, &verdict.changes);
        verdict.compared = true;
    }
    if (st != YK_OK)
        return st;
    print_verdict(ctl, &verdict);
    return yk_source_is_valid(&verdict.source) ? YK_OK
                                               : yk_fail(err, YK_ERR_INVALID, "%s is not valid", file);
}

/* ---- apply ---- */

static bool names_checksum(struct yk_str text)
{
    static const char mark[] = "checksum:";
    return yk_str_starts(text, mark) || memmem(text.p, text.len, "\nchecksum:", strlen(mark) + 1) != NULL;
}

static enum yk_status add_checksum(struct yk_ctl *ctl, struct yk_buf *text, struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf body = {.max = YK_CTL_CONFIG_ANSWER_MAX};
    if (names_checksum(yk_buf_view(text)))
        return YK_OK;
    enum yk_status st = get_live(ctl, &body, err);
    if (st != YK_OK)
        return st;
    struct yk_str checksum = checksum_of(yk_buf_view(&body));
    yk_buf_printf(text, "%schecksum: " YK_STR_FMT "\n",
                  text->len > 0 && text->p[text->len - 1] != '\n' ? "\n" : "", YK_STR_ARG(checksum));
    return YK_OK;
}

static void print_accepted(const struct yk_ctl *ctl, const json_t *answer)
{
    const json_t *warnings = json_object_get(answer, "warnings");
    yk_ctl_print_field(ctl, "Accepted", yk_str_from(yk_ctl_text(answer, "message")));
    yk_ctl_print_field(ctl, "Checksum", yk_str_from(yk_ctl_text(answer, "checksum")));
    for (size_t i = 0; i < json_array_size(warnings); i++)
        yk_ctl_print_field(ctl, "Warning", yk_str_from(json_string_value(json_array_get(warnings, i))));
}

static enum yk_status apply(struct yk_ctl *ctl, const char *file, struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done)
    struct yk_buf text = {.max = YK_CONFIG_BYTES_MAX + 256}, body = {.max = YK_CTL_CONFIG_ANSWER_MAX};
    enum yk_status st = yk_input_read(file, &text, err);
    if (st == YK_OK)
        st = add_checksum(ctl, &text, err);
    if (st != YK_OK)
        return st;
    const struct yk_ctl_request request = {.method = "PUT",
                                           .path = CONFIG_PATH,
                                           .body = yk_buf_view(&text),
                                           .body_type = "application/x-yaml",
                                           .is_guarded = true};
    if ((st = yk_ctl_link_call(ctl->link, &request, &body, err)) != YK_OK)
        return yk_fail_in(err, st, "%s", file);
    json_t *answer = json_loadb(yk_buf_cstr(&body), body.len, 0, NULL);
    if (answer == NULL || !yk_ctl_print_tree(ctl, answer))
        print_accepted(ctl, answer);
    json_decref(answer);
    return YK_OK;
}

/* The words after `config`. A word with `needs_file` has to be followed by an operand. For other words,
 * `operand` of `run` is NULL if there is none. */
static const struct step {
    const char *name;
    bool needs_file;
    enum yk_status (*run)(struct yk_ctl *ctl, const char *operand, struct yk_err *err);
} steps[] = {
    {"show", false, show},
    {"diff", true, diff},
    {"apply", true, apply},
    {"history", false, yk_ctl_config_history},
};

enum yk_status yk_ctl_config(struct yk_ctl *ctl, char **operands, struct yk_err *err)
{
    const char *what = operands[0] != NULL ? operands[0] : "show",
               *operand = operands[0] != NULL ? operands[1] : NULL;
    for (size_t i = 0; i < YK_COUNT(steps); i++) {
        if (strcmp(what, steps[i].name) != 0)
            continue;
        ctl->is_misused = steps[i].needs_file && operand == NULL;
        if (ctl->is_misused)
            return yk_fail(err, YK_ERR_INVALID, "config %s: FILE is missing; - reads standard input", what);
        return steps[i].run(ctl, operand, err);
    }
    ctl->is_misused = true;
    return yk_fail(err, YK_ERR_INVALID,
                   "use config show, config diff FILE, config apply FILE or config history [ID], not '%s'",
                   what);
}
