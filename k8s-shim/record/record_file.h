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
    int fd;                /* of `file`, which closes it; set by yk_record_writer_open() */
    bool has_failed;       /* something could not be written; nothing further is written */
};

/* Creates a file for writing that only its owner can read. A regular file of that name is removed first; a
 * pipe or a terminal is opened as it is. Returns the descriptor, which the caller closes; -1: see errno,
 * which is ELOOP for a symbolic link. */
int yk_record_file_create(const char *path);
/*
 * Opens a file for writing, as yk_record_file_create() does. `*writer` is overwritten. The caller ends it
 * with yk_record_writer_close(). Errors: YK_ERR_IO, the file cannot be created; nothing is open then.
 */
YK_NODISCARD enum yk_status yk_record_writer_open(struct yk_record_writer *writer, const char *path,
                                                  struct yk_err *err);
/* Writes lines, with their newlines, to a writer that is open. It is a yk_record_sink, whose context is the
 * struct yk_record_writer. A failure sets `has_failed`; yk_record_writer_close() then returns false. */
void yk_record_writer_put(void *writer, struct yk_str lines);
/* Hands all lines so far to the operating system, so that the file has them if the process is killed. The
 * writer is open. A failure sets `has_failed`. */
void yk_record_writer_flush(struct yk_record_writer *writer);
/* The present length of the file, in bytes, after compression; 0 if nothing is open. Lines that are still in
 * memory do not count: call yk_record_writer_flush() first. */
uint64_t yk_record_writer_bytes(const struct yk_record_writer *writer);
/* Writes the rest and closes the file. False: something could not be written. If nothing is open, it has no
 * effect and returns true. */
YK_NODISCARD bool yk_record_writer_close(struct yk_record_writer *writer);

/* ---- reading ---- */

struct yk_record_reader {
    struct gzFile_s *file; /* owned; NULL: nothing is open */
    struct yk_buf bytes;   /* what was read from the file */
    size_t at;             /* index in `bytes` of the next line */
    bool is_at_end;        /* the whole file was read */
};

/* Opens a recording for reading. `*reader` is overwritten. The caller ends it with yk_record_reader_close().
 * Errors: YK_ERR_NOT_FOUND, there is no such file; YK_ERR_IO, it cannot be opened. */
YK_NODISCARD enum yk_status yk_record_reader_open(struct yk_record_reader *reader, const char *path,
                                                  struct yk_err *err);
/* Sets `*ret_line` to the next line without its newline, borrowed until the next call; absent (`p` is NULL):
 * there are no more lines. It is the `next` of a struct yk_record_source, whose context is the struct
 * yk_record_reader. A last line without a newline is left out: the recording was cut off there. Errors:
 * YK_ERR_IO, the file cannot be read; YK_ERR_LIMIT, a line is longer than YK_RECORD_LINE_MAX. */
YK_NODISCARD enum yk_status yk_record_reader_next(void *reader, struct yk_str *ret_line, struct yk_err *err);
/* Closes the file and frees what was read. No effect if nothing is open. */
void yk_record_reader_close(struct yk_record_reader *reader);

#endif
