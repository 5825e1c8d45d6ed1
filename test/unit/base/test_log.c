/* SPDX-License-Identifier: Apache-2.0 */
#include "base/log.h"

#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

static void levels_parse(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum yk_log_level level;
        bool ok;
    } cases[] = {
        {"debug", YK_LOG_DEBUG, true},   {"WARN", YK_LOG_WARN, true},  {" Info ", YK_LOG_INFO, true},
        {"", YK_LOG_INFO, true},         {"-1", YK_LOG_DEBUG, true},   {"0", YK_LOG_INFO, true},
        {"2", YK_LOG_ERROR, true},       {"5", YK_LOG_FATAL, true},    {"dpanic", YK_LOG_DPANIC, true},
        {"verbose", YK_LOG_INFO, false}, {"1000", YK_LOG_INFO, false}, {"1.5", YK_LOG_INFO, false},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        enum yk_log_level level = YK_LOG_INFO;
        bool ok = yk_log_level_parse(yk_str_from(cases[i].text), &level) == YK_OK;
        if (ok != cases[i].ok || level != cases[i].level)
            fail_msg("'%s': %d %d", cases[i].text, ok, level);
    }
    assert_string_equal(yk_log_level_word(YK_LOG_DEBUG), "debug");
    assert_string_equal(yk_log_level_word(YK_LOG_FATAL), "fatal");
}

static struct yk_str lookup(void *context, const char *name)
{
    const char *const *pairs = context;
    for (; pairs[0] != NULL; pairs += 2) {
        if (strcmp(pairs[0], name) == 0)
            return yk_str_from(pairs[1]);
    }
    return (struct yk_str){0};
}

static int level_of(struct yk_logger *logger)
{
    return atomic_load(&logger->level);
}

static void levels_follow_the_dots(void **state)
{
    (void)state;
    const char *pairs[] = {"",
                           "warn",
                           "core.scheduler",
                           "debug",
                           "core.scheduler.node",
                           "nonsense",
                           "core.scheduler.application",
                           "error",
                           NULL,
                           NULL};
    yk_log_configure(lookup, pairs);
    assert_int_equal(level_of(YK_LOGGER(yk_log_shim)), YK_LOG_WARN);
    assert_int_equal(level_of(YK_LOGGER(yk_log_core)), YK_LOG_WARN);
    assert_int_equal(level_of(YK_LOGGER(yk_log_sched)), YK_LOG_DEBUG);
    assert_int_equal(level_of(YK_LOGGER(yk_log_queue)), YK_LOG_DEBUG);
    assert_int_equal(level_of(YK_LOGGER(yk_log_node)), YK_LOG_DEBUG); /* does not parse: its parent's */
    assert_int_equal(level_of(YK_LOGGER(yk_log_app)), YK_LOG_ERROR);
    assert_int_equal(level_of(YK_LOGGER(yk_log_app_usage)), YK_LOG_ERROR);
    const char *none[] = {NULL, NULL};
    yk_log_configure(lookup, none);
    assert_int_equal(level_of(YK_LOGGER(yk_log_app)), YK_LOG_INFO);
}

static int evaluated;

static const char *expensive(void)
{
    evaluated++;
    return "x";
}

static void lines_are_escaped_and_lazy(void **state)
{
    (void)state;
    FILE *stream = tmpfile();
    char text[16384] = "";
    assert_non_null(stream);
    yk_log_set_stream(stream);
    yk_debug(yk_log_core, "not shown", KV("key", expensive()));
    assert_int_equal(evaluated, 0);
    char hostile[3000];
    memset(hostile, 'h', sizeof(hostile) - 1);
    hostile[sizeof(hostile) - 1] = '\0';
    memcpy(hostile, "a\nb\t\"c\"\\\x01", 9);
    yk_info(yk_log_core, "queue added", KV("queue", hostile), KV("count", 7), KV("ok", (bool)true),
            KV("ratio", 0.5), KV("none", (double)NAN), KV("view", YK_STR("v")));
    (void)fflush(stream);
    rewind(stream);
    size_t len = fread(text, 1, sizeof(text) - 1, stream);
    yk_log_set_stream(NULL);
    (void)fclose(stream);
    assert_true(len > 0 && text[len - 1] == '\n');
    assert_ptr_equal(strchr(text, '\n'), text + len - 1); /* one line */
    assert_null(strstr(text, "not shown"));
    assert_non_null(strstr(text, "INFO\tcore\t"));
    assert_non_null(strstr(text, "\tqueue added\t"));
    assert_non_null(strstr(text, "a\\nb\\u0009\\\"c\\\"\\\\\\u0001"));
    assert_non_null(strstr(text, "\"count\": 7"));
    assert_non_null(strstr(text, "\"ok\": true"));
    assert_non_null(strstr(text, "\"none\": null"));
    assert_non_null(strstr(text, "\"view\": \"v\""));
    assert_true(len < 2000); /* the long one was cut */
}

static void an_endless_line_still_ends(void **state)
{
    (void)state;
    FILE *stream = tmpfile();
    static char text[65536];
    char worst[1000];
    memset(worst, 1, sizeof(worst) - 1); /* six bytes each when escaped */
    worst[sizeof(worst) - 1] = '\0';
    assert_non_null(stream);
    yk_log_set_stream(stream);
    for (int i = 0; i < 2; i++)
        yk_info(yk_log_core, "queue added", KV("a", worst), KV("b", worst), KV("c", worst));
    rewind(stream);
    size_t len = fread(text, 1, sizeof(text) - 1, stream), lines = 0;
    yk_log_set_stream(NULL);
    (void)fclose(stream);
    for (size_t i = 0; i < len; i++)
        lines += text[i] == '\n';
    assert_int_equal(lines, 2);
}

/* A reader that reads nothing delays no thread; later it learns how many lines it has lost. */
static void a_blocked_output_drops_lines(void **state)
{
    enum { LINES = 2000 };
    (void)state;
    int ends[2], lines = 0;
    static char text[1 << 20];
    size_t len = 0;
    uint64_t dropped = yk_log_dropped();
    assert_int_equal(pipe(ends), 0);
    FILE *stream = fdopen(ends[1], "w");
    assert_non_null(stream);
    yk_log_set_stream(stream);
    (void)alarm(20);
    for (int i = 0; i < LINES; i++)
        yk_info(yk_log_core, "a line of a hundred bytes that goes into a pipe without a reader",
                KV("line", i));
    (void)alarm(0);
    dropped = yk_log_dropped() - dropped;
    assert_in_range(dropped, 1, LINES - 1);
    assert_int_equal(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
    for (int turn = 0; turn < 2; turn++) {
        for (ssize_t got; (got = read(ends[0], text + len, sizeof(text) - 1 - len)) > 0;)
            len += (size_t)got;
        if (turn == 0)
            yk_info(yk_log_core, "the last line");
    }
    yk_log_set_stream(NULL);
    (void)fclose(stream);
    (void)close(ends[0]);
    for (char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1, lines++) {
        *end = '\0';
        if (strstr(line, "\tINFO\tcore\t") == NULL && strstr(line, "\tlog lines dropped\t") == NULL)
            fail_msg("not a whole line: %s", line);
        *end = ' ';
    }
    assert_int_equal(lines, LINES - (int)dropped + 2);
    char told[64];
    (void)snprintf(told, sizeof(told), "log lines dropped\t{\"count\": %d}", (int)dropped);
    assert_non_null(strstr(text, told));
    assert_non_null(strstr(text, "the last line"));
}

/* What one line looks like as JSON. The caller frees it. */
static char *json_line(const char *message, const struct yk_kv *kvs, size_t count)
{
    char *text = NULL;
    size_t len = 0;
    FILE *file = tmpfile();
    assert_non_null(file);
    yk_log_set_stream(file);
    yk_log_set_format(YK_LOG_JSON);
    yk_log_write(YK_LOGGER(yk_log_core), YK_LOG_WARN, "core/base/x.c", 7, message, kvs, count);
    yk_log_set_format(YK_LOG_TEXT);
    yk_log_set_stream(NULL);
    rewind(file);
    assert_true(getline(&text, &len, file) > 0);
    (void)fclose(file);
    return text;
}

static void one_json_object_per_line(void **state)
{
    (void)state;
    const struct yk_kv kvs[] = {KV("pod", "a\n\"b\""), KV("count", 3), KV("is", (bool)true),
                                KV("broken", "\xff")};
    char *line = json_line("it happened", kvs, YK_COUNT(kvs));
    assert_non_null(strstr(line, "{\"time\":\""));
    assert_non_null(strstr(
        line, "Z\",\"level\":\"warn\",\"logger\":\"core\",\"caller\":\"base/x.c:7\",\"message\":\"it "
              "happened\",\"fields\":{\"pod\":\"a\\n\\\"b\\\"\",\"count\":3,\"is\":true,\"broken\":\""));
    assert_non_null(strstr(line, "\"}}\n"));
    assert_null(strchr(line, '\xff'));
    free(line);
}

/* The 1024th byte is the first one of a character of two. */
static void a_long_value_is_cut_between_characters(void **state)
{
    (void)state;
    char text[1100] = "";
    memset(text, 'x', 1023);
    memcpy(text + 1023, "\u00e9yy", sizeof("\u00e9yy"));
    const struct yk_kv kv = KV("key", (const char *)text);
    char *line = json_line("much", &kv, 1);
    assert_non_null(strstr(line, "x...\"}}\n"));
    free(line);
}

static void json_that_does_not_fit_is_still_json(void **state)
{
    (void)state;
    char text[1025];
    struct yk_kv kvs[16];
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    for (size_t i = 0; i < YK_COUNT(kvs); i++)
        kvs[i] = KV("key", (const char *)text);
    char *line = json_line("much", kvs, YK_COUNT(kvs));
    assert_non_null(strstr(line, "\"message\":\"much\"}\n"));
    free(line);
}

static void a_default_level_is_for_what_is_not_configured(void **state)
{
    (void)state;
    const char *pairs[] = {"core.scheduler", "error", NULL};
    yk_log_set_default_level(YK_LOG_DEBUG);
    yk_log_configure(lookup, pairs);
    assert_int_equal(level_of(YK_LOGGER(yk_log_sched)), YK_LOG_ERROR);
    assert_int_equal(level_of(YK_LOGGER(yk_log_shim)), YK_LOG_DEBUG);
    yk_log_set_default_level(YK_LOG_INFO);
}

static void fixed_levels_stay(void **state)
{
    (void)state;
    const char *pairs[] = {"", "debug", NULL};
    assert_true(yk_log_set_level(YK_STR(""), YK_LOG_ERROR) > 0);
    yk_log_fix_levels(true);
    yk_log_configure(lookup, pairs);
    assert_int_equal(level_of(YK_LOGGER(yk_log_shim)), YK_LOG_ERROR);
    yk_log_fix_levels(false);
    yk_log_configure(lookup, pairs);
    assert_int_equal(level_of(YK_LOGGER(yk_log_shim)), YK_LOG_DEBUG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_parse),
        cmocka_unit_test(levels_follow_the_dots),
        cmocka_unit_test(lines_are_escaped_and_lazy),
        cmocka_unit_test(an_endless_line_still_ends),
        cmocka_unit_test(a_blocked_output_drops_lines),
        cmocka_unit_test(one_json_object_per_line),
        cmocka_unit_test(a_long_value_is_cut_between_characters),
        cmocka_unit_test(json_that_does_not_fit_is_still_json),
        cmocka_unit_test(a_default_level_is_for_what_is_not_configured),
        cmocka_unit_test(fixed_levels_stay),
    };
    return cmocka_run_group_tests_name("base/log", tests, NULL, NULL);
}
