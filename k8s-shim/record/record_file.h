/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A recording in a file: lines of text, compressed with gzip if the name of the file ends in ".gz". The
 * reader detects the compression by the content.
 *
 * Thread: any, one at a time.
 */
#ifndef YK_RECORD_RECORD_FILE_H
#define YK_RECORD_RECORD_FILE_H

#include "base/str.h"

struct gzFile_s;

/* ---- writing ---- */

struct yk_record_writer {
    struct gzFile_s *file; /* NULL: nothing is open */
    int fd;                /* the descriptor of `file`; closed with `file` */
    bool has_failed;       /* a line could not be written; no further lines are written */
};

/* Creates a file for writing that only its owner can read. A regular file with this path is removed first; a
 * pipe or a terminal is opened as it is. Returns the descriptor, which the caller closes. -1: the file cannot
 * be opened, and errno says why; errno is ELOOP for a symbolic link. */
int yk_record_file_create(const char *path);
/*
 * Opens a file for writing, as yk_record_file_create() does. `*writer` is overwritten. The caller ends it
 * with yk_record_writer_close(). Errors: YK_ERR_IO: the file cannot be created; nothing is open.
 */
YK_NODISCARD enum yk_status yk_record_writer_open(struct yk_record_writer *writer, const char *path,
                                                  struct yk_err *err);
/* Writes lines, which include their newlines. `writer` is a struct yk_record_writer that is open. This
 * function can be a yk_record_sink with `writer` as its context. A failure sets `has_failed`, and
 * yk_record_writer_close() then returns false. */
void yk_record_writer_put(void *writer, struct yk_str lines);
/* Hands all lines so far to the operating system, so that they are in the file if the process is killed. The
 * writer is open. A failure sets `has_failed`. */
void yk_record_writer_flush(struct yk_record_writer *writer);
/* The present length of the file, in bytes, after compression; 0 if nothing is open. Lines that are still in
 * memory are not included: call yk_record_writer_flush() first. */
uint64_t yk_record_writer_bytes(const struct yk_record_writer *writer);
/* Writes the lines that are still in memory and closes the file. False: a line could not be written. No
 * effect if nothing is open. */
YK_NODISCARD bool yk_record_writer_close(struct yk_record_writer *writer);

/* ---- reading ---- */

struct yk_record_reader {
    struct gzFile_s *file; /* owned; NULL: nothing is open */
    struct yk_buf bytes;   /* what was read from the file */
    size_t at;             /* index of the next line in `bytes` */
    bool is_at_end;        /* the whole file was read */
};

/* Opens a recording for reading. `*reader` is overwritten. The caller ends it with yk_record_reader_close().
 * Errors: YK_ERR_NOT_FOUND: there is no such file; YK_ERR_IO: the file cannot be opened. */
YK_NODISCARD enum yk_status yk_record_reader_open(struct yk_record_reader *reader, const char *path,
                                                  struct yk_err *err);
/* Sets `*ret_line` to the next line without its newline, borrowed until the next call. Absent (`p` is NULL):
 * there are no more lines. A last line without a newline is left out, because the recording was cut off
 * there. This function can be the `next` of a struct yk_record_source whose context is `reader`, a struct
 * yk_record_reader. Errors: YK_ERR_IO: the file cannot be read; YK_ERR_LIMIT: a line is too long. Lines of up
 * to YK_RECORD_LINE_MAX bytes are accepted. */
YK_NODISCARD enum yk_status yk_record_reader_next(void *reader, struct yk_str *ret_line, struct yk_err *err);
/* Closes the file and frees what was read. No effect if nothing is open. */
void yk_record_reader_close(struct yk_record_reader *reader);

#endif
