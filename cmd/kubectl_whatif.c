/* SPDX-License-Identifier: Apache-2.0 */
/* `kubectl yunikorn whatif`: sends a question from a file, which the scheduler answers on a copy of its
 * state. */
#include "cmd/input.h"
#include "cmd/kubectl_link.h"
#include "cmd/kubectl_output.h"

enum { QUESTION_MAX = 4 << 20, ANSWER_MAX = 64 << 20 };

static void put_pod(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_buf_printf(cell, "%s/%s", yk_ctl_text(row, "namespace"), yk_ctl_text(row, "name"));
}

static void put_verdict(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_buf_text(cell, yk_ctl_text(row, "verdict"));
}

static void put_node(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_buf_text(cell, yk_ctl_text(row, "nodeID"));
}

static void put_message(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_buf_text(cell, yk_ctl_text(row, "message"));
}

static const struct yk_ctl_column columns[] = {{"POD", false, put_pod},
                                               {"VERDICT", false, put_verdict},
                                               {"NODE", false, put_node},
                                               {"MESSAGE", false, put_message}};

/* Prints the members of the impact that are not empty lists. */
static void print_impact(const struct yk_ctl *ctl, const json_t *impact)
{
    json_t *some = json_object(),
           *members = (json_t *)(uintptr_t)impact; /* jansson's iterators do not change it */
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = ANSWER_MAX};
    for (void *at = json_object_iter(members); at != NULL; at = json_object_iter_next(members, at)) {
        json_t *value = json_object_iter_value(at);
        if (!json_is_array(value) || json_array_size(value) > 0)
            (void)json_object_set(some, json_object_iter_key(at), value); /* fails only without memory */
    }
    if (json_object_size(some) > 0 && yk_yaml_put(some, &text))
        (void)fprintf(ctl->out, "\nImpact:\n%s", yk_buf_cstr(&text));
    json_decref(some);
}

static void describe(const struct yk_ctl *ctl, const json_t *answer)
{
    const json_t *pods = json_object_get(answer, "pods");
    yk_ctl_print_field(ctl, "Verdict", yk_str_from(yk_ctl_text(answer, "verdict")));
    yk_ctl_print_field(ctl, "Message", yk_str_from(yk_ctl_text(answer, "message")));
    if (json_array_size(pods) > 0) {
        (void)fputc('\n', ctl->out);
        yk_ctl_print_rows(ctl, pods, columns, YK_COUNT(columns), "pods");
    }
    print_impact(ctl, json_object_get(answer, "impact"));
}

enum yk_status yk_ctl_whatif(struct yk_ctl *ctl, char **operands, struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf question = {.max = QUESTION_MAX}, body = {.max = ANSWER_MAX};
    enum yk_status st = yk_input_read(operands[0], &question, err);
    if (st != YK_OK)
        return st;
    struct yk_str text = yk_str_trim(yk_buf_view(&question));
    const struct yk_ctl_request request = {.method = "POST",
                                           .path = "/ws/v1/whatif",
                                           .body = yk_buf_view(&question),
                                           .body_type = yk_str_starts(text, "{") ? "application/json"
                                                                                 : "application/x-yaml",
                                           /* A trial is expensive, so users must be known. */
                                           .is_guarded = true};
    st = yk_ctl_link_call(ctl->link, &request, &body, err);
    if (st == YK_ERR_INVALID)
        return yk_fail(err, st, "this scheduler does not answer what-if questions (it has no /ws/v1/whatif)");
    json_t *answer = NULL;
    if (st == YK_OK)
        st = yk_ctl_parse(request.path, yk_buf_view(&body), &answer, err);
    if (st != YK_OK)
        return st;
    const char *verdict = yk_ctl_text(answer, "verdict");
    ctl->is_negative = strcmp(verdict, "starts") != 0 && strcmp(verdict, "accepted") != 0;
    if (!yk_ctl_print_tree(ctl, answer))
        describe(ctl, answer);
    json_decref(answer);
    return YK_OK;
}
