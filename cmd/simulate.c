/* SPDX-License-Identifier: Apache-2.0 */
#include "base/log.h"
#include "cmd/arguments.h"
#include "cmd/commands.h"
#include "cmd/example.h"
#include "cmd/goals.h"
#include "cmd/random_scenario.h"
#include "cmd/recording.h"
#include "cmd/replay.h"
#include "cmd/report.h"
#include "cmd/simulate_web.h"
#include "record/record_file.h"

#include <errno.h>
#include <unistd.h>

struct arguments {
    const char *seed, *output, *quiet, *timing, *log_level, *print, *goals, *random, *web, *speed, *decisions,
        *report, *record, *replay;
};

static const double default_speed = 20;

static bool read_speed(const char *text, double *ret_speed)
{
    char *end;
    double speed = strtod(text, &end);
    if (end == text || *end != '\0' || !(speed >= YK_PACE_SPEED_MIN && speed <= YK_PACE_SPEED_MAX))
        return false;
    *ret_speed = speed;
    return true;
}

static enum yk_status draw_scenario(uint64_t seed, struct yk_scenario **ret, struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    yk_random_scenario_write(seed, &text);
    return yk_scenario_parse(yk_buf_view(&text), ret, err);
}

static struct yk_str built_in(const struct arguments *arguments)
{
    return arguments->web != NULL ? (struct yk_str){yk_live_example_bytes, yk_live_example_len}
                                  : (struct yk_str){yk_example_bytes, yk_example_len};
}

static enum yk_status read_scenario(const struct arguments *arguments, const char *path,
                                    struct yk_scenario **ret, struct yk_err *err)
{
    if (path == NULL)
        return yk_scenario_parse(built_in(arguments), ret, err);
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = YK_SCENARIO_BYTES_MAX};
    enum yk_status status = yk_file_read(path, &text, err);
    if (status != YK_OK)
        return status; /* `err` names the file already */
    status = yk_scenario_parse(yk_buf_view(&text), ret, err);
    return status == YK_OK ? status : yk_fail_in(err, status, "%s", path);
}

static void log_to_stderr(const char *level)
{
    enum yk_log_level parsed = YK_LOG_WARN;
    /* check_arguments() has checked the level. */
    (void)(yk_log_level_parse(yk_str_from(level), &parsed) == YK_OK);
    yk_log_set_stream(stderr);
    yk_log_set_waits(true);
    for (size_t i = 0; i < yk_logger_count; i++)
        atomic_store_explicit(&yk_loggers[i].level, (int)parsed, memory_order_relaxed);
}

static bool goals_reached(const struct yk_outcome *outcome)
{
    YK_CLEANUP(yk_verdicts_done) struct yk_verdicts verdicts;
    yk_goals_judge(outcome, &verdicts);
    return verdicts.reached;
}

static bool open_decisions(const char *path, FILE **ret)
{
    *ret = NULL;
    if (path == NULL)
        return true;
    *ret = fopen(path, "we");
    if (*ret == NULL)
        yk_complain("simulate", "%s: %s", path, strerror(errno));
    return *ret != NULL;
}

static bool close_decisions(const char *path, FILE *stream)
{
    if (stream == NULL)
        return true;
    bool failed = ferror(stream) != 0;
    if (fclose(stream) == 0 && !failed)
        return true;
    yk_complain("simulate", "%s cannot be written", path);
    return false;
}

static enum yk_status serve(const struct arguments *arguments, const struct yk_scenario *scenario,
                            const struct yk_simulation_options *options, struct yk_outcome **ret,
                            struct yk_err *err)
{
    YK_CLEANUP(yk_freep) char *host = NULL;
    struct yk_simulate_web_options with = {.simulation = *options, .speed = default_speed};
    const char *address = arguments->web[0] != '\0' ? arguments->web : YK_SIMULATE_WEB_ADDRESS;
    enum yk_status status = yk_simulate_web_address(address, &host, &with.port, err);
    if (status != YK_OK)
        return status;
    with.host = host;
    if (arguments->speed != NULL)
        (void)read_speed(arguments->speed, &with.speed); /* check_web() has checked the speed */
    return yk_simulate_web(scenario, &with, ret, err);
}

/* No colours if NO_COLOR is set and not empty (no-color.org). */
static bool wants_colour(void)
{
    const char *without = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && (without == NULL || without[0] == '\0') &&
           (terminal == NULL || strcmp(terminal, "dumb") != 0);
}

static bool write_page(const char *path, const struct yk_outcome *outcome,
                       const struct yk_recording *recording)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf page = {0};
    yk_report_html(outcome, recording, &page);
    FILE *file = fopen(path, "we");
    bool is_written = file != NULL && fwrite(page.p, 1, page.len, file) == page.len;
    if (file != NULL && fclose(file) != 0)
        is_written = false;
    if (!is_written)
        yk_complain("simulate", "%s: cannot be written: %s", path, strerror(errno));
    return is_written;
}

static int run(const struct arguments *arguments, const struct yk_scenario *scenario, uint64_t seed,
               bool as_json)
{
    YK_CLEANUP(yk_recording_done) struct yk_recording recording;
    yk_recording_init(&recording);
    struct yk_simulation_options options = {
        .seed = seed,
        .recording = arguments->report != NULL ? &recording : NULL,
        .log_level = arguments->log_level,
        .progress = arguments->quiet != NULL ? NULL : stderr,
    };
    YK_CLEANUP(yk_outcome_freep) struct yk_outcome *outcome = NULL;
    YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
    struct yk_err err;
    log_to_stderr(arguments->log_level);
    if (!open_decisions(arguments->decisions, &options.decisions))
        return YK_EXIT_FAILURE;
    struct yk_record_writer record = {0};
    if (arguments->record != NULL) {
        if (yk_record_writer_open(&record, arguments->record, &err) != YK_OK) {
            yk_complain("simulate", "%s", err.text);
            (void)close_decisions(arguments->decisions, options.decisions); /* nothing was written */
            return YK_EXIT_FAILURE;
        }
        options.record = yk_record_writer_put;
        options.record_context = &record;
    }
    enum yk_status status = arguments->web != NULL ? serve(arguments, scenario, &options, &outcome, &err)
                                                   : yk_simulation_run(scenario, &options, &outcome, &err);
    bool are_decisions_written = close_decisions(arguments->decisions, options.decisions);
    bool is_recorded = yk_record_writer_close(&record);
    if (status != YK_OK) {
        yk_complain("simulate", "%s", err.text);
        return YK_EXIT_FAILURE;
    }
    if (!is_recorded)
        yk_complain("simulate", "%s: cannot be written", arguments->record);
    if (!are_decisions_written || !is_recorded)
        return YK_EXIT_FAILURE;
    if (options.progress != NULL)
        fprintf(stderr, "%8s  %llu decisions in %.2f s of real time: %.0f/s\n", "",
                (unsigned long long)outcome->decisions, (double)outcome->real_ns / (double)YK_NS_PER_S,
                yk_decisions_per_second(outcome));
    if (as_json)
        yk_report_json(outcome, arguments->timing != NULL, &out);
    else
        yk_report_text(outcome, arguments->timing != NULL, wants_colour(), &out);
    if (fwrite(out.p, 1, out.len, stdout) != out.len || fflush(stdout) != 0) {
        yk_complain("simulate", "the result cannot be written");
        return YK_EXIT_FAILURE;
    }
    if (arguments->report != NULL && !write_page(arguments->report, outcome, &recording))
        return YK_EXIT_FAILURE;
    bool failed = outcome->broken.text[0] != '\0' || (arguments->goals != NULL && !goals_reached(outcome));
    return failed ? YK_EXIT_FAILURE : YK_EXIT_OK;
}

static bool check_web(const struct arguments *arguments)
{
    YK_CLEANUP(yk_freep) char *host = NULL;
    struct yk_err err;
    uint16_t port;
    double speed;
    if (arguments->speed != NULL && arguments->web == NULL) {
        yk_complain("simulate", "--speed needs --web");
        return false;
    }
    if (arguments->speed != NULL && !read_speed(arguments->speed, &speed)) {
        yk_complain("simulate", "--speed is a number from 0.01 to 10000, not '%s'", arguments->speed);
        return false;
    }
    if (arguments->web != NULL && arguments->web[0] != '\0' &&
        yk_simulate_web_address(arguments->web, &host, &port, &err) != YK_OK) {
        yk_complain("simulate", "--web: %s", err.text);
        return false;
    }
    return true;
}

static bool check_arguments(const struct arguments *arguments, uint64_t *ret_seed, uint64_t *ret_random,
                            bool *ret_json)
{
    enum yk_log_level level;
    if (arguments->seed != NULL && yk_str_to_u64(yk_str_from(arguments->seed), ret_seed) != YK_OK) {
        yk_complain("simulate", "--seed is a number, not '%s'", arguments->seed);
        return false;
    }
    if (arguments->random != NULL && yk_str_to_u64(yk_str_from(arguments->random), ret_random) != YK_OK) {
        yk_complain("simulate", "--random is a number, not '%s'", arguments->random);
        return false;
    }
    if (yk_log_level_parse(yk_str_from(arguments->log_level), &level) != YK_OK) {
        yk_complain("simulate", "--log-level is debug, info, warn or error, not '%s'", arguments->log_level);
        return false;
    }
    return check_web(arguments) && yk_arguments_output("simulate", arguments->output, ret_json);
}

static int print_scenario(const struct arguments *arguments, uint64_t random)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    if (arguments->random != NULL)
        yk_random_scenario_write(random, &text);
    else
        yk_buf_str(&text, built_in(arguments));
    return fwrite(text.p, 1, text.len, stdout) == text.len ? YK_EXIT_OK : YK_EXIT_FAILURE;
}

static int replay(const struct arguments *arguments, const char *path, bool as_json)
{
    if (path != NULL || arguments->random != NULL || arguments->web != NULL || arguments->record != NULL) {
        yk_complain("simulate",
                    "--replay takes its cluster from the recording, so SCENARIO.yaml, --random, --web "
                    "and --record are not allowed");
        return YK_EXIT_USAGE;
    }
    log_to_stderr(arguments->log_level);
    yk_log_fix_levels(true); /* the levels in the recording are those of its scheduler */
    return yk_replay_file(arguments->replay, as_json);
}

int yk_cmd_simulate(int argc, char **argv)
{
    struct arguments arguments = {.log_level = "error"};
    const struct yk_flag flags[] = {
        {"seed", 's', "NUMBER", "seed of the random numbers (default: the seed in the scenario)",
         &arguments.seed},
        {"output", 'o', "FORMAT", "text (default) or json", &arguments.output},
        {"timing", 't', NULL, "add the real duration to the result, which then differs from run to run",
         &arguments.timing},
        {"quiet", 'q', NULL, "show no progress on standard error", &arguments.quiet},
        {"goals", 0, NULL, "exit with 1 also if a goal of the scenario was missed", &arguments.goals},
        {"random", 0, "SEED", "run a random scenario; the same SEED gives the same one", &arguments.random},
        {"print-scenario", 0, NULL, "print the built-in scenario, or that of --random, instead of running it",
         &arguments.print},
        {"decisions", 0, "FILE", "write each binding and eviction to FILE, to compare runs",
         &arguments.decisions},
        {"web", 0, "[=ADDRESS:PORT]",
         "run in scaled real time and serve the web page (default: " YK_SIMULATE_WEB_ADDRESS ")",
         &arguments.web},
        {"speed", 0, "NUMBER", "with --web: seconds of the scenario per second (default: 20)",
         &arguments.speed},
        {"record", 0, "FILE", "also write a recording for --replay; it is compressed if FILE ends in .gz",
         &arguments.record},
        {"replay", 0, "FILE", "replay a recording, and compare each decision", &arguments.replay},
        {"report", 0, "FILE.html", "also write a page with curves of queues and a table of waiting times",
         &arguments.report},
        {"log-level", 0, "LEVEL", "what the scheduler logs on standard error (default: error)",
         &arguments.log_level},
    };
    const struct yk_command_line line = {
        "yunikorn simulate [OPTIONS] [SCENARIO.yaml]",
        "Runs a scenario on a simulated cluster with a virtual clock, and prints the result. Without a\n"
        "file, runs the built-in example. The same scenario and seed give the same result.\n"
        "With --web, runs until Ctrl-C, and the web page has buttons to change the cluster.\n"
        "Exits with 1 if an invariant was broken: a pod was bound twice, or the pods of a node request more\n"
        "than the node has.",
        flags, YK_COUNT(flags), 1};
    int operands;
    enum yk_arguments parsed = yk_arguments_parse(&line, argc, argv, &operands);
    if (parsed != YK_ARGUMENTS_GO_ON)
        return parsed == YK_ARGUMENTS_HELPED ? YK_EXIT_OK : YK_EXIT_USAGE;
    YK_CLEANUP(yk_scenario_freep) struct yk_scenario *scenario = NULL;
    struct yk_err err;
    uint64_t seed = 0, random = 0;
    bool as_json;
    if (!check_arguments(&arguments, &seed, &random, &as_json))
        return YK_EXIT_USAGE;
    if (arguments.print != NULL)
        return print_scenario(&arguments, random);
    const char *path = operands < argc ? argv[operands] : NULL;
    if (arguments.replay != NULL)
        return replay(&arguments, path, as_json);
    if (arguments.random != NULL && path != NULL) {
        yk_complain("simulate", "--random draws the scenario, so no file is read");
        return YK_EXIT_USAGE;
    }
    enum yk_status status = arguments.random != NULL ? draw_scenario(random, &scenario, &err)
                                                     : read_scenario(&arguments, path, &scenario, &err);
    if (status != YK_OK) {
        yk_complain("simulate", "%s", err.text);
        return YK_EXIT_FAILURE;
    }
    if (arguments.goals != NULL && scenario->sample_ns == 0) {
        yk_complain("simulate", "--goals needs a scenario with 'sample'");
        return YK_EXIT_FAILURE;
    }
    return run(&arguments, scenario, arguments.seed != NULL ? seed : scenario->seed, as_json);
}
