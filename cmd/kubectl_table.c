/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/kubectl_table.h"

enum { GAP = 3, CELLS_BYTES_MAX = 256 << 20 };

/* ---- texts ---- */

/* The code point of the UTF-8 character of `bytes` bytes at `p`. */
static uint32_t rune_of(const char *p, size_t bytes)
{
    unsigned char lead = (unsigned char)p[0];
    uint32_t rune = bytes == 1 ? lead : lead & (0x7fu >> bytes);
    for (size_t i = 1; i < bytes; i++)
        rune = rune << 6 | ((unsigned char)p[i] & 0x3fu);
    return rune;
}

/* Whether the character is a control character, a line break of Unicode, a mark of text direction, or one of
 * the most common invisible characters. */
static bool is_dangerous(uint32_t rune)
{
    return rune < 0x20 || (rune >= 0x7f && rune < 0xa0) || (rune >= 0x200b && rune <= 0x200f) ||
           (rune >= 0x2028 && rune <= 0x202e) || (rune >= 0x2060 && rune <= 0x206f) || rune == 0xfeff ||
           rune == 0x061c;
}

void yk_text_for_terminal(struct yk_str text, struct yk_buf *out)
{
    for (size_t at = 0; at < text.len;) {
        size_t bytes = yk_utf8_bytes((struct yk_str){text.p + at, text.len - at});
        uint32_t rune = bytes > 0 ? rune_of(text.p + at, bytes) : 0;
        if (bytes == 0)
            yk_buf_char(out, '?');
        else if (!is_dangerous(rune))
            yk_buf_add(out, text.p + at, bytes);
        else if (rune == '\n')
            yk_buf_text(out, "\\n");
        else
            yk_buf_printf(out, rune < 0x100 ? "\\x%02x" : "\\u%04x", (unsigned)rune);
        at += bytes > 0 ? bytes : 1;
    }
}

/* The number of characters of a valid UTF-8 text. */
static size_t width_of(const char *text)
{
    size_t width = 0;
    for (; *text != '\0'; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

/* ---- tables ---- */

void yk_table_init(struct yk_table *table, const char *const *headers, size_t count)
{
    *table = (struct yk_table){
        .headers = headers,
        .column_count = YK_ASSERT(count > 0 && count <= YK_TABLE_COLUMNS_MAX) ? count : YK_TABLE_COLUMNS_MAX,
        .cells.max = CELLS_BYTES_MAX};
    for (size_t i = 0; i < table->column_count; i++)
        table->widths[i] = strlen(headers[i]);
}

void yk_table_done(struct yk_table *table)
{
    yk_buf_done(&table->cells);
}

/* The first YK_TABLE_CELL_MAX bytes of the text, or a few bytes less, so that no character is divided. */
static struct yk_str cut(struct yk_str text)
{
    if (text.len <= YK_TABLE_CELL_MAX)
        return text;
    text.len = YK_TABLE_CELL_MAX;
    while (text.len > 0 && ((unsigned char)text.p[text.len] & 0xc0) == 0x80)
        text.len--;
    return text;
}

void yk_table_add(struct yk_table *table, struct yk_str text)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf cell = {.max = 16 * YK_TABLE_CELL_MAX};
    if (text.len == 0)
        text = YK_STR("<none>");
    yk_text_for_terminal(cut(text), &cell);
    if (text.len > YK_TABLE_CELL_MAX)
        yk_buf_text(&cell, "...");
    size_t column = table->cell_count++ % table->column_count;
    table->widths[column] = YK_MAX(table->widths[column], width_of(yk_buf_cstr(&cell)));
    yk_buf_add(&table->cells, yk_buf_cstr(&cell), cell.len + 1);
}

static void print_cell(const struct yk_table *table, size_t column, const char *text, FILE *out)
{
    if (column + 1 == table->column_count)
        (void)fprintf(out, "%s\n", text);
    else
        (void)fprintf(out, "%s%*s", text, (int)(table->widths[column] - width_of(text) + GAP), "");
}

void yk_table_print(const struct yk_table *table, bool with_headers, FILE *out)
{
    const char *cell = yk_buf_cstr(&table->cells), *end = cell + table->cells.len;
    for (size_t i = 0; with_headers && i < table->column_count; i++)
        print_cell(table, i, table->headers[i], out);
    for (size_t i = 0; cell < end; i++) {
        print_cell(table, i % table->column_count, cell, out);
        cell += strlen(cell) + 1;
    }
    if (table->cells.failed)
        (void)fputs("... the table is too large and was cut\n", stderr);
}
