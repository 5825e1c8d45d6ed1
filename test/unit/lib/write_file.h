/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a file in one call. Included after cmocka.h. */
#ifndef TEST_LIB_WRITE_FILE_H
#define TEST_LIB_WRITE_FILE_H

#include <stdio.h>

/* Writes `text` to the file, which is created or replaced. Fails the test if it cannot be written. */
static inline void write_file(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    assert_int_equal(fclose(out), 0);
}

#endif
