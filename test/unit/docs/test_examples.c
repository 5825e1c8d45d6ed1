/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The examples of docs/queues.md and README.md, tried.
 *
 *   ```yaml                     a queue configuration, or a ConfigMap that holds one: becomes active, without
 *                               a warning. Pods and Jobs are left out
 *   ```yaml invalid "TEXT"      refused with a sentence that holds TEXT
 *   | user | groups | ...       behind a configuration: each row is an application and the queue it goes to,
 *                               or "refused: " and a part of the reason
 *   [text](#heading)            leads to a heading of the page
 *   [text](page.md), on any page: the page exists, and no page is named without a link
 */
#include "lib/core_world.h"

#include "config/config.h"

#include <ctype.h>
#include <unistd.h>

enum { LINES_MAX = 4000, CELLS = 6, GROUPS_MAX = 8 };

static const char header[] = "| user | groups | namespace | pod's queue | type | goes to |";
static const char refused[] = "refused: ";

struct page {
    const char *path;
    struct yk_buf text;
    struct yk_str lines[LINES_MAX];
    size_t count;
};

static void read_page(struct page *page, const char *path)
{
    struct yk_err err = {0};
    page->path = path;
    page->text.max = 1 << 20;
    if (yk_file_read(path, &page->text, &err) != YK_OK)
        fail_msg("%s", err.text);
    struct yk_str rest = yk_buf_view(&page->text);
    while (page->count < LINES_MAX && yk_str_split(&rest, '\n', &page->lines[page->count]))
        page->count++;
    assert_true(page->count < LINES_MAX);
}

/* The lines between the fences; `*at` is the opening one, and the closing one afterwards. */
static void read_block(const struct page *page, size_t *at, struct yk_buf *ret_block)
{
    size_t opens = *at;
    yk_buf_clear(ret_block);
    for ((*at)++; *at < page->count && !yk_str_starts(page->lines[*at], "```"); (*at)++) {
        yk_buf_str(ret_block, page->lines[*at]);
        yk_buf_char(ret_block, '\n');
    }
    if (*at == page->count)
        fail_msg("%s:%zu: the block does not end", page->path, opens + 1);
}

/* What stands under `queues.yaml` in a ConfigMap's data, moved to the left. */
static void unpack_config_map(struct yk_buf *block)
{
    static const char key[] = "\n  queues.yaml: |\n";
    YK_CLEANUP(yk_buf_done) struct yk_buf inner = {0};
    struct yk_str rest = yk_str_from(strstr(yk_buf_cstr(block), key) + sizeof(key) - 1), line;
    while (yk_str_split(&rest, '\n', &line) && yk_str_starts(line, "    ")) {
        yk_buf_str(&inner, (struct yk_str){line.p + 4, line.len - 4});
        yk_buf_char(&inner, '\n');
    }
    yk_buf_clear(block);
    yk_buf_str(block, yk_buf_view(&inner));
}

/* Leaves the queue configuration in `block`. False: it is about something else. */
static bool find_config(const struct page *page, size_t line, struct yk_buf *block)
{
    const char *text = yk_buf_cstr(block);
    if (strncmp(text, "partitions:", 11) == 0)
        return true;
    if (strstr(text, "\n  queues.yaml: |\n") != NULL) {
        unpack_config_map(block);
        return true;
    }
    if (strstr(text, "kind: Pod\n") == NULL && strstr(text, "kind: Job\n") == NULL)
        fail_msg("%s:%zu: neither a queue configuration nor a pod or a Job", page->path, line);
    yk_buf_clear(block); /* a table below would be about nothing */
    return false;
}

/* ---- configurations ---- */

static void check_valid(const struct page *page, size_t line, const struct yk_buf *yaml)
{
    YK_CLEANUP(yk_config_freep) struct yk_config *config = NULL;
    struct yk_err err = {0};
    struct world world;
    if (yk_config_load(yk_buf_view(yaml), &config, &err) != YK_OK)
        fail_msg("%s:%zu: %s", page->path, line, err.text);
    if (config->warning_count > 0)
        fail_msg("%s:%zu: " YK_STR_FMT, page->path, line, YK_STR_ARG(config->warnings[0].text));
    world_init(&world, yk_buf_cstr(yaml));
    world_check(&world);
    world_done(&world);
}

static void check_invalid(const struct page *page, size_t line, const struct yk_buf *yaml)
{
    struct yk_str fence = page->lines[line - 1];
    const char *from = memchr(fence.p, '"', fence.len);
    const char *to = memrchr(fence.p, '"', fence.len);
    if (from == NULL || to <= from + 1)
        fail_msg("%s:%zu: no text in quotes", page->path, line);
    struct world world;
    world_init(&world, "");
    const char *refusal = world_reload(&world, yk_buf_cstr(yaml));
    if (refusal == NULL)
        fail_msg("%s:%zu: is valid", page->path, line);
    if (memmem(refusal, strlen(refusal), from + 1, (size_t)(to - from - 1)) == NULL)
        fail_msg("%s:%zu: '%s'", page->path, line, refusal);
    world_done(&world);
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

/* "root.a", or "refused: part of the reason" */
static void check_answer(const struct page *page, size_t line, struct world *world, const char *want)
{
    const struct yk_app *app = world_app(world, "app");
    if (app != NULL && strcmp(app->queue_path, want) != 0)
        fail_msg("%s:%zu: goes to %s, not %s", page->path, line, app->queue_path, want);
    if (app != NULL)
        return;
    if (strncmp(want, refused, sizeof(refused) - 1) != 0)
        fail_msg("%s:%zu: refused (%s)", page->path, line, world->last_reason);
    if (want[sizeof(refused) - 1] == '\0' || strstr(world->last_reason, want + sizeof(refused) - 1) == NULL)
        fail_msg("%s:%zu: refused with '%s'", page->path, line, world->last_reason);
}

static void check_row(const struct page *page, size_t line, const struct yk_buf *yaml)
{
    struct world world;
    char *cells[CELLS];
    if (split_row(page->lines[line - 1], cells) != CELLS)
        fail_msg("%s:%zu: not a row of %d cells", page->path, line, CELLS);
    world_init(&world, yk_buf_cstr(yaml));
    submit(&world, cells);
    check_answer(page, line, &world, cells[CELLS - 1]);
    world_check(&world);
    for (size_t i = 0; i < CELLS; i++)
        free(cells[i]);
    world_done(&world);
}

static size_t check_table(const struct page *page, size_t at, const struct yk_buf *yaml)
{
    size_t rows = 0;
    if (yaml->len == 0)
        fail_msg("%s:%zu: a table without a configuration above it", page->path, at + 1);
    if (!yk_str_is(page->lines[at], header))
        fail_msg("%s:%zu: the columns are %s", page->path, at + 1, header);
    for (size_t i = at + 2; i < page->count && yk_str_starts(page->lines[i], "|"); i++, rows++)
        check_row(page, i + 1, yaml);
    if (rows == 0)
        fail_msg("%s:%zu: a table without rows", page->path, at + 1);
    return rows;
}

/* ---- pages ---- */

/* As web pages make it: small letters, dashes for blanks, no other punctuation. */
static bool is_anchor_of(struct yk_str heading, struct yk_str anchor)
{
    size_t at = 0;
    for (size_t i = 0; i < heading.len; i++) {
        int c = heading.p[i] == ' ' ? '-' : tolower((unsigned char)heading.p[i]);
        if (!isalnum(c) && c != '-' && c != '_')
            continue;
        if (at == anchor.len || anchor.p[at++] != c)
            return false;
    }
    return at == anchor.len;
}

static bool has_heading(const struct page *page, struct yk_str anchor)
{
    for (size_t i = 0; i < page->count; i++) {
        struct yk_str line = page->lines[i];
        size_t level = 0;
        while (level < line.len && line.p[level] == '#')
            level++;
        if (level > 0 && is_anchor_of(yk_str_trim((struct yk_str){line.p + level, line.len - level}), anchor))
            return true;
    }
    return false;
}

static void check_links(const struct page *page, size_t line)
{
    struct yk_str rest = page->lines[line - 1], anchor;
    for (const char *link; (link = memmem(rest.p, rest.len, "](#", 3)) != NULL;) {
        rest = (struct yk_str){link + 3, rest.len - (size_t)(link + 3 - rest.p)};
        if (!yk_str_split(&rest, ')', &anchor) || !has_heading(page, anchor))
            fail_msg("%s:%zu: no heading '" YK_STR_FMT "'", page->path, line, YK_STR_ARG(anchor));
    }
}

struct tried {
    size_t valid, invalid, rows;
};

static void try_block(const struct page *page, size_t *at, struct yk_buf *yaml, struct tried *tried)
{
    size_t line = *at + 1;
    bool refused_one = yk_str_starts(page->lines[*at], "```yaml invalid");
    if (!refused_one && !yk_str_is(page->lines[*at], "```yaml"))
        fail_msg("%s:%zu: what kind of block is this?", page->path, line);
    read_block(page, at, yaml);
    if (!find_config(page, line, yaml))
        return;
    if (refused_one)
        check_invalid(page, line, yaml);
    else
        check_valid(page, line, yaml);
    tried->valid += !refused_one;
    tried->invalid += refused_one;
}

static struct tried try_page(const char *path)
{
    struct page *page = yk_new0(struct page);
    struct yk_buf yaml = {0};
    struct tried tried = {0};
    read_page(page, path);
    for (size_t at = 0; at < page->count; at++) {
        if (yk_str_starts(page->lines[at], "```yaml"))
            try_block(page, &at, &yaml, &tried);
        else if (yk_str_starts(page->lines[at], "```"))
            read_block(page, &at, &yaml), yk_buf_clear(&yaml);
        else if (yk_str_starts(page->lines[at], "| user | groups |"))
            tried.rows += check_table(page, at, &yaml);
        else
            check_links(page, at + 1);
    }
    yk_buf_done(&yaml);
    yk_buf_done(&page->text);
    free(page);
    return tried;
}

/* A page without examples proves nothing. */
static void examples_of_queues(void **state)
{
    (void)state;
    struct tried tried = try_page("docs/queues.md");
    assert_in_range(tried.valid, 10, 1000);
    assert_in_range(tried.invalid, 5, 1000);
    assert_in_range(tried.rows, 40, 1000);
}

static void examples_of_readme(void **state)
{
    (void)state;
    struct tried tried = try_page("README.md");
    assert_in_range(tried.valid, 1, 100);
}

/* ---- links between pages ---- */

static const char *const pages[] = {
    "README.md",
    "CONTRIBUTING.md",
    "docs/design.md",
    "docs/install.md",
    "docs/pods.md",
    "docs/queues.md",
    "docs/reference/admission.md",
    "docs/reference/configuration.md",
    "docs/reference/kubernetes.md",
    "docs/reference/predicates.md",
    "docs/reference/queues.md",
    "docs/reference/rest.md",
    "docs/reference/scheduling.md",
    "docs/reference/simulate.md",
};

/* `target` without "#heading", from the folder of the page on. */
static bool leads_to_a_file(const char *page, struct yk_str target)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {0};
    struct yk_str file;
    const char *slash = strrchr(page, '/');
    if (!yk_str_split(&target, '#', &file))
        return false;
    if (slash != NULL)
        yk_buf_str(&path, (struct yk_str){page, (size_t)(slash + 1 - page)});
    yk_buf_str(&path, file);
    return access(yk_buf_cstr(&path), R_OK) == 0;
}

static size_t check_targets(const char *page, size_t line, struct yk_str rest)
{
    size_t count = 0;
    struct yk_str target;
    for (const char *link; (link = memmem(rest.p, rest.len, "](", 2)) != NULL;) {
        rest = (struct yk_str){link + 2, rest.len - (size_t)(link + 2 - rest.p)};
        if (!yk_str_split(&rest, ')', &target))
            fail_msg("%s:%zu: a link without an end", page, line);
        if (target.len == 0 || target.p[0] == '#' || memmem(target.p, target.len, "://", 3) != NULL)
            continue;
        if (!leads_to_a_file(page, target))
            fail_msg("%s:%zu: no file '" YK_STR_FMT "'", page, line, YK_STR_ARG(target));
        count++;
        if (rest.p == NULL)
            break;
    }
    return count;
}

/* `page.md` in code is a page that should have been linked. */
static void check_code_spans(const char *page, size_t line, struct yk_str rest)
{
    struct yk_str part;
    for (size_t i = 0; yk_str_split(&rest, '`', &part); i++) {
        if (i % 2 == 1 && yk_str_ends(part, ".md") && leads_to_a_file(page, part))
            fail_msg("%s:%zu: '" YK_STR_FMT "' is no link", page, line, YK_STR_ARG(part));
    }
}

static void links_between_pages(void **state)
{
    (void)state;
    size_t links = 0;
    for (size_t p = 0; p < YK_COUNT(pages); p++) {
        struct page *page = yk_new0(struct page);
        bool in_block = false;
        read_page(page, pages[p]);
        for (size_t i = 0; i < page->count; i++) {
            in_block ^= yk_str_starts(page->lines[i], "```");
            if (in_block || page->lines[i].len == 0)
                continue;
            links += check_targets(pages[p], i + 1, page->lines[i]);
            check_code_spans(pages[p], i + 1, page->lines[i]);
        }
        yk_buf_done(&page->text);
        free(page);
    }
    assert_in_range(links, 40, 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(examples_of_queues),
                                       cmocka_unit_test(examples_of_readme),
                                       cmocka_unit_test(links_between_pages)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
