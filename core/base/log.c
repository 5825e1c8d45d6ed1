/* SPDX-License-Identifier: Apache-2.0 */
#include "base/log.h"

#include "base/clock.h"
#include "base/json_writer.h"
#include "base/log_output.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#define LOGGER_ENTRY(variable, logger_name) {.name = logger_name},
struct yk_logger yk_loggers[] = {YK_LOGGERS(LOGGER_ENTRY)};
const size_t yk_logger_count = YK_COUNT(yk_loggers);

enum { LINE_MAX_BYTES = YK_LOG_LINE_MAX - 2, VALUE_MAX_BYTES = 1024 };

/* Written by main() or a test before threads start. */
static FILE *log_stream;
static bool log_stream_set, log_waits;
static enum yk_log_format log_format;
static enum yk_log_level default_level = YK_LOG_INFO;
static bool levels_are_fixed;

/* Relaxed: statistics; no other data depends on their order. `dropped_untold`: the dropped lines that no line
 * of the log has reported yet. */
static _Atomic uint64_t dropped, dropped_untold;

uint64_t yk_log_dropped(void)
{
    return atomic_load_explicit(&dropped, memory_order_relaxed);
}

void yk_log_set_stream(FILE *stream)
{
    log_stream = stream;
    log_stream_set = true;
}

void yk_log_set_format(enum yk_log_format format)
{
    log_format = format;
}

void yk_log_set_default_level(enum yk_log_level level)
{
    default_level = level;
    (void)yk_log_set_level((struct yk_str){0}, level); /* how many were set does not matter */
}

void yk_log_set_waits(bool waits)
{
    log_waits = waits;
}

static const char *const level_words[] = {"debug", "info", "warn", "error", "dpanic", "panic", "fatal"};
YK_INDEXED_BY(level_words, YK_LOG_FATAL - YK_LOG_DEBUG);
static const char *const level_capitals[] = {"DEBUG", "INFO", "WARN", "ERROR", "DPANIC", "PANIC", "FATAL"};
YK_INDEXED_BY(level_capitals, YK_LOG_FATAL - YK_LOG_DEBUG);

const char *yk_log_level_word(enum yk_log_level level)
{
    return level_words[level + 1];
}

enum yk_status yk_log_level_parse(struct yk_str text, enum yk_log_level *ret_level)
{
    text = yk_str_trim(text);
    if (text.len == 0) {
        *ret_level = YK_LOG_INFO;
        return YK_OK;
    }
    int64_t number;
    if (yk_str_to_i64(text, &number) == YK_OK && number >= INT8_MIN && number <= INT8_MAX) {
        *ret_level = (enum yk_log_level)YK_MAX(YK_LOG_DEBUG, YK_MIN(number, YK_LOG_FATAL));
        return YK_OK;
    }
    YK_CLEANUP(yk_freep) char *lower = yk_str_lower(text);
    for (size_t i = 0; i < YK_COUNT(level_words); i++) {
        if (strcmp(lower, level_words[i]) == 0) {
            *ret_level = (enum yk_log_level)((int)i - 1);
            return YK_OK;
        }
    }
    return YK_ERR_INVALID;
}

/* The configured level of `name`, or of its nearest parent that has one, or the default level. */
static enum yk_log_level level_of(const char *name, struct yk_str (*lookup)(void *, const char *),
                                  void *context)
{
    YK_CLEANUP(yk_freep) char *at = yk_strdup(name);
    enum yk_log_level level;
    for (;;) {
        struct yk_str text = lookup(context, at);
        if (text.p != NULL && yk_log_level_parse(text, &level) == YK_OK)
            return level;
        if (at[0] == '\0')
            return default_level;
        char *dot = strrchr(at, '.');
        *(dot != NULL ? dot : at) = '\0';
    }
}

void yk_log_fix_levels(bool fixed)
{
    levels_are_fixed = fixed;
}

void yk_log_configure(struct yk_str (*lookup)(void *context, const char *name), void *context)
{
    if (levels_are_fixed)
        return;
    for (size_t i = 0; i < yk_logger_count; i++)
        atomic_store_explicit(&yk_loggers[i].level, level_of(yk_loggers[i].name, lookup, context),
                              memory_order_relaxed);
}

size_t yk_log_set_level(struct yk_str name, enum yk_log_level level)
{
    size_t set = 0;
    for (size_t i = 0; i < yk_logger_count; i++) {
        const char *at = yk_loggers[i].name;
        bool is_below = name.len == 0 ||
                        (strlen(at) > name.len && memcmp(at, name.p, name.len) == 0 && at[name.len] == '.');
        if (!is_below && !yk_str_is(name, at))
            continue;
        atomic_store_explicit(&yk_loggers[i].level, level, memory_order_relaxed);
        set++;
    }
    return set;
}

/* Shortens a text that is too long, between two characters of UTF-8. True: it was too long. */
static bool cut(struct yk_str *text)
{
    if (text->len <= VALUE_MAX_BYTES)
        return false;
    text->len = VALUE_MAX_BYTES;
    for (int i = 0; i < 3 && ((unsigned char)text->p[text->len] & 0xc0) == 0x80; i++)
        text->len--;
    return true;
}

static void add_escaped(struct yk_buf *line, struct yk_str text)
{
    bool is_cut = cut(&text);
    yk_buf_char(line, '"');
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.p[i];
        if (c == '"' || c == '\\')
            yk_buf_printf(line, "\\%c", c);
        else if (c == '\n')
            yk_buf_text(line, "\\n");
        else if (c < 0x20 || c == 0x7f)
            yk_buf_printf(line, "\\u%04x", c);
        else
            yk_buf_char(line, (char)c);
    }
    yk_buf_text(line, is_cut ? "...\"" : "\"");
}

static void add_value(struct yk_buf *line, const struct yk_kv *kv)
{
    switch (kv->kind) {
    case YK_KV_TEXT:
        add_escaped(line, yk_str_from(kv->value.text != NULL ? kv->value.text : ""));
        break;
    case YK_KV_STR:
        add_escaped(line, kv->value.str);
        break;
    case YK_KV_I64:
        yk_buf_printf(line, "%lld", (long long)kv->value.i64);
        break;
    case YK_KV_U64:
        yk_buf_printf(line, "%llu", (unsigned long long)kv->value.u64);
        break;
    case YK_KV_DOUBLE:
        if (isfinite(kv->value.number))
            yk_buf_printf(line, "%g", kv->value.number);
        else
            yk_buf_text(line, "null"); /* JSON has no other value for it */
        break;
    case YK_KV_BOOL:
        yk_buf_text(line, kv->value.truth ? "true" : "false");
        break;
    }
}

/* The end of a path: "module/file.c". */
static const char *short_file(const char *file)
{
    const char *at = strrchr(file, '/');
    while (at != NULL && at > file && at[-1] != '/')
        at--;
    return at != NULL ? at : file;
}

static void add_cut(struct yk_json *json, struct yk_str text)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf whole = {0};
    if (!cut(&text)) {
        yk_json_str(json, text);
        return;
    }
    yk_buf_str(&whole, text);
    yk_buf_text(&whole, "...");
    yk_json_str(json, yk_buf_view(&whole));
}

static void add_field(struct yk_json *json, const struct yk_kv *kv)
{
    struct yk_str text = kv->kind == YK_KV_STR ? kv->value.str : yk_str_from("");
    if (kv->kind == YK_KV_TEXT && kv->value.text != NULL)
        text = yk_str_from(kv->value.text);
    yk_json_key(json, kv->key);
    switch (kv->kind) {
    case YK_KV_TEXT:
    case YK_KV_STR:
        add_cut(json, text);
        break;
    case YK_KV_I64:
        yk_json_int(json, kv->value.i64);
        break;
    case YK_KV_U64:
        yk_json_uint(json, kv->value.u64);
        break;
    case YK_KV_DOUBLE:
        yk_json_double(json, kv->value.number);
        break;
    case YK_KV_BOOL:
        yk_json_bool(json, kv->value.truth);
        break;
    }
}

static void format_json(const struct yk_logger *logger, enum yk_log_level level, const char *file,
                        int line_number, const char *message, const struct yk_kv *kvs, size_t count,
                        struct yk_buf *line)
{
    char now[YK_TIME_TEXT_MAX], caller[128];
    struct yk_json json;
    yk_time_format(yk_clock_wall_ns(&yk_clock_real), 3, now);
    (void)snprintf(caller, sizeof(caller), "%s:%d", short_file(file), line_number); /* a longer text is cut */
    yk_json_init(&json, line);
    yk_json_object_begin(&json);
    yk_json_add_text(&json, "time", now);
    yk_json_add_text(&json, "level", level_words[level + 1]);
    yk_json_add_text(&json, "logger", logger->name);
    yk_json_add_text(&json, "caller", caller);
    yk_json_add_text(&json, "message", message);
    if (count > 0) {
        yk_json_key(&json, "fields");
        yk_json_object_begin(&json);
        for (size_t i = 0; i < count; i++)
            add_field(&json, &kvs[i]);
        yk_json_object_end(&json);
    }
    yk_json_object_end(&json);
}

static void format_text(const struct yk_logger *logger, enum yk_log_level level, const char *file,
                        int line_number, const char *message, const struct yk_kv *kvs, size_t count,
                        struct yk_buf *line)
{
    char now[YK_TIME_TEXT_MAX];
    yk_time_format(yk_clock_wall_ns(&yk_clock_real), 3, now);
    yk_buf_printf(line, "%s\t%s\t%s\t%s:%d\t%s", now, level_capitals[level + 1], logger->name,
                  short_file(file), line_number, message);
    for (size_t i = 0; i < count; i++) {
        yk_buf_text(line, i == 0 ? "\t{" : ", ");
        add_escaped(line, yk_str_from(kvs[i].key));
        yk_buf_text(line, ": ");
        add_value(line, &kvs[i]);
    }
    line->max += 2; /* the end of the line always fits */
    yk_buf_text(line, count > 0 ? "}\n" : "\n");
}

/* A line of JSON that does not fit is written again without its fields, because a part of such a line is not
 * valid JSON. */
static void format_line(const struct yk_logger *logger, enum yk_log_level level, const char *file,
                        int line_number, const char *message, const struct yk_kv *kvs, size_t count,
                        struct yk_buf *line)
{
    if (log_format == YK_LOG_TEXT) {
        format_text(logger, level, file, line_number, message, kvs, count, line);
        return;
    }
    format_json(logger, level, file, line_number, message, kvs, count, line);
    if (line->failed) {
        yk_buf_clear(line);
        format_json(logger, level, file, line_number, message, NULL, 0, line);
    }
    line->max += 2; /* the end of the line always fits */
    yk_buf_char(line, '\n');
}

/* Writes a line with the number of lines dropped since the last such line, if there were any. */
static void tell_dropped(int fd)
{
    uint64_t count = atomic_exchange_explicit(&dropped_untold, 0, memory_order_relaxed);
    if (count == 0)
        return;
    YK_CLEANUP(yk_buf_done) struct yk_buf line = {.max = LINE_MAX_BYTES};
    const struct yk_kv kv = KV("count", count);
    format_line(YK_LOGGER(yk_log_core), YK_LOG_WARN, __FILE__, __LINE__, "log lines dropped", &kv, 1, &line);
    if (!yk_log_output(fd, yk_buf_view(&line), log_waits))
        atomic_fetch_add_explicit(&dropped_untold, count, memory_order_relaxed);
}

void yk_log_write(const struct yk_logger *logger, enum yk_log_level level, const char *file, int line_number,
                  const char *message, const struct yk_kv *kvs, size_t count)
{
    FILE *stream = log_stream_set ? log_stream : stdout;
    if (stream == NULL)
        return;
    YK_CLEANUP(yk_buf_done) struct yk_buf line = {.max = LINE_MAX_BYTES};
    format_line(logger, level, file, line_number, message, kvs, count, &line);
    tell_dropped(fileno(stream));
    if (yk_log_output(fileno(stream), yk_buf_view(&line), log_waits))
        return;
    /* The line is dropped: a full disk or a reader that has stopped must not stop scheduling. */
    atomic_fetch_add_explicit(&dropped, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&dropped_untold, 1, memory_order_relaxed);
}
