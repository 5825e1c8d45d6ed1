/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The output of the subcommands: lists as tables, objects as fields, or the answer of the scheduler as JSON
 * or YAML.
 *
 * Thread: main thread.
 */
#ifndef YK_CMD_KUBECTL_OUTPUT_H
#define YK_CMD_KUBECTL_OUTPUT_H

#include "cmd/kubectl.h"
#include "cmd/kubectl_table.h"

struct yk_ctl_column {
    const char *header;
    bool is_wide; /* only shown with --output wide */
    /* Appends the text of the cell for `row`, an item of the list. Escaping is not needed. An empty cell is
     * shown as "<none>". */
    void (*put)(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell);
};

/* Prints the items of the array `rows` (NULL: empty) to ctl->out as a table with the `count` columns, without
 * the wide ones unless --output wide is given; at most YK_TABLE_COLUMNS_MAX are shown. If the array is empty,
 * prints only "No <none> found." on standard error: `none` is "applications", for example. Prints the table
 * also with --output json or yaml: call yk_ctl_print_tree() before, and this function only if the result was
 * false. */
void yk_ctl_print_rows(const struct yk_ctl *ctl, const json_t *rows, const struct yk_ctl_column *columns,
                       size_t count, const char *none);
/* If --output is json or yaml, prints `tree` in that format and returns true. Otherwise returns false: the
 * caller prints a table or fields. */
bool yk_ctl_print_tree(const struct yk_ctl *ctl, const json_t *tree);
/* Prints a line "<label>:  <text>"; nothing if `text` is empty. `text` is escaped. */
void yk_ctl_print_field(const struct yk_ctl *ctl, const char *label, struct yk_str text);
/* Prints a line with a time, in ns since 1970, and how long ago it is; nothing for 0 or less. */
void yk_ctl_print_time(const struct yk_ctl *ctl, const char *label, int64_t wall_ns);
/* Appends `text`, which should be JSON in UTF-8. Each character that yk_text_for_terminal() escapes is
 * replaced by its JSON escape, such as "\u009b", but line feeds and tabs stay. The result means the same if
 * `text` is JSON without carriage returns, because only strings can have the other characters. */
void yk_json_for_terminal(struct yk_str text, struct yk_buf *out);
/* Appends `tree` as YAML in ASCII, with an indentation of two blanks. False: it could not be written; `out`
 * may have a part of it. Recursive: `tree` has to come from a parser that limits its depth, such as
 * yk_ctl_parse(). */
bool yk_yaml_put(const json_t *tree, struct yk_buf *out);

#endif
