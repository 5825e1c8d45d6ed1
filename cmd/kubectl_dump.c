/* SPDX-License-Identifier: Apache-2.0 */
/* `kubectl yunikorn dump`: prints the state of the scheduler as JSON, piece by piece while the answer
 * arrives. */
#include "cmd/kubectl_link.h"
#include "cmd/kubectl_output.h"

struct copy {
    FILE *out;
    struct yk_buf rest; /* the first bytes of a character that has not arrived completely */
    bool failed;
};

/* The length of `text` without an incomplete character at its end. */
static size_t whole_characters(struct yk_str text)
{
    size_t at = text.len;
    for (size_t back = 1; back <= 3 && back <= text.len; back++) {
        unsigned char c = (unsigned char)text.p[text.len - back];
        if ((c & 0xc0) == 0x80)
            continue;
        size_t bytes = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1;
        return bytes > back ? text.len - back : at;
    }
    return at;
}

static bool take_bytes(void *context, struct yk_str bytes)
{
    struct copy *copy = context;
    YK_CLEANUP(yk_buf_done) struct yk_buf clean = {.max = 64 << 20};
    yk_buf_str(&copy->rest, bytes);
    size_t len = whole_characters(yk_buf_view(&copy->rest));
    yk_json_for_terminal((struct yk_str){yk_buf_cstr(&copy->rest), len}, &clean);
    yk_buf_consume(&copy->rest, len);
    copy->failed = fwrite(yk_buf_cstr(&clean), 1, clean.len, copy->out) != clean.len;
    return !copy->failed;
}

enum yk_status yk_ctl_dump(struct yk_ctl *ctl, char **operands, struct yk_err *err)
{
    (void)operands;
    if (ctl->output == YK_CTL_WIDE || ctl->output == YK_CTL_YAML)
        return yk_fail(err, YK_ERR_INVALID, "--output %s: the state is printed as JSON only",
                       ctl->flags.output);
    struct copy copy = {.out = ctl->out};
    const struct yk_ctl_request request = {.method = "GET",
                                           .path = "/debug/fullstatedump",
                                           .is_endless = true,
                                           .sink = take_bytes,
                                           .context = &copy};
    enum yk_status st = yk_ctl_link_call(ctl->link, &request, NULL, err);
    yk_buf_done(&copy.rest);
    return st == YK_OK && copy.failed ? yk_fail(err, YK_ERR_IO, "standard output cannot be written") : st;
}
