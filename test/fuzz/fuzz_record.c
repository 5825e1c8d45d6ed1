/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the lines of a recording, behind a first line that is fine: replayed, or refused with a sentence; and
 * the same without names. */
#include "record/hash_names.h"

#include "base/log.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct lines {
    struct yk_str rest;
    bool has_begun;
};

static enum yk_status next_line(void *context, struct yk_str *ret_line, struct yk_err *err)
{
    struct lines *lines = context;
    (void)err;
    if (!lines->has_begun) {
        lines->has_begun = true;
        *ret_line =
            YK_STR("{\"recording\":1,\"wall\":1767225600000000000,\"mono\":1,\"namespace\":\"yunikorn\","
                   "\"hostname\":\"fuzz\",\"seed\":\"1\",\"readsAside\":true,"
                   "\"directory\":{\"os\":{\"serves\":1}}}");
        return YK_OK;
    }
    *ret_line = (struct yk_str){0};
    if (lines->rest.len == 0)
        return YK_OK;
    const char *newline = memchr(lines->rest.p, '\n', lines->rest.len);
    size_t len = newline != NULL ? (size_t)(newline - lines->rest.p) : lines->rest.len;
    size_t used = newline != NULL ? len + 1 : len;
    *ret_line = (struct yk_str){lines->rest.p, len};
    lines->rest = (struct yk_str){lines->rest.p + used, lines->rest.len - used};
    return YK_OK;
}

/* A line comes out as one, whatever went in. */
static void take_lines(void *context, struct yk_str lines)
{
    (void)context;
    if (lines.len > 1 && memchr(lines.p, '\n', lines.len) != NULL)
        abort();
}

static void hash_names(const uint8_t *data, size_t size)
{
    struct lines first = {.rest = {(const char *)data, size}}, second = first;
    const struct yk_record_source sources[] = {{&first, next_line}, {&second, next_line}};
    struct yk_replay_result result;
    struct yk_err err = {0};
    if (yk_hash_names(&sources[0], &sources[1], take_lines, NULL, &result, &err) != YK_OK &&
        err.text[0] == '\0')
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lines lines = {.rest = {(const char *)data, size}};
    const struct yk_record_source source = {&lines, next_line};
    struct yk_replay_result result;
    struct yk_err err = {0};
    for (size_t i = 0; i < yk_logger_count; i++)
        atomic_store_explicit(&yk_loggers[i].level, (int)YK_LOG_FATAL, memory_order_relaxed);
    if (yk_replay_run(&source, &result, &err) != YK_OK && err.text[0] == '\0')
        abort();
    hash_names(data, size);
    return 0;
}
