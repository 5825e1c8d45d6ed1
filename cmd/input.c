/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/input.h"

#include <unistd.h>

static enum yk_status read_stdin(struct yk_buf *text, struct yk_err *err)
{
    for (;;) {
        char *to = yk_buf_reserve(text, 65536);
        if (to == NULL)
            return yk_fail(err, YK_ERR_LIMIT, "standard input is longer than %zu bytes", text->max);
        ssize_t bytes = read(STDIN_FILENO, to, 65536);
        if (bytes < 0)
            return yk_fail(err, YK_ERR_IO, "standard input cannot be read");
        if (bytes == 0)
            return YK_OK;
        text->len += (size_t)bytes;
    }
}

enum yk_status yk_input_read(const char *from, struct yk_buf *text, struct yk_err *err)
{
    return strcmp(from, "-") == 0 ? read_stdin(text, err) : yk_file_read(from, text, err);
}
