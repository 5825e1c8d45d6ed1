/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a file that the command line names.
 *
 * Thread: any.
 */
#ifndef YK_CMD_INPUT_H
#define YK_CMD_INPUT_H

#include "base/str.h"

/* Appends the contents of the file `from`, or of standard input if `from` is "-", to `text`. Errors, which
 * name the file: as yk_file_read(); YK_ERR_LIMIT, `text` would be longer than `text->max`, or for standard
 * input, longer than `text->max` less 64 KiB. */
YK_NODISCARD enum yk_status yk_input_read(const char *from, struct yk_buf *text, struct yk_err *err);

#endif
