/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of routes; the table is in routes.c.
 *
 * A handler with the parameters `job` and `until_mono_ns` is the `work` of a route (struct yk_route) and
 * needs no comment. It writes to job->answer (web/answer.h), until `until_mono_ns` of job->clock if the
 * answer may be long, and returns what comes next (enum yk_step in web/router.h). The enum says after which
 * results it is called again.
 *
 * Before the first call, the job has a request that was routed (yk_job_route()), `clock`, `stats`,
 * `simulation` (NULL: the cluster is real), and, if the route is not `on_io`, `core` and `renderer` (NULL in
 * yk_web_render()). The handlers of guarded routes run after yk_guard_admit() has allowed the job, and may
 * use `caller`, and `backend` unless the guard is YK_GUARD_READER. The handlers that are named in
 * handle_dump.c also write the parts of a state dump, for jobs that have only `core`, `clock`, `accept` and
 * the parameters of the path: these handlers must not need anything else.
 *
 * A handler whose answer is JSON ends it with one newline, except yk__get_config().
 *
 * If the row of a handler in routes.c has `is_api`, the content type is JSON before the first call; otherwise
 * the handler sets the content type.
 *
 * Thread: scheduling thread; I/O thread if the route has `on_io`, where a handler must not read scheduling
 * state. Other functions run on the thread that their comment names, or else on that of the handler.
 */
#ifndef YK_WEB_ROUTES_PRIV_H
#define YK_WEB_ROUTES_PRIV_H

#include "web/job.h"

struct yk_config;

enum {                               /* most bytes of request bodies */
       YK_REST_CONFIG_MAX = 4 << 20, /* a queue configuration; a ConfigMap holds 1 MiB */
       YK_REST_MOVE_MAX = 16 << 10,
       YK_REST_SIMULATION_MAX = 1 << 20, /* an action; one may carry a queue configuration */
       YK_REST_WHATIF_MAX = 4 << 20,
};

/* handle_cluster.c */
enum yk_step yk__get_clusters(struct yk_job *job, int64_t until_mono_ns);
enum yk_step yk__get_partitions(struct yk_job *job, int64_t until_mono_ns);
enum yk_step yk__get_placement_rules(struct yk_job *job, int64_t until_mono_ns);
enum yk_step yk__get_health(struct yk_job *job, int64_t until_mono_ns);
/* handle_queues.c */
enum yk_step yk__get_queue_tree(struct yk_job *job, int64_t until_mono_ns);
enum yk_step yk__get_queue(struct yk_job *job, int64_t until_mono_ns);
/* handle_apps.c */
enum yk_step yk__get_queue_apps(struct yk_job *job, int64_t until_mono_ns);
enum yk_step yk__get_queue_apps_by_state(struct yk_job *job, int64_t until_mono_ns);
enum yk_step yk__get_apps_by_state(struct yk_job *job, int64_t until_mono_ns);
enum yk_step yk__get_queue_app(struct yk_job *job, int64_t until_mono_ns);
enum yk_step yk__get_app(struct yk_job *job, int64_t until_mono_ns);
/* handle_pending.c */
enum yk_step yk__get_queue_pending(struct yk_job *job, int64_t until_mono_ns);
enum yk_step yk__get_app_pending(struct yk_job *job, int64_t until_mono_ns);
enum yk_step yk__get_explanation(struct yk_job *job, int64_t until_mono_ns);
/* handle_timeline.c */
enum yk_step yk__get_timeline(struct yk_job *job, int64_t until_mono_ns);
/* handle_preemptions.c */
enum yk_step yk__get_preemptions(struct yk_job *job, int64_t until_mono_ns);
/* handle_nodes.c */
enum yk_step yk__get_nodes(struct yk_job *job, int64_t until_mono_ns);
enum yk_step yk__get_node(struct yk_job *job, int64_t until_mono_ns);
/* handle_usage.c */
enum yk_step yk__get_users_usage(struct yk_job *job, int64_t until_mono_ns);
enum yk_step yk__get_user_usage(struct yk_job *job, int64_t until_mono_ns);
enum yk_step yk__get_groups_usage(struct yk_job *job, int64_t until_mono_ns);
enum yk_step yk__get_group_usage(struct yk_job *job, int64_t until_mono_ns);
/* handle_config.c */
enum yk_step yk__get_config(struct yk_job *job, int64_t until_mono_ns);
enum yk_step yk__post_validate(struct yk_job *job, int64_t until_mono_ns);
/* The `check` of the route of yk__post_validate(), which has `on_io`: checks the configuration in
 * job->request.body, and writes the whole answer, whose status is always 200. job->seen becomes 1 if the
 * configuration is allowed, else 0. The server then calls yk_job_finish(), and never yk__post_validate(), which
 * does nothing. Configuration thread. */
void yk__check_validate(struct yk_job *job);
/* The same for the variant; then makes the what-if question of an allowed configuration, in place of the body. */
void yk__check_validate_diff(struct yk_job *job);
/* Logs the question, if it was asked. */
void yk__finish_validate_diff(struct yk_job *job);
/* The work of the variant of that route that also says what the configuration would change: yk__check_validate()
 * runs first. If it allows the configuration, a what-if question is asked, and its answer is added. */
enum yk_step yk__post_validate_diff(struct yk_job *job, int64_t until_mono_ns);
/* Writes the warnings of a configuration as an array, the next value of `json`: sentences with line and
 * column. Without warnings the array is empty. Any thread that may read `config`; the checks call it on the
 * configuration thread. */
void yk__put_warnings(struct yk_json *json, const struct yk_config *config);
/* handle_config_history.c */
enum yk_step yk__get_config_history(struct yk_job *job, int64_t until_mono_ns);
enum yk_step yk__get_config_history_text(struct yk_job *job, int64_t until_mono_ns);
/* handle_admin.c */
enum yk_step yk__delete_app(struct yk_job *job, int64_t until_mono_ns);
enum yk_step yk__put_app_queue(struct yk_job *job, int64_t until_mono_ns);
enum yk_step yk__put_config(struct yk_job *job, int64_t until_mono_ns);
/* The `check` of the route of yk__put_config(), which has no `on_io`: checks the configuration in
 * job->request.body, and stores the result, also a refusal, in job->own. job->own is NULL before. Writes no
 * answer: the work is called again and does that. The job is not finished: the server posts it to the
 * scheduling thread (yk__web_post()). Configuration thread. */
void yk__check_put_config(struct yk_job *job);
enum yk_step yk__put_log_level(struct yk_job *job, int64_t until_mono_ns);
/* handle_dump.c */
enum yk_step yk__get_state_dump(struct yk_job *job, int64_t until_mono_ns);
/* Answers with a redirect (301) to /debug/fullstatedump. */
enum yk_step yk__get_old_state_dump(struct yk_job *job, int64_t until_mono_ns);
/* The `shape` of the route of yk__get_state_dump(): indents the piece of the dump in job->answer.body, in
 * place. `last`: the dump is complete with this piece. No effect if the work has not begun the dump, or the
 * body has `failed`. I/O thread. */
void yk__shape_state_dump(struct yk_job *job, bool last);
/* handle_events.c */
enum yk_step yk__get_event_batch(struct yk_job *job, int64_t until_mono_ns);
enum yk_step yk__get_event_stream(struct yk_job *job, int64_t until_mono_ns);
/* handle_history.c */
enum yk_step yk__get_app_history(struct yk_job *job, int64_t until_mono_ns);
enum yk_step yk__get_container_history(struct yk_job *job, int64_t until_mono_ns);
/* handle_utilization.c */
enum yk_step yk__get_node_utilizations(struct yk_job *job, int64_t until_mono_ns);
/* handle_debug.c */
enum yk_step yk__get_stack(struct yk_job *job, int64_t until_mono_ns);
/* Answers with a redirect (301) to /debug/stack. */
enum yk_step yk__get_old_stack(struct yk_job *job, int64_t until_mono_ns);
enum yk_step yk__get_pprof_index(struct yk_job *job, int64_t until_mono_ns);
enum yk_step yk__get_pprof_other(struct yk_job *job, int64_t until_mono_ns);
/* Appends the arguments of the process to `out`, with a NUL behind each. Secret values are not masked
 * (web/secret.h). False: they cannot be read, and nothing was appended. Reads a file of /proc. Any thread but
 * the scheduling thread. */
bool yk__read_cmdline(struct yk_buf *out);
enum yk_step yk__get_cmdline(struct yk_job *job, int64_t until_mono_ns);
enum yk_step yk__get_profile(struct yk_job *job, int64_t until_mono_ns);
/* The `check` of the route of yk__get_profile(), which has no `on_io`: writes the samples that
 * yk__get_profile() has collected before it returned YK_STEP_CHECK; they are the whole answer. The job then
 * goes back to the work, whose next call returns YK_STEP_DONE. No effect if the work has not begun (job->own
 * is NULL). Configuration thread. */
void yk__write_profile(struct yk_job *job);
/* handle_configz.c */
enum yk_step yk__get_configz(struct yk_job *job, int64_t until_mono_ns);
/* handle_statusz.c */
enum yk_step yk__get_statusz(struct yk_job *job, int64_t until_mono_ns);
enum yk_step yk__get_flagz(struct yk_job *job, int64_t until_mono_ns);
/* handle_openapi.c */
enum yk_step yk__get_openapi(struct yk_job *job, int64_t until_mono_ns);
/* handle_metrics.c */
enum yk_step yk__get_metrics(struct yk_job *job, int64_t until_mono_ns);
/* handle_resources.c */
enum yk_step yk__get_pod_resources(struct yk_job *job, int64_t until_mono_ns);
/* handle_slis.c */
enum yk_step yk__get_slis(struct yk_job *job, int64_t until_mono_ns);
/* handle_metrics.c. The `rest` of the route of yk__get_metrics(): writes the numbers that yk__get_metrics()
 * has copied, as text. Only after the work has returned YK_STEP_REST. YK_STEP_AGAIN: the caller takes the
 * piece out of job->answer.body and calls again. The metrics of the process are not part of it
 * (yk__finish_metrics()). I/O thread. */
enum yk_step yk__write_metrics(struct yk_job *job);
/* The `finish` of the route of yk__get_metrics(): appends the metrics of the process and, if job->stats is
 * set, those of the server and of its function `put_more_metrics`. No effect if the answer is an error. The
 * server counts a request whose route has this `finish` as a scrape in flight. I/O thread. */
void yk__finish_metrics(struct yk_job *job);
/* handle_probes.c */
enum yk_step yk__get_probe(struct yk_job *job, int64_t until_mono_ns);
enum yk_step yk__get_version(struct yk_job *job, int64_t until_mono_ns);
/* handle_whatif.c */
enum yk_step yk__post_whatif(struct yk_job *job, int64_t until_mono_ns);
/* Asks the what-if backend the question, a JSON text that is borrowed for the call, and returns YK_STEP_WAIT:
 * the work is called again when job->reply has come. If nothing can be asked, makes the answer an error, and
 * returns YK_STEP_DONE. */
enum yk_step yk__ask_whatif(struct yk_job *job, struct yk_str question);
/* The `finish` of the route of yk__post_whatif(): logs at level info who asked the question and the status of
 * the answer, because a question costs more than other reads. job->exchange is still set, or NULL without a
 * network. I/O thread. */
void yk__finish_whatif(struct yk_job *job);
/* handle_recording.c. The handlers do not check the caller: their routes have YK_GUARD_SCHEDULER. */
enum yk_step yk__get_recording(struct yk_job *job, int64_t until_mono_ns);
enum yk_step yk__post_recording(struct yk_job *job, int64_t until_mono_ns);
enum yk_step yk__delete_recording(struct yk_job *job, int64_t until_mono_ns);
/* Opens the file, and reads nothing. YK_STEP_REST: the file is open, and yk__read_recording_file() reads it.
 * YK_STEP_DONE: the file is empty, and so is the answer, with status 200; or the answer is an error. */
enum yk_step yk__get_recording_file(struct yk_job *job, int64_t until_mono_ns);
/* The `rest` of the route of yk__get_recording_file(): appends the next piece of the file that this work has
 * opened to job->answer.body. Only after the work has returned YK_STEP_REST. YK_STEP_AGAIN: the caller takes
 * the piece out and calls again. YK_STEP_DONE: the last piece was appended, or the file cannot be read. If
 * its first piece cannot be read, job->answer is the error 503; if a later one cannot, `failed` of the body
 * is set. I/O thread. */
enum yk_step yk__read_recording_file(struct yk_job *job);
/* handle_root.c */
enum yk_step yk__get_root(struct yk_job *job, int64_t until_mono_ns);
/* web_page.c */
enum yk_step yk__get_page_file(struct yk_job *job, int64_t until_mono_ns);
/* handle_simulation.c */
enum yk_step yk__get_page_mode(struct yk_job *job, int64_t until_mono_ns);
enum yk_step yk__get_simulation_state(struct yk_job *job, int64_t until_mono_ns);
enum yk_step yk__post_simulation_clock(struct yk_job *job, int64_t until_mono_ns);
enum yk_step yk__post_simulation_steps(struct yk_job *job, int64_t until_mono_ns);

/*
 * Appends the path parameter to `out`, decoded a second time (rest.md 1.2); nothing if the route has no such
 * parameter. False: it cannot be decoded, job->answer is the error 400, and a part of the text may have been
 * appended.
 */
bool yk__decode_param(struct yk_job *job, enum yk_param param, struct yk_buf *out);
/* As yk__decode_param() for the parameter of the queue. Does not check whether it is the name of a queue:
 * call yk__check_queue_name() when the checks that come first (rest.md 2.1) have passed. */
bool yk__decode_queue(struct yk_job *job, struct yk_buf *out);
/* Whether each part of the dotted `path` is a valid queue name; an empty path is valid here. Does not look
 * the queue up, and does not check that the path begins with "root". False: job->answer is the error 400. */
bool yk__check_queue_name(struct yk_job *job, struct yk_str path);

#endif
