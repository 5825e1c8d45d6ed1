/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/kubectl_output.h"

#include "cmd/kubectl_cells.h"
#include "cmd/kubectl_quantity.h"

enum { FIELD_WIDTH = 14 };

/* ---- tables ---- */

void yk_ctl_print_rows(const struct yk_ctl *ctl, const json_t *rows, const struct yk_ctl_column *columns,
                       size_t count, const char *none)
{
    const char *headers[YK_TABLE_COLUMNS_MAX];
    const struct yk_ctl_column *shown[YK_TABLE_COLUMNS_MAX];
    size_t shown_count = 0;
    if (json_array_size(rows) == 0) {
        (void)fprintf(stderr, "No %s found.\n", none);
        return;
    }
    for (size_t i = 0; i < count && shown_count < YK_TABLE_COLUMNS_MAX; i++) {
        if (columns[i].is_wide && ctl->output != YK_CTL_WIDE)
            continue;
        headers[shown_count] = columns[i].header;
        shown[shown_count++] = &columns[i];
    }
    struct yk_table table;
    yk_table_init(&table, headers, shown_count);
    for (size_t row = 0; row < json_array_size(rows); row++) {
        for (size_t i = 0; i < shown_count; i++) {
            YK_CLEANUP(yk_buf_done) struct yk_buf cell = {.max = 64 << 10};
            shown[i]->put(ctl, json_array_get(rows, row), &cell);
            yk_table_add(&table, yk_buf_view(&cell));
        }
    }
    yk_table_print(&table, ctl->flags.no_headers == NULL, ctl->out);
    yk_table_done(&table);
}

void yk_ctl_print_field(const struct yk_ctl *ctl, const char *label, struct yk_str text)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf clean = {.max = 1 << 20};
    if (text.len == 0)
        return;
    yk_text_for_terminal(text, &clean);
    (void)fprintf(ctl->out, "%s:%*s%s\n", label, (int)YK_MAX(FIELD_WIDTH - (int)strlen(label), 1), "",
                  yk_buf_cstr(&clean));
}

void yk_ctl_print_time(const struct yk_ctl *ctl, const char *label, int64_t wall_ns)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 128};
    if (wall_ns <= 0)
        return;
    yk_time_put(&text, wall_ns);
    yk_buf_text(&text, " (");
    yk_cell_age(ctl, wall_ns, &text);
    yk_buf_text(&text, " ago)");
    yk_ctl_print_field(ctl, label, yk_buf_view(&text));
}

/* ---- JSON and YAML ---- */

void yk_json_for_terminal(struct yk_str text, struct yk_buf *out)
{
    for (size_t at = 0; at < text.len;) {
        struct yk_str rest = {text.p + at, text.len - at};
        const unsigned char *p = (const unsigned char *)rest.p;
        /* Line breaks and tabs are between tokens. Other control characters are not JSON, but may come. */
        if (p[0] <= 0x7f) {
            if (p[0] == 0x7f || (p[0] < ' ' && p[0] != '\n' && p[0] != '\t'))
                yk_buf_printf(out, "\\u%04x", p[0]);
            else
                yk_buf_char(out, (char)p[0]);
            at++;
            continue;
        }
        YK_CLEANUP(yk_buf_done) struct yk_buf one = {.max = 64};
        size_t bytes = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
        rest.len = YK_MIN(bytes, rest.len);
        yk_text_for_terminal(rest, &one);
        if (one.len > 2 && one.p[0] == '\\' && one.p[1] == 'x')
            yk_buf_printf(out, "\\u00%s", one.p + 2);
        else
            yk_buf_str(out, yk_buf_view(&one));
        at += rest.len;
    }
}

static void print_json(const struct yk_ctl *ctl, const json_t *tree)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf clean = {.max = 1 << 30};
    char *text = json_dumps(tree, JSON_INDENT(4) | JSON_ENCODE_ANY);
    if (text == NULL)
        return;
    yk_json_for_terminal(yk_str_from(text), &clean);
    (void)fprintf(ctl->out, "%s\n", yk_buf_cstr(&clean));
    free(text);
}

static void print_yaml(const struct yk_ctl *ctl, const json_t *tree)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 1 << 30};
    if (yk_yaml_put(tree, &text))
        (void)fputs(yk_buf_cstr(&text), ctl->out);
}

bool yk_ctl_print_tree(const struct yk_ctl *ctl, const json_t *tree)
{
    if (ctl->output == YK_CTL_JSON)
        print_json(ctl, tree);
    else if (ctl->output == YK_CTL_YAML)
        print_yaml(ctl, tree);
    return ctl->output == YK_CTL_JSON || ctl->output == YK_CTL_YAML;
}
