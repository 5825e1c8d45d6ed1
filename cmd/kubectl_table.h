/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables as kubectl prints them: columns as wide as their longest cell, three blanks between them. Cells are
 * texts from outside: control characters and marks of text direction are escaped, and long ones are cut.
 *
 * Thread: one.
 */
#ifndef YK_CMD_KUBECTL_TABLE_H
#define YK_CMD_KUBECTL_TABLE_H

#include "base/str.h"

#include <stdio.h>

enum { YK_TABLE_COLUMNS_MAX = 16, YK_TABLE_CELL_MAX = 512 };

struct yk_table {
    const char *const *headers; /* column_count of them; borrowed */
    size_t column_count;
    struct yk_buf cells;                 /* each terminated by NUL, row by row */
    size_t widths[YK_TABLE_COLUMNS_MAX]; /* characters */
    size_t cell_count;
};

/* An empty table with `count` (at most YK_TABLE_COLUMNS_MAX) columns. The headers are borrowed for its
 * life. */
void yk_table_init(struct yk_table *table, const char *const *headers, size_t count);
void yk_table_done(struct yk_table *table);
/* The next cell; an empty one is shown as "<none>". */
void yk_table_add(struct yk_table *table, struct yk_str text);
/* Prints the rows with aligned columns. */
void yk_table_print(const struct yk_table *table, bool with_headers, FILE *out);

/* Appends `text` for a terminal: what could change the terminal's state or the order of characters becomes
 * "\x1b" or "\u202e"; broken UTF-8 becomes "?". Line breaks are escaped as well. */
void yk_text_for_terminal(struct yk_str text, struct yk_buf *out);

#endif
