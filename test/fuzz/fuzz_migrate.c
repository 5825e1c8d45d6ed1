/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as what `yunikorn migrate check` reads. The first byte says what they are: values of the chart,
 * or the kind of the objects in the answer to a list. What is found is in lines of bounded size, and there is
 * not too much of it.
 */
#include "api/list_reader.h"
#include "migrate/migration.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct taking {
    struct yk_migration *migration;
    enum yk_subject subject;
};

static void take(void *context, struct yk_str json)
{
    const struct taking *taking = context;
    struct yk_err err = {0};
    if (yk_migration_take(taking->migration, taking->subject, "Kind", json, &err) != YK_OK &&
        err.text[0] == '\0')
        abort();
}

/* In two parts, as from the network. */
static void read_list(struct taking *taking, struct yk_str text)
{
    const struct yk_list_text_sink sink = {take, taking};
    struct yk_list_reader *reader = yk_list_reader_new_text("objects", &sink);
    struct yk_list_meta meta = {.continue_token = NULL};
    struct yk_err err = {0};
    size_t half = text.len / 2;
    enum yk_status st = yk_list_reader_feed(reader, (struct yk_str){text.p, half}, &err);
    if (st == YK_OK)
        st = yk_list_reader_feed(reader, (struct yk_str){text.p + half, text.len - half}, &err);
    if (st == YK_OK)
        st = yk_list_reader_finish(reader, &meta, &err);
    if (st != YK_OK && err.text[0] == '\0')
        abort();
    free(meta.continue_token);
    yk_list_reader_free(reader);
}

static void check_line(const char *text)
{
    if (strlen(text) > YK_FINDING_TEXT_MAX || strpbrk(text, "\n\r\x1b") != NULL)
        abort();
}

static void check_findings(struct yk_findings *findings)
{
    yk_findings_sort(findings);
    if (findings->count > yk_check_count * YK_FINDINGS_PER_CHECK_MAX)
        abort();
    for (size_t i = 0; i < findings->count; i++) {
        const struct yk_finding *finding = findings->items[i];
        check_line(finding->name);
        check_line(finding->sentence);
        check_line(finding->command);
        check_line(finding->values);
    }
}

static void read_values(struct yk_migration *migration, struct yk_str text)
{
    YK_CLEANUP(yk_arena_done) struct yk_arena arena = {0};
    struct yk_pairs pairs;
    struct yk_err err = {0};
    if (yk_migration_take_values(migration, text, &err) != YK_OK) {
        if (err.text[0] == '\0')
            abort();
        return;
    }
    yk_migration_settings_of_values(migration, &arena, &pairs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    YK_CLEANUP(yk_migration_freep) struct yk_migration *migration = yk_migration_new("yk", "yunikorn");
    struct taking taking = {migration, (enum yk_subject)(data[0] % (YK_SUBJECT_VALUES + 1))};
    struct yk_str text = {(const char *)data + 1, size - 1};
    struct yk_err ignored;
    if (taking.subject == YK_SUBJECT_VALUES)
        read_values(migration, text);
    else
        read_list(&taking, text);
    if (yk_migration_take_config(migration, text, text, &ignored) == YK_OK) /* only that nothing breaks */
        yk_migration_end(migration, true);
    yk_migration_end(migration, true);
    check_findings(yk_migration_findings(migration));
    return 0;
}
