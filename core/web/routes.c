/* SPDX-License-Identifier: Apache-2.0 */
/* The table of all routes: docs/reference/rest.md, section 2. Routing, the header Allow and labels of metrics
 * use it. */
#include "web/routes_priv.h"

#define PARTITION "/ws/v1/partition/:partition"
#define QUEUE     PARTITION "/queue/:queue"
/* The fields number, errors and help of a route, which are printed in rest.md. */
#define DOC(number_, errors_, help_) .number = (number_), .errors = (errors_), .help = (help_)
#define API(path, handler, ...)                                                                              \
    {                                                                                                        \
        .method = YK_METHOD_GET, .pattern = (path), .work = (handler), .is_api = true, DOC(__VA_ARGS__)      \
    }
#define LIST(path, handler, ...)                                                                             \
    {                                                                                                        \
        .method = YK_METHOD_GET, .pattern = (path), .work = (handler), .is_api = true, .is_long = true,      \
        .is_shared = true, DOC(__VA_ARGS__)                                                                  \
    }
#define OF_QUEUE(path, handler, long, ...)                                                                   \
    {                                                                                                        \
        .method = YK_METHOD_GET, .pattern = (path), .work = (handler), .is_api = true, .is_long = (long),    \
        .is_shared = (long), .tenant = YK_TENANT_QUEUE, DOC(__VA_ARGS__)                                     \
    }
/* One object, which may be large. */
#define LARGE_OF_QUEUE(path, handler, ...)                                                                   \
    {                                                                                                        \
        .method = YK_METHOD_GET, .pattern = (path), .work = (handler), .is_api = true, .is_long = true,      \
        .tenant = YK_TENANT_QUEUE, DOC(__VA_ARGS__)                                                          \
    }
#define LIST_OF_QUEUES(path, handler, ...)                                                                   \
    {                                                                                                        \
        .method = YK_METHOD_GET, .pattern = (path), .work = (handler), .is_api = true, .is_long = true,      \
        .is_shared = true, .tenant = YK_TENANT_LIST, DOC(__VA_ARGS__)                                        \
    }
#define PROBE(path, ...)                                                                                     \
    {                                                                                                        \
        .method = YK_METHOD_GET, .pattern = (path), .work = yk__get_probe, .on_io = true, .is_probe = true,  \
        DOC(__VA_ARGS__)                                                                                     \
    }
#define METRICS(path, ...)                                                                                   \
    {                                                                                                        \
        .method = YK_METHOD_GET, .pattern = (path), .work = yk__get_metrics, .rest = yk__write_metrics,      \
        .finish = yk__finish_metrics, .is_long = true, .is_scrape = true, DOC(__VA_ARGS__)                   \
    }
#define SLIS(path, ...)                                                                                      \
    {                                                                                                        \
        .method = YK_METHOD_GET, .pattern = (path), .work = yk__get_slis, .on_io = true, DOC(__VA_ARGS__)    \
    }
#define RESOURCES(path, ...)                                                                                 \
    {                                                                                                        \
        .method = YK_METHOD_GET, .pattern = (path), .work = yk__get_pod_resources, .is_long = true,          \
        DOC(__VA_ARGS__)                                                                                     \
    }
#define PAGE_FILE(path, ...)                                                                                 \
    {                                                                                                        \
        .method = YK_METHOD_GET, .pattern = (path), .work = yk__get_page_file, .on_io = true,                \
        .is_public = true, DOC(__VA_ARGS__)                                                                  \
    }

const struct yk_route yk_routes[] = {
    API("/ws/v1/clusters", yk__get_clusters, 1, "", "list of Cluster (3)"),
    METRICS("/ws/v1/metrics", 2, "", "Prometheus text (10)"),
    API("/ws/v1/config", yk__get_config, 3, "503", "YAML or JSON (5.1); 503 before the first one is loaded"),
    API("/ws/v1/config/history", yk__get_config_history, 0, "400, 503",
        "what became active, what was refused and why (5.3); `limit`"),
    API("/ws/v1/config/history/:id", yk__get_config_history_text, 0, "400, 404, 503",
        "the YAML of one of these (5.3)"),
    {.method = YK_METHOD_POST,
     .pattern = "/ws/v1/validate-conf",
     .check = yk__check_validate,
     .work = yk__post_validate,
     .body_max = YK_REST_CONFIG_MAX,
     .on_io = true,
     .variant_key = "diff",
     .is_api = true,
     DOC(4, "413, 503", "verdict about a configuration (5.2)")},
    {.method = YK_METHOD_POST,
     .pattern = "/ws/v1/validate-conf?diff=1",
     .access_path = "/ws/v1/whatif", /* its answer shows the same */
     .check = yk__check_validate_diff,
     .work = yk__post_validate_diff,
     .finish = yk__finish_validate_diff,
     .body_max = YK_REST_CONFIG_MAX,
     .guard = YK_GUARD_LOCAL,
     .is_costly = true,
     .is_api = true,
     DOC(4, "400, 401, 403, 404, 409, 413, 500, 501, 503",
         "the same, and what the configuration would change now (5.2)")},
    API("/ws/v1/history/apps", yk__get_app_history, 5, "", "list of AppHistory"),
    API("/ws/v1/history/containers", yk__get_container_history, 6, "", "list of ContainerHistory"),
    API("/ws/v1/partitions", yk__get_partitions, 7, "", "list of Partition (3)"),
    API(PARTITION "/placementrules", yk__get_placement_rules, 8, "404", "list of Rule (3)"),
    LIST_OF_QUEUES(PARTITION "/queues", yk__get_queue_tree, 9, "404",
                   "one Queue (3): the root with the whole tree"),
    LARGE_OF_QUEUE(QUEUE, yk__get_queue, 10, "400, 404",
                   "Queue; with the key `subtree` in the query (any value) all below it"),
    LIST(PARTITION "/nodes", yk__get_nodes, 11, "404", "list of Node (4)"),
    API(PARTITION "/node/:node", yk__get_node, 12, "404", "Node"),
    OF_QUEUE(QUEUE "/applications", yk__get_queue_apps, true, 13, "400, 404", "list of Application (4)"),
    LARGE_OF_QUEUE(QUEUE "/application/:application", yk__get_queue_app, 14, "400, 404", "Application"),
    LARGE_OF_QUEUE(PARTITION "/application/:application", yk__get_app, 15, "404", "Application"),
    LIST_OF_QUEUES(PARTITION "/applications/:state", yk__get_apps_by_state, 16, "400, 404",
                   "list of Application"),
    OF_QUEUE(QUEUE "/applications/:state", yk__get_queue_apps_by_state, true, 17, "400, 404",
             "list of Application"),
    OF_QUEUE(QUEUE "/pending", yk__get_queue_pending, true, 0, "400, 404",
             "what waits there or below, and why (12.6); `limit`, `offset`, `order`, `reason`, `filter`"),
    OF_QUEUE(PARTITION "/application/:application/pending", yk__get_app_pending, true, 0, "400, 404",
             "what waits of it, and why (12.6); `limit`, `offset`, `reason`, `filter`"),
    OF_QUEUE(PARTITION "/application/:application/allocation/:key/explain", yk__get_explanation, false, 0,
             "404", "why one ask waits (12.6)"),
    OF_QUEUE(PARTITION "/application/:application/timeline", yk__get_timeline, false, 0, "404",
             "what happened to it (12.6)"),
    LIST_OF_QUEUES(PARTITION "/preemptions", yk__get_preemptions, 0, "400, 404",
                   "the last preempted pods (12.6); `limit`, `offset`"),
    LIST(PARTITION "/usage/users", yk__get_users_usage, 18, "", "list of UserUsage (4)"),
    LIST(PARTITION "/usage/user/:user", yk__get_user_usage, 19, "400, 404", "UserUsage"),
    LIST(PARTITION "/usage/groups", yk__get_groups_usage, 20, "", "list of GroupUsage (4)"),
    LIST(PARTITION "/usage/group/:group", yk__get_group_usage, 21, "400, 404", "GroupUsage"),
    API("/ws/v1/scheduler/healthcheck", yk__get_health, 24, "404", "Health (6)"),
    LIST("/ws/v1/scheduler/node-utilizations", yk__get_node_utilizations, 25, "",
         "list of NodeUtilization (4)"),
    LIST("/ws/v1/events/batch", yk__get_event_batch, 22, "400, 500", "EventBatch (7.2); `count`, `start`"),
    {.method = YK_METHOD_GET,
     .pattern = "/ws/v1/events/stream",
     .work = yk__get_event_stream,
     .is_api = true,
     .is_stream = true,
     DOC(23, "400, 500, 503", "lines of JSON without end (7.3); `count`")},
    METRICS("/metrics", 2, "", "as `/ws/v1/metrics`"),
    SLIS("/ws/v1/metrics/slis", 0, "",
         "results of health checks, as components of Kubernetes have them (10.3)"),
    SLIS("/metrics/slis", 0, "", "the same"),
    RESOURCES("/ws/v1/metrics/resources", 0, "404",
              "requests and limits of each pod, as kube-scheduler has them (10.5); 404 without the setting "
              "`metrics.pods`"),
    RESOURCES("/metrics/resources", 0, "404", "the same"),
    {.method = YK_METHOD_GET,
     .pattern = "/debug/fullstatedump",
     .work = yk__get_state_dump,
     .shape = yk__shape_state_dump,
     .is_api = true,
     .is_long = true,
     DOC(27, "", "the state of everything (12.2)")},
    {.method = YK_METHOD_GET,
     .pattern = "/ws/v1/fullstatedump",
     .work = yk__get_old_state_dump,
     .on_io = true,
     DOC(27, "", "301 to `/debug/fullstatedump`")},
    {.method = YK_METHOD_GET,
     .pattern = "/debug/stack",
     .work = yk__get_stack,
     .on_io = true,
     .is_api = true,
     DOC(26, "503", "text: the stacks of all threads (8)")},
    {.method = YK_METHOD_GET,
     .pattern = "/ws/v1/stack",
     .work = yk__get_old_stack,
     .on_io = true,
     DOC(29, "", "301 to `/debug/stack`")},
    {.method = YK_METHOD_GET,
     .pattern = "/debug/pprof/",
     .work = yk__get_pprof_index,
     .on_io = true,
     DOC(28, "", "text: the profiles (8)")},
    {.method = YK_METHOD_GET,
     .pattern = "/debug/pprof",
     .work = yk__get_pprof_index,
     .on_io = true,
     DOC(28, "", "as `/debug/pprof/`")},
    {.method = YK_METHOD_GET,
     .pattern = "/debug/pprof/cmdline",
     .work = yk__get_cmdline,
     .on_io = true,
     DOC(28, "", "arguments of the process (8)")},
    {.method = YK_METHOD_GET,
     .pattern = "/debug/pprof/profile",
     .check = yk__write_profile,
     .work = yk__get_profile,
     DOC(28, "400, 503", "processor profile for pprof (8); `seconds`")},
    {.method = YK_METHOD_GET,
     .pattern = "/debug/pprof/:check",
     .work = yk__get_pprof_other,
     .on_io = true,
     DOC(28, "404, 501", "profiles without a counterpart here (8)")},
    {.method = YK_METHOD_DELETE,
     .pattern = PARTITION "/application/:application",
     .work = yk__delete_app,
     .guard = YK_GUARD_CALLER,
     .is_api = true,
     DOC(0, "401, 403, 404, 409, 503", "kills it (12.4)")},
    {.method = YK_METHOD_PUT,
     .pattern = PARTITION "/application/:application/queue",
     .work = yk__put_app_queue,
     .body_max = YK_REST_MOVE_MAX,
     .guard = YK_GUARD_CALLER,
     .is_api = true,
     DOC(0, "400, 401, 403, 404, 409, 413, 422, 503", "moves it (12.4)")},
    {.method = YK_METHOD_POST,
     .pattern = "/ws/v1/whatif",
     .work = yk__post_whatif,
     .finish = yk__finish_whatif,
     .body_max = YK_REST_WHATIF_MAX,
     .guard = YK_GUARD_LOCAL,
     .is_costly = true,
     .is_api = true,
     DOC(0, "400, 401, 403, 404, 409, 413, 500, 503",
         "what would happen if: [What would happen if](../whatif.md)")},
    {.method = YK_METHOD_GET,
     .pattern = "/ws/v1/recording",
     .work = yk__get_recording,
     .guard = YK_GUARD_SCHEDULER,
     .is_api = true,
     DOC(0, "401, 403, 501, 503", "whether the scheduler is recorded (12.8)")},
    {.method = YK_METHOD_POST,
     .pattern = "/ws/v1/recording",
     .work = yk__post_recording,
     .guard = YK_GUARD_SCHEDULER,
     .is_api = true,
     DOC(0, "401, 403, 409, 501, 503", "restarts the scheduler, which is recorded then (12.8), 202")},
    {.method = YK_METHOD_DELETE,
     .pattern = "/ws/v1/recording",
     .work = yk__delete_recording,
     .guard = YK_GUARD_SCHEDULER,
     .is_api = true,
     DOC(0, "401, 403, 404, 501, 503", "ends the recording (12.8)")},
    {.method = YK_METHOD_GET,
     .pattern = "/ws/v1/recording/file",
     .work = yk__get_recording_file,
     .rest = yk__read_recording_file,
     .guard = YK_GUARD_SCHEDULER,
     .is_api = true,
     .is_long = true,
     DOC(0, "401, 403, 404, 501, 503", "the recording so far, compressed with gzip (12.8)")},
    {.method = YK_METHOD_PUT,
     .pattern = "/ws/v1/loglevel/:level",
     .work = yk__put_log_level,
     .guard = YK_GUARD_SCHEDULER,
     .is_api = true,
     DOC(0, "400, 401, 403, 404, 503", "sets levels of the log (12.4); `logger`, `for`")},
    {.method = YK_METHOD_PUT,
     .pattern = "/ws/v1/config",
     .check = yk__check_put_config,
     .work = yk__put_config,
     .body_max = YK_REST_CONFIG_MAX,
     .guard = YK_GUARD_SCHEDULER,
     .is_api = true,
     DOC(0, "400, 401, 403, 409, 413, 422, 503", "keeps a configuration (12.4), 202")},
    PROBE("/livez", 0, "500", "probe: the process works (12.3); `verbose`, `exclude`"),
    PROBE("/livez/:check", 0, "404, 500", "one check of `/livez`"),
    PROBE("/readyz", 0, "500", "probe: it schedules (12.3); `verbose`, `exclude`"),
    PROBE("/readyz/:check", 0, "404, 500", "one check of `/readyz`"),
    PROBE("/healthz", 0, "500", "old name of `/livez`"),
    PROBE("/healthz/:check", 0, "404, 500", "one check of it"),
    API("/configz", yk__get_configz, 0, "503", "the settings in effect, and where they come from (12.7)"),
    {.method = YK_METHOD_GET,
     .pattern = "/statusz",
     .work = yk__get_statusz,
     .on_io = true,
     DOC(0, "", "text: version, age, checks, paths (12.7)")},
    {.method = YK_METHOD_GET,
     .pattern = "/flagz",
     .work = yk__get_flagz,
     .on_io = true,
     DOC(0, "", "text: the flags that the process was started with (12.7)")},
    {.method = YK_METHOD_GET,
     .pattern = "/",
     .work = yk__get_root,
     .on_io = true,
     .is_public = true,
     DOC(0, "",
         "the web page for browsers (1.9), for others a text that names useful paths; `portWeb` of the chart "
         "leads here, too")},
    PAGE_FILE("/ui/app.js", 0, "", "file of the web page (1.9)"),
    PAGE_FILE("/ui/app.css", 0, "", "file of the web page"),
    PAGE_FILE("/ui/icon.svg", 0, "", "file of the web page"),
    PAGE_FILE("/ui/licenses.txt", 0, "", "file of the web page"),
    {.method = YK_METHOD_GET,
     .pattern = "/ui/mode",
     .work = yk__get_page_mode,
     .on_io = true,
     .is_public = true,
     DOC(0, "", "`{\"simulated\": false}`")},
    {.method = YK_METHOD_GET,
     .pattern = "/sim/v1/state",
     .work = yk__get_simulation_state,
     DOC(0, "404", "only with `yunikorn simulate --web` ([Scenarios](simulate.md#on-a-web-page))")},
    {.method = YK_METHOD_POST,
     .pattern = "/sim/v1/clock",
     .work = yk__post_simulation_clock,
     .body_max = YK_REST_SIMULATION_MAX,
     .wants_json = true,
     DOC(0, "400, 404, 413, 415", "the same")},
    {.method = YK_METHOD_POST,
     .pattern = "/sim/v1/steps",
     .work = yk__post_simulation_steps,
     .body_max = YK_REST_SIMULATION_MAX,
     .wants_json = true,
     DOC(0, "400, 404, 413, 415", "the same")},
    {.method = YK_METHOD_GET,
     .pattern = "/openapi.yaml",
     .work = yk__get_openapi,
     .on_io = true,
     DOC(0, "", "this API in the form of OpenAPI 3.0: [openapi.yaml](openapi.yaml)")},
    {.method = YK_METHOD_GET,
     .pattern = "/version",
     .work = yk__get_version,
     .on_io = true,
     DOC(0, "", "`version`, `revision`, `compiler`")},
};

const size_t yk_route_count = YK_COUNT(yk_routes);
