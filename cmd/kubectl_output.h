/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a subcommand prints: rows of a list as a table, or the answer itself as JSON or YAML.
 *
 * Thread: one.
 */
#ifndef YK_CMD_KUBECTL_OUTPUT_H
#define YK_CMD_KUBECTL_OUTPUT_H

#include "cmd/kubectl.h"
#include "cmd/kubectl_table.h"

struct yk_ctl_column {
    const char *header;
    bool is_wide; /* shown by -o wide only */
    void (*put)(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell);
};

/* Prints an array as a table with the columns that the output has. `none`: "applications", what there is none
 * of, said on standard error when the array is empty. */
void yk_ctl_print_rows(const struct yk_ctl *ctl, const json_t *rows, const struct yk_ctl_column *columns,
                       size_t count, const char *none);
/* Prints `tree` if the output is JSON or YAML; false: it is a table. */
bool yk_ctl_print_tree(const struct yk_ctl *ctl, const json_t *tree);
/* Prints "Label: text" of a description; nothing for an empty text. `text` may come from outside. */
void yk_ctl_print_field(const struct yk_ctl *ctl, const char *label, struct yk_str text);
/* Appends `text`, a JSON text, so that a terminal shows all of it: characters that yk_text_for_terminal()
 * escapes are "\u009b" afterwards. Only between quotes can they be. */
void yk_json_for_terminal(struct yk_str text, struct yk_buf *out);
/* Appends `tree` as YAML with two blanks of indentation, ASCII only. False: it could not be written. */
bool yk_yaml_put(const json_t *tree, struct yk_buf *out);

#endif
