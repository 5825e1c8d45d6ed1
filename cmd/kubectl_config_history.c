/* SPDX-License-Identifier: Apache-2.0 */
/* `kubectl yunikorn config history`: configurations that became active or were refused, and their texts. */
#include "base/clock.h"
#include "cmd/kubectl_cells.h"
#include "cmd/kubectl_config.h"
#include "cmd/kubectl_link.h"
#include "cmd/kubectl_output.h"

#include <inttypes.h>

#define HISTORY_PATH "/ws/v1/config/history"

enum { CHECKSUM_SHOWN = 12 };

/* ---- the list ---- */

static void put_id(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_buf_printf(cell, "%" PRId64, yk_ctl_number(row, "id"));
}

static void put_age(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    yk_cell_age(ctl, yk_ctl_number(row, "time"), cell);
}

static void put_time(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    char text[YK_TIME_TEXT_MAX];
    (void)ctl;
    yk_time_format(yk_ctl_number(row, "time"), 0, text);
    yk_buf_text(cell, text);
}

static void put_outcome(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    int64_t repeated = yk_ctl_number(row, "repeated");
    (void)ctl;
    yk_buf_text(cell, yk_ctl_text(row, "outcome"));
    if (repeated > 0)
        yk_buf_printf(cell, " %" PRId64 " times", repeated + 1);
    if (yk_ctl_truth(row, "active"))
        yk_buf_text(cell, ", in force");
}

static void put_trigger(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_buf_text(cell, yk_ctl_text(row, "trigger"));
}

static void put_source(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_buf_text(cell, yk_ctl_text(row, "source"));
}

static void put_checksum(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_buf_printf(cell, "%.*s", CHECKSUM_SHOWN, yk_ctl_text(row, "checksum"));
}

static void put_lines(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    if (json_is_array(json_object_get(row, "changes")))
        yk_buf_printf(cell, "%" PRId64, yk_ctl_number(row, "changeCount"));
}

static void put_result(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    const char *error = yk_ctl_text(row, "error");
    (void)ctl;
    yk_buf_text(cell, error[0] != '\0' ? error : yk_ctl_text(row, "summary"));
}

static const struct yk_ctl_column columns[] = {
    {"ID", false, put_id},
    {"AGO", false, put_age},
    {"TIME", true, put_time},
    {"OUTCOME", false, put_outcome},
    {"BY", true, put_trigger},
    {"FROM", true, put_source},
    {"CHECKSUM", true, put_checksum},
    {"LINES", true, put_lines},
    {"RESULT", false, put_result},
};

static void print_list(const struct yk_ctl *ctl, const json_t *answer)
{
    if (!yk_ctl_print_tree(ctl, answer))
        yk_ctl_print_rows(ctl, json_object_get(answer, "entries"), columns, YK_COUNT(columns),
                          "configurations");
}

/* ---- one configuration ---- */

static void print_comment(const struct yk_ctl *ctl, const char *label, const char *text)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf clean = {0};
    yk_text_for_terminal(yk_str_from(text), &clean);
    if (clean.len > 0)
        (void)fprintf(ctl->out, "# %-10s %s\n", label, yk_buf_cstr(&clean));
}

static void print_cell(const struct yk_ctl *ctl, const char *label, const json_t *entry,
                       void (*put)(const struct yk_ctl *, const json_t *, struct yk_buf *))
{
    YK_CLEANUP(yk_buf_done) struct yk_buf cell = {0};
    put(ctl, entry, &cell);
    print_comment(ctl, label, yk_buf_cstr(&cell));
}

static void print_entry(const struct yk_ctl *ctl, const json_t *entry)
{
    const json_t *changes = json_object_get(entry, "changes"), *line;
    int64_t more = yk_ctl_number(entry, "changeCount") - (int64_t)json_array_size(changes);
    size_t i;
    print_cell(ctl, "Time:", entry, put_time);
    print_cell(ctl, "Outcome:", entry, put_outcome);
    print_cell(ctl, "By:", entry, put_trigger);
    print_cell(ctl, "From:", entry, put_source);
    print_comment(ctl, "Checksum:", yk_ctl_text(entry, "checksum"));
    print_comment(ctl, "Error:", yk_ctl_text(entry, "error"));
    print_comment(ctl, "Did:", yk_ctl_text(entry, "summary"));
    json_array_foreach(changes, i, line)
        print_comment(ctl, i == 0 ? "Changes:" : "", json_string_value(line));
    if (json_is_array(changes) && more > 0)
        (void)fprintf(ctl->out, "# %-10s and %" PRId64 " more\n", "", more);
    if (!yk_ctl_truth(entry, "hasText"))
        (void)fprintf(ctl->out, "# The scheduler no longer has its text.\n");
}

/* The entry with that id, borrowed from `answer`; NULL: the list has none. */
static json_t *find_entry(const json_t *answer, uint64_t id)
{
    size_t i;
    json_t *entry;
    json_array_foreach(json_object_get(answer, "entries"), i, entry)
    {
        if (yk_ctl_number(entry, "id") == (int64_t)id)
            return entry;
    }
    return NULL;
}

static enum yk_status get_text(struct yk_ctl *ctl, const json_t *entry, struct yk_buf *text,
                               struct yk_err *err)
{
    char path[64];
    if (!yk_ctl_truth(entry, "hasText"))
        return YK_OK;
    (void)snprintf(path, sizeof(path), HISTORY_PATH "/%" PRId64, yk_ctl_number(entry, "id")); /* fits */
    const struct yk_ctl_request request = {.method = "GET", .path = path, .accept = "application/x-yaml"};
    return yk_ctl_link_call(ctl->link, &request, text, err);
}

/* Prints the text without its line "checksum:". This line names the configuration that the text has replaced,
 * so `config apply` would be refused. */
static void print_text(const struct yk_ctl *ctl, struct yk_str text)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf kept = {.max = YK_CTL_CONFIG_ANSWER_MAX};
    struct yk_str line;
    while (text.len > 0 && yk_str_split(&text, '\n', &line)) {
        if (yk_str_starts(line, "checksum:"))
            continue;
        yk_buf_str(&kept, line);
        yk_buf_char(&kept, '\n');
    }
    yk_ctl_print_lines(ctl, yk_buf_view(&kept));
}

static enum yk_status show_entry(struct yk_ctl *ctl, json_t *entry, struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = YK_CTL_CONFIG_ANSWER_MAX};
    enum yk_status st = get_text(ctl, entry, &text, err);
    if (st != YK_OK)
        return st;
    if (yk_ctl_truth(entry, "hasText"))
        (void)json_object_set_new(entry, "text",
                                  json_stringn(yk_buf_cstr(&text), text.len)); /* fails if it is not UTF-8 */
    if (yk_ctl_print_tree(ctl, entry))
        return YK_OK;
    print_entry(ctl, entry);
    print_text(ctl, yk_buf_view(&text));
    return YK_OK;
}

enum yk_status yk_ctl_config_history(struct yk_ctl *ctl, const char *id, struct yk_err *err)
{
    uint64_t number = 0;
    json_t *answer = NULL, *entry;
    if (id != NULL && yk_str_to_u64(yk_str_from(id), &number) != YK_OK) {
        ctl->is_misused = true;
        return yk_fail(err, YK_ERR_INVALID, "config history ID: ID is a number of the list, not '%s'", id);
    }
    enum yk_status st = yk_ctl_get(ctl, HISTORY_PATH, &answer, err);
    if (st == YK_OK && id == NULL)
        print_list(ctl, answer);
    else if (st == YK_OK && (entry = find_entry(answer, number)) != NULL)
        st = show_entry(ctl, entry, err);
    else if (st == YK_OK)
        st = yk_fail(err, YK_ERR_NOT_FOUND, "the scheduler does not have configuration %s, or has dropped it",
                     id);
    json_decref(answer);
    return st;
}
