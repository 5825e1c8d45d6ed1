/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/hash_names.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static bool is_there(const char *path)
{
    struct stat there;
    return lstat(path, &there) == 0;
}

/* Creating the copy would remove the recording, or a pipe. */
static void the_copy_needs_a_file_of_its_own(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf why = {0};
    char folder[] = "/tmp/hash_names.XXXXXX", file[64], same[64], pipe[64], elsewhere[64];
    struct yk_err err = {0};
    assert_non_null(mkdtemp(folder));
    (void)snprintf(file, sizeof(file), "%s/a", folder);
    (void)snprintf(same, sizeof(same), "%s/./a", folder);
    (void)snprintf(pipe, sizeof(pipe), "%s/pipe", folder);
    (void)snprintf(elsewhere, sizeof(elsewhere), "%s/b", folder);
    assert_int_equal(close(open(file, O_WRONLY | O_CREAT, 0600)), 0);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    assert_int_equal(link(file, elsewhere), 0);
    assert_int_equal(yk_hash_names_file(file, file, &why, &err), YK_ERR_INVALID);
    assert_int_equal(yk_hash_names_file(file, same, &why, &err), YK_ERR_INVALID);
    assert_int_equal(yk_hash_names_file(file, elsewhere, &why, &err), YK_ERR_INVALID);
    assert_non_null(strstr(err.text, "is the recording itself"));
    assert_int_equal(yk_hash_names_file(file, pipe, &why, &err), YK_ERR_INVALID);
    assert_non_null(strstr(err.text, "is not a regular file"));
    assert_true(is_there(file) && is_there(pipe));
    assert_int_equal(unlink(file) + unlink(pipe) + unlink(elsewhere) + rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_copy_needs_a_file_of_its_own)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
