/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The examples of docs/queues.md, tried.
 *
 *   ```yaml                     a queue configuration: valid, without a warning
 *   ```yaml invalid "TEXT"      refused with a sentence that holds TEXT
 *   | user | groups | ...       behind a configuration: each row is an application and the queue it goes to
 */
#include "scheduler/world.h"

#include "base/vec.h"

enum { LINES_MAX = 4000, CELLS = 6, GROUPS_MAX = 8 };

struct page {
    struct yk_buf text;
    struct yk_str lines[LINES_MAX];
    size_t count;
};

static void read_page(struct page *page, const char *path)
{
    struct yk_err err = {0};
    page->text.max = 1 << 20;
    if (yk_file_read(path, &page->text, &err) != YK_OK)
        fail_msg("%s", err.text);
    struct yk_str rest = yk_buf_view(&page->text);
    while (page->count < LINES_MAX && yk_str_split(&rest, '\n', &page->lines[page->count]))
        page->count++;
    assert_true(page->count < LINES_MAX);
}

/* The lines between the fences; `*at` is the opening one, and the closing one afterwards. */
static void read_block(const struct page *page, size_t *at, struct yk_buf *ret_yaml)
{
    for ((*at)++; *at < page->count && !yk_str_starts(page->lines[*at], "```"); (*at)++) {
        yk_buf_str(ret_yaml, page->lines[*at]);
        yk_buf_char(ret_yaml, '\n');
    }
}

/* ---- configurations ---- */

static enum yk_status load(const struct yk_buf *yaml, uint32_t *ret_warnings, struct yk_err *err)
{
    YK_CLEANUP(yk_config_freep) struct yk_config *config = NULL;
    enum yk_status st = yk_config_load(yk_buf_view(yaml), &config, err);
    if (st == YK_OK)
        st = yk_config_check_activation(config, err);
    *ret_warnings = config != NULL ? config->warning_count : 0;
    return st;
}

static void check_valid(size_t line, const struct yk_buf *yaml)
{
    struct yk_err err = {0};
    uint32_t warnings = 0;
    if (load(yaml, &warnings, &err) != YK_OK)
        fail_msg("example in line %zu: %s", line, err.text);
    if (warnings > 0)
        fail_msg("example in line %zu: %u warnings", line, warnings);
}

static void check_invalid(size_t line, struct yk_str fence, const struct yk_buf *yaml)
{
    struct yk_err err = {0};
    uint32_t warnings = 0;
    const char *from = memchr(fence.p, '"', fence.len);
    assert_non_null(from);
    YK_CLEANUP(yk_freep) char *wanted = yk_strndup(from + 1, fence.len - (size_t)(from + 1 - fence.p) - 1);
    if (load(yaml, &warnings, &err) == YK_OK)
        fail_msg("example in line %zu is valid", line);
    if (strstr(err.text, wanted) == NULL)
        fail_msg("example in line %zu: '%s', not '%s'", line, err.text, wanted);
}

/* ---- tables ---- */

static struct yk_str cell_text(struct yk_str cell)
{
    cell = yk_str_trim(cell);
    return yk_str_is(cell, "-") ? YK_STR("") : cell;
}

static size_t split_row(struct yk_str line, char *ret_cells[CELLS])
{
    struct yk_str rest = {line.p + 1, line.len - 1}, cell;
    size_t count = 0;
    while (count < CELLS && yk_str_split(&rest, '|', &cell))
        ret_cells[count++] = yk_str_dup(cell_text(cell));
    return count;
}

static void submit(struct world *world, char *const cells[CELLS])
{
    const char *groups[GROUPS_MAX];
    char *texts[GROUPS_MAX];
    size_t count = 0;
    struct yk_str rest = yk_str_from(cells[1]), group;
    while (rest.len > 0 && count < GROUPS_MAX && yk_str_split(&rest, ',', &group))
        groups[count] = texts[count] = yk_str_dup(group), count++;
    const struct yk_si_tag tags[] = {{YK_SI_TAG_NAMESPACE, cells[2]}, {YK_SI_TAG_APP_TYPE, cells[4]}};
    const struct yk_si_new_app app = {.application_id = "app",
                                      .queue = cells[3],
                                      .ugi = {cells[0], groups, count},
                                      .tags = tags,
                                      .tag_count = cells[4][0] != '\0' ? 2 : 1};
    assert_int_equal(yk_core_add_app(world->core, "rm", &app), YK_OK);
    for (size_t i = 0; i < count; i++)
        free(texts[i]);
}

static void check_row(size_t line, const struct yk_buf *yaml, struct yk_str row)
{
    struct world world;
    char *cells[CELLS];
    if (split_row(row, cells) != CELLS)
        fail_msg("line %zu: not a row of %d cells", line, CELLS);
    world_init(&world, yk_buf_cstr(yaml));
    submit(&world, cells);
    const struct yk_app *app = world_app(&world, "app");
    const char *got = app != NULL ? app->queue_path : "refused";
    if (strcmp(got, cells[5]) != 0)
        fail_msg("line %zu: goes to %s, not %s (%s)", line, got, cells[5], world.last_reason);
    for (size_t i = 0; i < CELLS; i++)
        free(cells[i]);
    world_done(&world);
}

static size_t check_table(const struct page *page, size_t at, const struct yk_buf *yaml)
{
    size_t rows = 0;
    for (at += 2; at < page->count && yk_str_starts(page->lines[at], "| "); at++, rows++)
        check_row(at + 1, yaml, page->lines[at]);
    return rows;
}

/* ---- the page ---- */

static void examples_of_the_page(void **state)
{
    (void)state;
    struct page *page = yk_new0(struct page);
    struct yk_buf yaml = {0};
    size_t valid = 0, invalid = 0, rows = 0;
    read_page(page, "docs/queues.md");
    for (size_t at = 0; at < page->count; at++) {
        struct yk_str line = page->lines[at];
        size_t opens = at;
        if (yk_str_starts(line, "```yaml")) {
            yk_buf_clear(&yaml);
            read_block(page, &at, &yaml);
            bool refused = yk_str_starts(line, "```yaml invalid ");
            if (refused)
                check_invalid(opens + 1, line, &yaml);
            else
                check_valid(opens + 1, &yaml);
            valid += !refused;
            invalid += refused;
        } else if (yk_str_starts(line, "| user | groups | namespace |")) {
            rows += check_table(page, at, &yaml);
        }
    }
    assert_in_range(valid, 5, 100); /* a page without examples proves nothing */
    assert_in_range(invalid, 2, 100);
    assert_in_range(rows, 15, 500);
    yk_buf_done(&yaml);
    yk_buf_done(&page->text);
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(examples_of_the_page)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
