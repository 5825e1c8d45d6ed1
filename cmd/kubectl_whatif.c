/* SPDX-License-Identifier: Apache-2.0 */
/* `kubectl yunikorn whatif`: sends a question from a file. The scheduler answers it on a copy of its
 * state. */
#include "cmd/kubectl_link.h"
#include "cmd/kubectl_output.h"
#include "cmd/whatif_question.h"
#include "cmd/whatif_report.h"
#include "whatif/question.h"

enum { ANSWER_MAX = 64 << 20 };

/* As kubectl does: an object without a namespace gets that of --namespace or of the context, and contradicts
 * the flag if it has another one. */
static enum yk_status set_namespace(struct yk_ctl *ctl, struct yk_buf *question, struct yk_err *err)
{
    bool is_given = ctl->flags.namespace_ != NULL;
    if (!is_given && !yk_ctl_link_has_cluster(ctl->link))
        return YK_OK; /* the kubeconfig may be that of another cluster */
    return yk_whatif_set_namespace(question, yk_ctl_link_namespace(ctl->link), is_given, err);
}

enum yk_status yk_ctl_whatif(struct yk_ctl *ctl, char **operands, struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf question = {.max = YK_WHATIF_BODY_MAX}, body = {.max = ANSWER_MAX};
    uint32_t count;
    enum yk_status st = yk_whatif_count(ctl->flags.count, &count, err);
    ctl->is_misused = st != YK_OK;
    if (st == YK_OK)
        st = yk_whatif_read(operands[0], count, &question, err);
    if (st == YK_OK)
        st = set_namespace(ctl, &question, err);
    if (st != YK_OK)
        return st;
    struct yk_str text = yk_str_trim(yk_buf_view(&question));
    const struct yk_ctl_request request = {.method = "POST",
                                           .path = "/ws/v1/whatif",
                                           .body = yk_buf_view(&question),
                                           .body_type = yk_str_starts(text, "{") ? "application/json"
                                                                                 : "application/x-yaml",
                                           /* A trial is expensive: a client on another host
                                            * needs a user that the scheduler knows. */
                                           .is_guarded = true};
    st = yk_ctl_link_call(ctl->link, &request, &body, err);
    json_t *answer = NULL;
    if (st == YK_OK)
        st = yk_ctl_parse(request.path, yk_buf_view(&body), &answer, err);
    if (st != YK_OK)
        return st;
    const char *verdict = yk_ctl_text(answer, "verdict");
    ctl->is_negative = strcmp(verdict, "starts") != 0 && strcmp(verdict, "accepted") != 0;
    if (!yk_ctl_print_tree(ctl, answer))
        yk_whatif_print_answer(answer, ctl->out);
    json_decref(answer);
    return YK_OK;
}
