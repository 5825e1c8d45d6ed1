/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables like those of kubectl: each column is as wide as its longest cell, with three blanks between
 * columns. Cells may have texts from outside: control characters and marks of text direction are escaped, and
 * long texts are cut.
 *
 * Thread: any.
 */
#ifndef YK_CMD_KUBECTL_TABLE_H
#define YK_CMD_KUBECTL_TABLE_H

#include "base/str.h"

#include <stdio.h>

enum {
    YK_TABLE_COLUMNS_MAX = 16,
    YK_TABLE_CELL_MAX = 512, /* bytes of a cell; longer texts are cut, and "..." is added */
};

struct yk_table {
    const char *const *headers; /* `column_count` texts; borrowed */
    size_t column_count;
    struct yk_buf cells;                 /* texts, each ended by a NUL, row by row */
    size_t widths[YK_TABLE_COLUMNS_MAX]; /* width of each column so far, in characters */
    size_t cell_count;
};

/* Makes an empty table with `count` columns, 1 to YK_TABLE_COLUMNS_MAX. `headers` is borrowed until
 * yk_table_done(). */
void yk_table_init(struct yk_table *table, const char *const *headers, size_t count);
void yk_table_done(struct yk_table *table);
/* Adds the next cell of the row, or the first cell of the next row if the row is full. `text` is copied; an
 * empty text is shown as "<none>". */
void yk_table_add(struct yk_table *table, struct yk_str text);
/* Prints all rows, and the headers before them if `with_headers`. All rows must be full (yk_table_add()). If
 * the table is too large (256 MiB), the rest is left out, and a line on standard error says so. */
void yk_table_print(const struct yk_table *table, bool with_headers, FILE *out);

/* Appends `text` so that it cannot affect a terminal. Control characters, line breaks, marks that change the
 * order of characters and most invisible characters are escaped, as "\x1b", "\n" or "\u202e". Bytes that are
 * not UTF-8 become "?". */
void yk_text_for_terminal(struct yk_str text, struct yk_buf *out);

#endif
