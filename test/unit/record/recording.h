/* SPDX-License-Identifier: Apache-2.0 */
/* Recordings in memory: made by a simulation, and read line by line. Included after cmocka.h. */
#ifndef TEST_RECORD_RECORDING_H
#define TEST_RECORD_RECORDING_H

#include "cmd/simulation.h"
#include "record/replay.h"

/* Appends the lines to `context`, a struct yk_buf. */
static inline void append(void *context, struct yk_str lines)
{
    yk_buf_str(context, lines);
}

/* Runs the scenario in `text` and appends its recording. */
static inline void record(struct yk_str text, uint64_t seed, struct yk_buf *recording)
{
    YK_CLEANUP(yk_scenario_freep) struct yk_scenario *scenario = NULL;
    YK_CLEANUP(yk_outcome_freep) struct yk_outcome *outcome = NULL;
    struct yk_err err = {0};
    const struct yk_simulation_options options = {
        .seed = seed, .log_level = "fatal", .record = append, .record_context = recording};
    recording->max = 1 << 30;
    if (yk_scenario_parse(text, &scenario, &err) != YK_OK ||
        yk_simulation_run(scenario, &options, &outcome, &err) != YK_OK)
        fail_msg("%s", err.text);
    assert_false(recording->failed);
}

/* For struct yk_record_source: takes the next line off `context`, a struct yk_str. */
static inline enum yk_status next_line(void *context, struct yk_str *ret_line, struct yk_err *err)
{
    struct yk_str *rest = context;
    const char *newline = rest->len > 0 ? memchr(rest->p, '\n', rest->len) : NULL;
    (void)err;
    *ret_line = (struct yk_str){0};
    if (newline == NULL)
        return YK_OK;
    *ret_line = (struct yk_str){rest->p, (size_t)(newline - rest->p)};
    *rest = (struct yk_str){newline + 1, rest->len - ret_line->len - 1};
    return YK_OK;
}

#endif
