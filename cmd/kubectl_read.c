/* SPDX-License-Identifier: Apache-2.0 */
/* Reads JSON and lists from the scheduler, and members of JSON objects. */
#include "client/url.h"
#include "cmd/kubectl.h"
#include "cmd/kubectl_link.h"

#include <inttypes.h>

enum {
    PAGE = 500,
    ANSWER_BYTES_MAX = 64 << 20,
    /* Each level of queues is an object in a list; 16 levels are around and below them. */
    NESTING_MAX = 2 * YK_CTL_QUEUE_DEPTH_MAX + 16,
};

/* Parsing and printing a tree are recursive, so a text that is nested too deep is refused before it is
 * parsed. */
static bool is_too_deep(struct yk_str text)
{
    size_t depth = 0;
    bool in_text = false;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.p[i];
        if (in_text && c == '\\')
            i++;
        else if (c == '"')
            in_text = !in_text;
        else if (!in_text && (c == '[' || c == '{') && ++depth > NESTING_MAX)
            return true;
        else if (!in_text && (c == ']' || c == '}') && depth > 0)
            depth--;
    }
    return false;
}

enum yk_status yk_ctl_parse(const char *path, struct yk_str text, json_t **ret_tree, struct yk_err *err)
{
    json_error_t reason;
    if (is_too_deep(text))
        return yk_fail(err, YK_ERR_LIMIT, "%s: the answer is nested deeper than %d levels", path,
                       NESTING_MAX);
    json_t *tree = json_loadb(text.p != NULL ? text.p : "", text.len, JSON_ALLOW_NUL, &reason);
    if (tree == NULL)
        return yk_fail(err, YK_ERR_INVALID, "%s: the answer is not JSON: line %d, column %d: %s", path,
                       reason.line, reason.column, reason.text);
    *ret_tree = tree;
    return YK_OK;
}

static enum yk_status get(struct yk_ctl *ctl, const char *path, json_t **ret_tree, struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf body = {.max = ANSWER_BYTES_MAX};
    const struct yk_ctl_request request = {.method = "GET", .path = path};
    enum yk_status st = yk_ctl_link_call(ctl->link, &request, &body, err);
    return st == YK_OK ? yk_ctl_parse(path, yk_buf_view(&body), ret_tree, err) : st;
}

/* Times in the answers of `yunikorn simulate --web` are those of its own clock. Only --server leads to one. */
static void read_simulated_clock(struct yk_ctl *ctl)
{
    json_t *state = NULL;
    if (ctl->flags.server == NULL || ctl->is_real)
        return;
    ctl->is_real = get(ctl, "/sim/v1/state", &state, NULL) != YK_OK;
    if (!ctl->is_real)
        ctl->now_ns = yk_ctl_number(state, "now");
    json_decref(state);
}

enum yk_status yk_ctl_get(struct yk_ctl *ctl, const char *path, json_t **ret_tree, struct yk_err *err)
{
    enum yk_status st = get(ctl, path, ret_tree, err);
    if (st == YK_OK)
        read_simulated_clock(ctl);
    return st;
}

enum yk_status yk_ctl_get_queue(struct yk_ctl *ctl, const char *name, json_t **ret_queue, struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {.max = 4096};
    yk_ctl_path(ctl, "/queue", &path);
    yk_url_segment(&path, name);
    enum yk_status st = yk_ctl_get(ctl, yk_buf_cstr(&path), ret_queue, err);
    return st == YK_OK ? YK_OK : yk_fail_in(err, st, "queue '%s'", name);
}

static enum yk_status get_page(struct yk_ctl *ctl, const char *path, size_t offset, unsigned limit,
                               json_t **ret_page, struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf full = {.max = 8192};
    char number[24];
    yk_buf_text(&full, path);
    (void)snprintf(number, sizeof(number), "%u", limit); /* fits, like `offset` below */
    yk_url_query(&full, "limit", number);
    (void)snprintf(number, sizeof(number), "%zu", offset);
    yk_url_query(&full, "offset", number);
    enum yk_status st = yk_ctl_get(ctl, yk_buf_cstr(&full), ret_page, err);
    if (st == YK_OK && !json_is_array(*ret_page)) {
        json_decref(*ret_page);
        st = yk_fail(err, YK_ERR_INVALID, "%s: the answer is not a list", path);
    }
    return st;
}

enum yk_status yk_ctl_list(struct yk_ctl *ctl, const char *path, json_t **ret_list, struct yk_err *err)
{
    json_t *list = json_array(), *page;
    enum yk_status st = YK_OK;
    for (unsigned limit = PAGE; st == YK_OK;) {
        st = get_page(ctl, path, json_array_size(list), limit, &page, err);
        if (st == YK_ERR_LIMIT && limit > 1) { /* the entries are large: ask for fewer per request */
            limit /= 2;
            st = YK_OK;
            continue;
        }
        if (st != YK_OK)
            break;
        size_t count = json_array_size(page);
        if (json_array_extend(list, page) != 0 || json_array_size(list) > YK_CTL_ITEMS_MAX)
            st = yk_fail(err, YK_ERR_LIMIT, "%s: more than %d entries", path, YK_CTL_ITEMS_MAX);
        json_decref(page);
        /* `count` is smaller on the last page, and larger if the server has sent the whole list. */
        if (count != limit)
            break;
    }
    if (st == YK_OK)
        *ret_list = list;
    else
        json_decref(list);
    return st;
}

void yk_ctl_path(const struct yk_ctl *ctl, const char *words, struct yk_buf *path)
{
    yk_buf_text(path, "/ws/v1/partition");
    yk_url_segment(path, ctl->partition);
    yk_buf_text(path, words);
}

const char *yk_ctl_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

int64_t yk_ctl_number(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

bool yk_ctl_truth(const json_t *object, const char *key)
{
    return json_is_true(json_object_get(object, key));
}
