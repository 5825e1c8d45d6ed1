/* SPDX-License-Identifier: Apache-2.0 */
/* `kubectl yunikorn whatif`: a question as a file, answered on a copy of the scheduler's state. */
#include "cmd/input.h"
#include "cmd/kubectl_link.h"
#include "cmd/kubectl_output.h"

enum { QUESTION_MAX = 4 << 20, ANSWER_MAX = 64 << 20 };

/* Objects and lists of text, in the order of the answer, indented. */
static void print_value(const struct yk_ctl *ctl, const json_t *tree)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = ANSWER_MAX};
    if (yk_yaml_put(tree, &text))
        (void)fputs(yk_buf_cstr(&text), ctl->out);
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
                                                                                 : "application/x-yaml"};
    st = yk_ctl_link_call(ctl->link, &request, &body, err);
    if (st == YK_ERR_INVALID)
        return yk_fail(err, st, "this scheduler answers no what-if questions (it has no /ws/v1/whatif)");
    if (st != YK_OK)
        return st;
    json_t *answer = json_loadb(yk_buf_cstr(&body), body.len, JSON_ALLOW_NUL, NULL);
    if (answer == NULL)
        return yk_fail(err, YK_ERR_LIMIT, "/ws/v1/whatif: the answer is not JSON");
    if (!yk_ctl_print_tree(ctl, answer))
        print_value(ctl, answer);
    json_decref(answer);
    return YK_OK;
}
