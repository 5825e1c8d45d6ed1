/* SPDX-License-Identifier: Apache-2.0 */
/* `kubectl yunikorn move` and `kill`: change an application. The scheduler checks whether the user is allowed
 * to. */
#include "client/url.h"
#include "cmd/kubectl_link.h"
#include "cmd/kubectl_output.h"

enum { ANSWER_MAX = 1 << 20 };

/* Sends the request and prints a sentence with `done`, such as "moved", and the new state; or the answer as
 * JSON or YAML. */
static enum yk_status change(struct yk_ctl *ctl, const struct yk_ctl_request *request, const char *id,
                             const char *done, struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done)
    struct yk_buf body = {.max = ANSWER_MAX}, text = {.max = 8192}, clean = {.max = 32768};
    enum yk_status st = yk_ctl_link_call(ctl->link, request, &body, err);
    if (st != YK_OK)
        return yk_fail_in(err, st, "application '%s'", id);
    json_t *answer = json_loadb(yk_buf_cstr(&body), body.len, 0, NULL);
    if (answer == NULL || !yk_ctl_print_tree(ctl, answer)) {
        yk_buf_printf(&text, "application %s %s: queue %s, state %s", id, done,
                      yk_ctl_text(answer, "queueName"), yk_ctl_text(answer, "applicationState"));
        yk_text_for_terminal(yk_buf_view(&text), &clean);
        (void)fprintf(ctl->out, "%s\n", yk_buf_cstr(&clean));
    }
    json_decref(answer);
    return YK_OK;
}

static void put_path(const struct yk_ctl *ctl, const char *id, const char *rest, struct yk_buf *path)
{
    yk_ctl_path(ctl, "/application", path);
    yk_url_segment(path, id);
    yk_buf_text(path, rest);
}

enum yk_status yk_ctl_move(struct yk_ctl *ctl, char **operands, struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {.max = 4096};
    json_t *tree = json_pack("{s:s}", "queue", operands[1]);
    char *body = tree != NULL ? json_dumps(tree, JSON_COMPACT) : NULL;
    json_decref(tree);
    if (body == NULL)
        return yk_fail(err, YK_ERR_INVALID, "'%s' is not UTF-8", operands[1]);
    put_path(ctl, operands[0], "/queue", &path);
    const struct yk_ctl_request request = {
        .method = "PUT", .path = yk_buf_cstr(&path), .body = yk_str_from(body), .is_guarded = true};
    enum yk_status st = change(ctl, &request, operands[0], "moved", err);
    free(body);
    return st;
}

enum yk_status yk_ctl_kill(struct yk_ctl *ctl, char **operands, struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {.max = 4096};
    put_path(ctl, operands[0], "", &path);
    const struct yk_ctl_request request = {
        .method = "DELETE", .path = yk_buf_cstr(&path), .is_guarded = true};
    return change(ctl, &request, operands[0], "killed", err);
}
