/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Structured logging: a fixed lower-case phrase, and keys for all that varies.
 *
 *     yk_info(yk_log_sched, "ask placed", KV("app", app->id), KV("node", node->id), KV("wait_ns", wait_ns));
 *
 * By default, lines go to standard output, with fields separated by tabs: time, level, logger, file:line,
 * message, JSON object. The name of a logger is a path: the level of core.scheduler is the setting
 * log.core.scheduler.level; if it is not set, log.core.level; if that is not set either, log.level
 * (docs/reference/configuration.md, logging). Arguments are not evaluated when the level is off. Writing does
 * not wait for the output, unless yk_log_set_waits(true) was called. A line of which the output takes no part
 * at once is dropped and counted. Texts in values are escaped, and cut after 1,024 bytes. A line has at most
 * 8,192 bytes, without its end: a longer line loses parts, or, in the format JSON, all its fields. Never log
 * tokens, keys or Secret data.
 * Thread: any; levels are atomics.
 */
#ifndef YK_BASE_LOG_H
#define YK_BASE_LOG_H

#include "base/str.h"

#include <stdatomic.h>

enum yk_log_level {
    YK_LOG_DEBUG = -1,
    YK_LOG_INFO,
    YK_LOG_WARN,
    YK_LOG_ERROR,
    YK_LOG_DPANIC,
    YK_LOG_PANIC,
    YK_LOG_FATAL
};

struct yk_logger {
    const char *name;
    /* Lines of this enum yk_log_level and above are written. Relaxed: no other data depends on the level. */
    _Atomic int level;
};

/* All loggers, in the order of YK_LOGGERS. To add a logger, add a row there. */
extern struct yk_logger yk_loggers[];
extern const size_t yk_logger_count;
#define YK_LOGGERS(X)                                                                                        \
    X(yk_log_core, "core")                                                                                   \
    X(yk_log_config, "core.config")                                                                          \
    X(yk_log_events, "core.events")                                                                          \
    X(yk_log_metrics, "core.metrics")                                                                        \
    X(yk_log_rest, "core.rest")                                                                              \
    X(yk_log_security, "core.security")                                                                      \
    X(yk_log_resources, "core.resources")                                                                    \
    X(yk_log_sched, "core.scheduler")                                                                        \
    X(yk_log_alloc, "core.scheduler.allocation")                                                             \
    X(yk_log_app, "core.scheduler.application")                                                              \
    X(yk_log_app_usage, "core.scheduler.application.usage")                                                  \
    X(yk_log_context, "core.scheduler.context")                                                              \
    X(yk_log_fsm, "core.scheduler.fsm")                                                                      \
    X(yk_log_health, "core.scheduler.health")                                                                \
    X(yk_log_node, "core.scheduler.node")                                                                    \
    X(yk_log_partition, "core.scheduler.partition")                                                          \
    X(yk_log_preemption, "core.scheduler.preemption")                                                        \
    X(yk_log_queue, "core.scheduler.queue")                                                                  \
    X(yk_log_reservation, "core.scheduler.reservation")                                                      \
    X(yk_log_ugm, "core.scheduler.ugm")                                                                      \
    X(yk_log_shim, "shim")                                                                                   \
    X(yk_log_shim_app, "shim.cache.application")                                                             \
    X(yk_log_shim_node, "shim.cache.node")                                                                   \
    X(yk_log_shim_task, "shim.cache.task")                                                                   \
    X(yk_log_client, "shim.client")                                                                          \
    X(yk_log_shim_config, "shim.config")                                                                     \
    X(yk_log_shim_context, "shim.context")                                                                   \
    X(yk_log_shim_fsm, "shim.fsm")                                                                           \
    X(yk_log_predicates, "shim.predicates")                                                                  \
    X(yk_log_admission, "admission")                                                                         \
    X(yk_log_admission_conf, "admission.conf")                                                               \
    X(yk_log_admission_webhook, "admission.webhook")                                                         \
    X(yk_log_deprecation, "deprecation")                                                                     \
    X(yk_log_kubernetes, "kubernetes")

enum yk_logger_index {
#define YK_LOGGER_INDEX(variable, name) variable##_index,
    YK_LOGGERS(YK_LOGGER_INDEX)
#undef YK_LOGGER_INDEX
        YK_LOGGER_COUNT
};
#define YK_LOGGER(variable) (&yk_loggers[variable##_index])

/* A key and its value in a line of the log, made by KV(). Written by: the caller. */
struct yk_kv {
    const char *key; /* borrowed, as is a text in `value` */
    enum { YK_KV_TEXT, YK_KV_STR, YK_KV_I64, YK_KV_U64, YK_KV_DOUBLE, YK_KV_BOOL } kind;
    union {
        const char *text;
        struct yk_str str;
        int64_t i64;
        uint64_t u64;
        double number;
        bool truth;
    } value;
};

/* A pair for KV(): a text, which the pair borrows, like `k`; NULL is fine. */
static inline struct yk_kv yk_kv_text(const char *k, const char *v)
{
    return (struct yk_kv){k, YK_KV_TEXT, {.text = v}};
}
/* For KV(): a view, which the pair borrows. */
static inline struct yk_kv yk_kv_str(const char *k, struct yk_str v)
{
    return (struct yk_kv){k, YK_KV_STR, {.str = v}};
}
/* For KV(): a number with a sign. */
static inline struct yk_kv yk_kv_i64(const char *k, int64_t v)
{
    return (struct yk_kv){k, YK_KV_I64, {.i64 = v}};
}
/* For KV(): a number without a sign. */
static inline struct yk_kv yk_kv_u64(const char *k, uint64_t v)
{
    return (struct yk_kv){k, YK_KV_U64, {.u64 = v}};
}
/* For KV(): a number with a fraction. */
static inline struct yk_kv yk_kv_double(const char *k, double v)
{
    return (struct yk_kv){k, YK_KV_DOUBLE, {.number = v}};
}
/* For KV(): true or false. */
static inline struct yk_kv yk_kv_bool(const char *k, bool v)
{
    return (struct yk_kv){k, YK_KV_BOOL, {.truth = v}};
}

/* KV(): a key and its value, which may be a text (NULL is shown as ""), a struct yk_str, a bool or any
 * number; the functions above make the pair. */
/* clang-format off */
#define KV(key, value)                                                                                       \
    _Generic((value),                                                                                        \
        char *: yk_kv_text, const char *: yk_kv_text, struct yk_str: yk_kv_str, bool: yk_kv_bool,            \
        signed char: yk_kv_i64, short: yk_kv_i64, int: yk_kv_i64, long: yk_kv_i64, long long: yk_kv_i64,     \
        unsigned char: yk_kv_u64, unsigned short: yk_kv_u64, unsigned: yk_kv_u64, unsigned long: yk_kv_u64,  \
        unsigned long long: yk_kv_u64, float: yk_kv_double, double: yk_kv_double)(key, value)

#define YK_LOG(logger, lvl, message, ...)                                                                    \
    do {                                                                                                     \
        if ((lvl) >= atomic_load_explicit(&YK_LOGGER(logger)->level, memory_order_relaxed)) {                \
            const struct yk_kv yk_kvs_[] = {{.key = NULL}, ##__VA_ARGS__};                                   \
            yk_log_write(YK_LOGGER(logger), lvl, __FILE__, __LINE__, message, yk_kvs_ + 1,                   \
                         YK_COUNT(yk_kvs_) - 1);                                                             \
        }                                                                                                    \
    } while (0)
/* clang-format on */

/* Writes a line if its level is on: yk_info(yk_log_sched, "ask placed", KV("app", app->id)). `logger` is a
 * symbol of YK_LOGGERS; the message, a string literal, and any number of KV() follow. Any thread. */
#define yk_debug(logger, ...) YK_LOG(logger, YK_LOG_DEBUG, __VA_ARGS__)
#define yk_info(logger, ...)  YK_LOG(logger, YK_LOG_INFO, __VA_ARGS__)
#define yk_warn(logger, ...)  YK_LOG(logger, YK_LOG_WARN, __VA_ARGS__)
#define yk_error(logger, ...) YK_LOG(logger, YK_LOG_ERROR, __VA_ARGS__)

/* Writes a line. The macros above call this function only if the level of `logger` allows the line; the
 * function does not check the level again. `file`: its last folder and its name are shown. `message` is not
 * escaped in the format YK_LOG_TEXT, so it must not have control characters or texts from outside. `kvs`:
 * `count` pairs; may be NULL if `count` is 0. Any thread. */
void yk_log_write(const struct yk_logger *logger, enum yk_log_level level, const char *file, int line,
                  const char *message, const struct yk_kv *kvs, size_t count);

/* How many lines were dropped since the start, because the output did not take them. Any thread. */
uint64_t yk_log_dropped(void);

/* Reads a level: a word in any case, such as "info" or "WARN", or a number from -128 to 127. -1 and less is
 * debug, 5 and more is fatal. Blanks around it are ignored; an empty text is info. Errors: YK_ERR_INVALID. */
YK_NODISCARD enum yk_status yk_log_level_parse(struct yk_str text, enum yk_log_level *ret_level);
/* The level in lower case: "debug", "info", ...; the text is static. */
const char *yk_log_level_word(enum yk_log_level level);
/*
 * Sets the levels of all loggers. `lookup(context, name)` returns the configured level of the logger `name`,
 * such as "core.scheduler", as a text; `lookup` is then called for the parents ("core", "") of a logger that
 * has no level of its own. "" is the setting log.level. An absent text (NULL) and one that is not a level
 * count as not configured. Loggers without a configured level get the default level
 * (yk_log_set_default_level()). Levels that yk_log_set_level() has set are lost.
 */
void yk_log_configure(struct yk_str (*lookup)(void *context, const char *name), void *context);
/* Sets the level of the logger `name` and of all below it ("": all loggers) until the next
 * yk_log_configure(). Returns how many loggers were set; 0: no logger has that name or is below it. Any
 * thread. */
size_t yk_log_set_level(struct yk_str name, enum yk_log_level level);
/* Sets the output of lines, which is standard output by default; for tests, and for tools that print
 * results to standard output. Lines go to the descriptor of `stream`, past its buffer. `stream` is borrowed
 * until the next call; NULL: no lines are written. Call it before threads start. */
void yk_log_set_stream(FILE *stream);
enum yk_log_format {
    YK_LOG_TEXT, /* fields separated by tabs */
    YK_LOG_JSON, /* one object per line: time (RFC 3339), level, logger, caller, message, fields */
};
/* Sets the format of all lines. Call it before threads start. */
void yk_log_set_format(enum yk_log_format format);
/* Sets the level of loggers without a configured level (yk_log_configure()); without this call it is info.
 * All loggers get the level at once. Call it before threads start. */
void yk_log_set_default_level(enum yk_log_level level);
/* True: yk_log_configure() has no effect from now on; for tools whose command line sets the level. Call it
 * before threads start. */
void yk_log_fix_levels(bool fixed);
/* True: writing waits until the output takes the line; for tools, which run for a short time. False, the
 * default: a line that the output does not take is dropped. Call it before threads start. */
void yk_log_set_waits(bool waits);

#endif
