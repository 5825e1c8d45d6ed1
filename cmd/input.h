/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts that the command line names.
 * Thread: any.
 */
#ifndef YK_CMD_INPUT_H
#define YK_CMD_INPUT_H

#include "base/str.h"

/* Reads the file `from`, or standard input if that is "-", of at most `text->max` bytes. Errors: as
 * yk_file_read(). */
YK_NODISCARD enum yk_status yk_input_read(const char *from, struct yk_buf *text, struct yk_err *err);

#endif
