/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A recording in a file: lines of text, compressed with gzip if the name ends in ".gz". Reading takes both.
 *
 * Thread: one at a time.
 */
#ifndef YK_RECORD_RECORD_FILE_H
#define YK_RECORD_RECORD_FILE_H

#include "base/str.h"

struct gzFile_s;

/* ---- writing ---- */

struct yk_record_writer {
    struct gzFile_s *file; /* NULL: nothing is open */
    int fd;                /* of `file`, which owns it; after yk_record_writer_open() */
    bool has_failed;
};

/* Opens a file for writing, which only its owner can read; a regular file of that name is removed first, pipes and
 * terminals are written as they are. Returns its descriptor; -1: see errno, ELOOP for a symbolic link. */
int yk_record_file_create(const char *path);
/*
 * Opens a file for writing, which only its owner can read; a regular file of that name is removed first. Symbolic
 * links are not followed. Errors: YK_ERR_IO, the file cannot be written.
 */
YK_NODISCARD enum yk_status yk_record_writer_open(struct yk_record_writer *writer, const char *path,
                                                  struct yk_err *err);
/* A yk_record_sink; `writer` is the struct. yk_record_writer_close() says if something could not be
 * written. */
void yk_record_writer_put(void *writer, struct yk_str lines);
/* Writes what was put so far to the file, so that it is there if the process is killed. */
void yk_record_writer_flush(struct yk_record_writer *writer);
/* The length of the file, in bytes. After yk_record_writer_flush() it ends with a whole line. */
uint64_t yk_record_writer_bytes(const struct yk_record_writer *writer);
/* Closes the file. False: something could not be written. True and no effect if nothing is open. */
YK_NODISCARD bool yk_record_writer_close(struct yk_record_writer *writer);

/* ---- reading ---- */

struct yk_record_reader {
    struct gzFile_s *file; /* owned; NULL: nothing is open */
    struct yk_buf bytes;   /* read ahead */
    size_t at;             /* in `bytes`: the next line */
    bool is_at_end;        /* of the file */
};

/* Opens a recording for reading. Errors: YK_ERR_NOT_FOUND, YK_ERR_IO. */
YK_NODISCARD enum yk_status yk_record_reader_open(struct yk_record_reader *reader, const char *path,
                                                  struct yk_err *err);
/* The `next` of a struct yk_record_source; `reader` is the struct. A last line without its newline is left
 * out: the recording was cut off there. Errors: YK_ERR_IO; YK_ERR_LIMIT, a line is too long. */
YK_NODISCARD enum yk_status yk_record_reader_next(void *reader, struct yk_str *ret_line, struct yk_err *err);
/* Closes the file. No effect if nothing is open. */
void yk_record_reader_close(struct yk_record_reader *reader);

#endif
