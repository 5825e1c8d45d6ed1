/* SPDX-License-Identifier: Apache-2.0 */
/* After cmocka.h. */
#ifndef YK_TEST_BASE_WRITE_FILE_H
#define YK_TEST_BASE_WRITE_FILE_H

#include <stdio.h>

/* The whole file, made or replaced. */
static inline void write_file(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    assert_int_equal(fclose(out), 0);
}

#endif
