/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/replay.h"

#include "base/clock.h"
#include "base/json_writer.h"
#include "cmd/arguments.h"
#include "cmd/commands.h"
#include "record/record_file.h"

#include <stdio.h>

static void put_json(const struct yk_replay_result *result, struct yk_buf *out)
{
    struct yk_json json;
    yk_json_init(&json, out);
    yk_json_object_begin(&json);
    yk_json_add_bool(&json, "same", !yk_replay_differs(result));
    yk_json_add_uint(&json, "decisions", result->decisions);
    yk_json_add_uint(&json, "steps", result->steps);
    yk_json_add_uint(&json, "lines", result->lines);
    yk_json_add_int(&json, "durationMillis", (result->end_mono_ns - result->begin_mono_ns) / YK_NS_PER_MS);
    yk_json_add_text(&json, "hash", result->hash);
    yk_json_add_text(&json, "recordedHash", result->recorded);
    yk_json_add_text(&json, "endedBecause", result->why);
    if (yk_replay_differs(result)) {
        yk_json_add_text(&json, "difference", yk_err_sentence(&result->difference));
        yk_json_add_uint(&json, "line", result->difference.line);
    }
    yk_json_object_end(&json);
    yk_buf_char(out, '\n');
}

static void put_text(const struct yk_replay_result *result, struct yk_buf *out)
{
    char took[YK_TIME_TEXT_MAX];
    yk_duration_format((result->end_mono_ns - result->begin_mono_ns) / YK_NS_PER_MS * YK_NS_PER_MS, took);
    if (yk_replay_differs(result))
        yk_buf_printf(out, "a decision differs: %s\n", result->difference.text);
    else
        yk_buf_text(out, "all decisions are the same\n");
    yk_buf_printf(out, "decisions      %llu\n", (unsigned long long)result->decisions);
    yk_buf_printf(out, "steps          %llu\n", (unsigned long long)result->steps);
    yk_buf_printf(out, "time           %s\n", took);
    yk_buf_printf(out, "hash           %s\n", result->hash);
    if (result->recorded[0] != '\0')
        yk_buf_printf(out, "recorded hash  %s\n", result->recorded);
    else if (!yk_replay_differs(result))
        yk_buf_printf(out, "The recording is not complete: it ends after line %llu.\n",
                      (unsigned long long)result->lines);
    if (result->why[0] != '\0')
        yk_buf_printf(out, "The recording ended early: %s.\n", result->why);
}

enum yk_status yk_replay_read(const char *path, struct yk_replay_result *ret, struct yk_err *err)
{
    YK_CLEANUP(yk_record_reader_close) struct yk_record_reader reader = {0};
    enum yk_status st = yk_record_reader_open(&reader, path, err);
    if (st != YK_OK)
        return st;
    const struct yk_record_source source = {&reader, yk_record_reader_next};
    st = yk_replay_run(&source, ret, err);
    return st == YK_OK ? st : yk_fail_in(err, st, "%s", path);
}

int yk_replay_file(const char *path, bool as_json)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
    struct yk_replay_result result;
    struct yk_err err = {0};
    if (yk_replay_read(path, &result, &err) != YK_OK) {
        yk_complain("simulate", "%s", err.text);
        return YK_EXIT_FAILURE;
    }
    if (as_json)
        put_json(&result, &out);
    else
        put_text(&result, &out);
    if (fwrite(out.p, 1, out.len, stdout) != out.len || fflush(stdout) != 0) {
        yk_complain("simulate", "the result cannot be written");
        return YK_EXIT_FAILURE;
    }
    return yk_replay_differs(&result) ? YK_EXIT_FAILURE : YK_EXIT_OK;
}
