/* SPDX-License-Identifier: Apache-2.0 */
#include "record/record_file.h"

#include "record/line.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { PIECE = 256 << 10, GZIP_BUFFER = 128 << 10 };

/* ---- writing ---- */

int yk_record_file_create(const char *path)
{
    struct stat there;
    bool exists = lstat(path, &there) == 0;
    if (exists && !S_ISREG(there.st_mode))
        return open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
    if (exists && unlink(path) != 0)
        return -1;
    return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
}

enum yk_status yk_record_writer_open(struct yk_record_writer *writer, const char *path, struct yk_err *err)
{
    bool is_compressed = yk_str_ends(yk_str_from(path), ".gz");
    *writer = (struct yk_record_writer){.fd = yk_record_file_create(path)};
    if (writer->fd >= 0)
        writer->file = gzdopen(writer->fd, is_compressed ? "wb6" : "wbT"); /* T: without compression */
    if (writer->file == NULL) {
        int number = errno;
        if (writer->fd >= 0)
            (void)close(writer->fd); /* nothing was written */
        return yk_fail(err, YK_ERR_IO, "%s: cannot be written: %s", path,
                       number == ELOOP ? "it is a symbolic link" : strerror(number));
    }
    (void)gzbuffer(writer->file, GZIP_BUFFER); /* a failure only makes writing slower */
    return YK_OK;
}

void yk_record_writer_put(void *context, struct yk_str lines)
{
    struct yk_record_writer *writer = context;
    if (writer->has_failed || lines.len == 0)
        return;
    writer->has_failed = gzfwrite(lines.p, 1, lines.len, writer->file) != lines.len;
}

void yk_record_writer_flush(struct yk_record_writer *writer)
{
    if (!writer->has_failed)
        writer->has_failed = gzflush(writer->file, Z_SYNC_FLUSH) != Z_OK;
}

uint64_t yk_record_writer_bytes(const struct yk_record_writer *writer)
{
    struct stat now;
    return writer->file != NULL && fstat(writer->fd, &now) == 0 ? (uint64_t)now.st_size : 0;
}

bool yk_record_writer_close(struct yk_record_writer *writer)
{
    bool is_written = !writer->has_failed;
    if (writer->file != NULL && gzclose(writer->file) != Z_OK)
        is_written = false;
    writer->file = NULL;
    return is_written;
}

/* ---- reading ---- */

enum yk_status yk_record_reader_open(struct yk_record_reader *reader, const char *path, struct yk_err *err)
{
    *reader = (struct yk_record_reader){.bytes = {.max = YK_RECORD_LINE_MAX + PIECE}};
    reader->file = gzopen(path, "rbe");
    if (reader->file == NULL)
        return yk_fail(err, errno == ENOENT ? YK_ERR_NOT_FOUND : YK_ERR_IO, "%s: cannot be read: %s", path,
                       strerror(errno));
    (void)gzbuffer(reader->file, GZIP_BUFFER); /* a failure only makes reading slower */
    return YK_OK;
}

static enum yk_status read_piece(struct yk_record_reader *reader, struct yk_err *err)
{
    yk_buf_consume(&reader->bytes, reader->at);
    reader->at = 0;
    if (reader->bytes.len > YK_RECORD_LINE_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "a line is longer than %d bytes", YK_RECORD_LINE_MAX);
    char *space = yk_buf_reserve(&reader->bytes, PIECE);
    int count = space != NULL ? gzread(reader->file, space, PIECE) : -1;
    int code = Z_OK;
    const char *why = gzerror(reader->file, &code);
    if (count < 0 && code != Z_BUF_ERROR)
        return yk_fail(err, YK_ERR_IO, "cannot be read: %s", code == Z_ERRNO ? strerror(errno) : why);
    /* Z_BUF_ERROR: the file ends within the compressed data, because the recording was cut off. */
    if (count > 0)
        reader->bytes.len += (size_t)count;
    else
        reader->is_at_end = true;
    return YK_OK;
}

enum yk_status yk_record_reader_next(void *context, struct yk_str *ret_line, struct yk_err *err)
{
    struct yk_record_reader *reader = context;
    size_t looked_at = reader->at;
    for (;;) {
        const char *from = reader->bytes.p + looked_at;
        size_t left = reader->bytes.len - looked_at;
        const char *newline = left > 0 ? memchr(from, '\n', left) : NULL;
        if (newline != NULL) {
            const char *line = reader->bytes.p + reader->at;
            *ret_line = (struct yk_str){line, (size_t)(newline - line)};
            reader->at = (size_t)(newline + 1 - reader->bytes.p);
            return YK_OK;
        }
        if (reader->is_at_end)
            break;
        looked_at = reader->bytes.len - reader->at; /* read_piece() moves the rest to index 0 */
        enum yk_status st = read_piece(reader, err);
        if (st != YK_OK)
            return st;
    }
    *ret_line = (struct yk_str){0};
    return YK_OK;
}

void yk_record_reader_close(struct yk_record_reader *reader)
{
    if (reader->file != NULL)
        (void)gzclose(reader->file); /* nothing was written */
    reader->file = NULL;
    yk_buf_done(&reader->bytes);
}
