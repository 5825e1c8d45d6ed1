/* SPDX-License-Identifier: Apache-2.0 */
/* Lines go into a file and come out again, compressed or not, also from a file that was cut off. */
#include "record/record_file.h"

#include "record/line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/record_file.XXXXXX";

static char *path_of(const char *name)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {0};
    yk_buf_printf(&path, "%s/%s", folder, name);
    return yk_buf_take(&path);
}

static void write_lines(const char *path, struct yk_str lines)
{
    struct yk_record_writer writer;
    struct yk_err err = {0};
    if (yk_record_writer_open(&writer, path, &err) != YK_OK)
        fail_msg("%s", err.text);
    yk_record_writer_put(&writer, lines);
    yk_record_writer_flush(&writer);
    assert_true(yk_record_writer_close(&writer));
}

/* The lines that are read, each with "|" behind it. */
static void read_lines(const char *path, struct yk_buf *out)
{
    struct yk_record_reader reader;
    struct yk_err err = {0};
    if (yk_record_reader_open(&reader, path, &err) != YK_OK)
        fail_msg("%s", err.text);
    for (;;) {
        struct yk_str line;
        if (yk_record_reader_next(&reader, &line, &err) != YK_OK)
            fail_msg("%s", err.text);
        if (line.p == NULL)
            break;
        yk_buf_str(out, line);
        yk_buf_char(out, '|');
    }
    yk_record_reader_close(&reader);
}

static void lines_come_back(void **state)
{
    (void)state;
    static const char *const names[] = {"plain.jsonl", "packed.jsonl.gz"};
    for (size_t i = 0; i < YK_COUNT(names); i++) {
        YK_CLEANUP(yk_freep) char *path = path_of(names[i]);
        YK_CLEANUP(yk_buf_done) struct yk_buf lines = {0};
        write_lines(path, YK_STR("one\n\nthree\ncut off here"));
        read_lines(path, &lines);
        assert_string_equal(yk_buf_cstr(&lines), "one||three|");
        (void)unlink(path); /* it is there */
    }
}

static void a_truncated_archive_ends_with_its_last_whole_line(void **state)
{
    (void)state;
    YK_CLEANUP(yk_freep) char *path = path_of("cut.jsonl.gz");
    YK_CLEANUP(yk_buf_done) struct yk_buf bytes = {0}, lines = {0};
    struct yk_err err = {0};
    write_lines(path, YK_STR("one\ntwo\n"));
    assert_int_equal(yk_file_read(path, &bytes, &err), YK_OK);
    assert_int_equal(truncate(path, (off_t)bytes.len - 9), 0); /* checksum and length are 8 bytes */
    read_lines(path, &lines);
    assert_string_equal(yk_buf_cstr(&lines), "one|two|");
    (void)unlink(path); /* it is there */
}

static void a_line_has_a_maximum(void **state)
{
    (void)state;
    YK_CLEANUP(yk_freep) char *path = path_of("long.jsonl.gz");
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    struct yk_record_reader reader;
    struct yk_str line;
    struct yk_err err = {0};
    memset(yk_buf_reserve(&text, YK_RECORD_LINE_MAX + (1 << 20)), 'x', YK_RECORD_LINE_MAX + (1 << 20));
    text.len = YK_RECORD_LINE_MAX + (1 << 20);
    write_lines(path, yk_buf_view(&text));
    assert_int_equal(yk_record_reader_open(&reader, path, &err), YK_OK);
    assert_int_equal(yk_record_reader_next(&reader, &line, &err), YK_ERR_LIMIT);
    yk_record_reader_close(&reader);
    (void)unlink(path); /* it is there */
}

/* A recording shows the cluster, and its name may be known in a folder that others can write to. */
static void only_the_owner_reads_it_and_no_link_is_followed(void **state)
{
    (void)state;
    YK_CLEANUP(yk_freep) char *path = path_of("mine.jsonl.gz");
    YK_CLEANUP(yk_freep) char *target = path_of("target");
    YK_CLEANUP(yk_buf_done) struct yk_buf bytes = {0};
    struct yk_record_writer writer;
    struct stat file;
    struct yk_err err = {0};
    write_lines(path, YK_STR("one\n"));
    write_lines(path, YK_STR("two\n")); /* replaced */
    assert_int_equal(stat(path, &file), 0);
    assert_int_equal(file.st_mode & 07777, 0600);
    assert_int_equal(unlink(path), 0);
    write_lines(target, YK_STR("other\n"));
    assert_int_equal(symlink(target, path), 0);
    assert_int_equal(yk_record_writer_open(&writer, path, &err), YK_ERR_IO);
    assert_non_null(strstr(err.text, "symbolic link"));
    assert_int_equal(yk_file_read(target, &bytes, &err), YK_OK);
    assert_string_equal(yk_buf_cstr(&bytes), "other\n");
    (void)unlink(path); /* they are there */
    (void)unlink(target);
}

static void a_file_that_is_not_there_is_named(void **state)
{
    (void)state;
    YK_CLEANUP(yk_freep) char *path = path_of("none/none");
    struct yk_record_reader reader;
    struct yk_record_writer writer;
    struct yk_err err = {0};
    assert_int_equal(yk_record_reader_open(&reader, path, &err), YK_ERR_NOT_FOUND);
    assert_non_null(strstr(err.text, path));
    assert_int_equal(yk_record_writer_open(&writer, path, &err), YK_ERR_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_come_back),
        cmocka_unit_test(a_truncated_archive_ends_with_its_last_whole_line),
        cmocka_unit_test(a_line_has_a_maximum),
        cmocka_unit_test(only_the_owner_reads_it_and_no_link_is_followed),
        cmocka_unit_test(a_file_that_is_not_there_is_named),
    };
    if (mkdtemp(folder) == NULL)
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    (void)rmdir(folder); /* empty */
    return failed;
}
