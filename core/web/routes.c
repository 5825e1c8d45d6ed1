/* SPDX-License-Identifier: Apache-2.0 */
/* Every path there is: docs/reference/rest.md, section 2. The one source for routing, Allow and metric
 * labels. */
#include "web/routes_priv.h"

#define PARTITION "/ws/v1/partition/:partition"
#define QUEUE     PARTITION "/queue/:queue"
#define API(path, handler)                                                                                   \
    {                                                                                                        \
        .method = YK_METHOD_GET, .pattern = (path), .work = (handler), .is_api = true                        \
    }
#define LIST(path, handler)                                                                                  \
    {                                                                                                        \
        .method = YK_METHOD_GET, .pattern = (path), .work = (handler), .is_api = true, .is_long = true,      \
        .is_shared = true                                                                                    \
    }
#define OF_QUEUE(path, handler, long)                                                                        \
    {                                                                                                        \
        .method = YK_METHOD_GET, .pattern = (path), .work = (handler), .is_api = true, .is_long = (long),    \
        .is_shared = (long), .tenant = YK_TENANT_QUEUE                                                       \
    }
#define LIST_OF_QUEUES(path, handler)                                                                        \
    {                                                                                                        \
        .method = YK_METHOD_GET, .pattern = (path), .work = (handler), .is_api = true, .is_long = true,      \
        .is_shared = true, .tenant = YK_TENANT_LIST                                                          \
    }
#define PROBE(path)                                                                                          \
    {                                                                                                        \
        .method = YK_METHOD_GET, .pattern = (path), .work = yk__get_probe, .on_io = true, .is_probe = true   \
    }
#define METRICS(path)                                                                                        \
    {                                                                                                        \
        .method = YK_METHOD_GET, .pattern = (path), .work = yk__get_metrics, .finish = yk__finish_metrics    \
    }
#define PAGE_FILE(path)                                                                                      \
    {                                                                                                        \
        .method = YK_METHOD_GET, .pattern = (path), .work = yk__get_page_file, .on_io = true,                \
        .is_public = true                                                                                    \
    }

const struct yk_route yk_routes[] = {
    API("/ws/v1/clusters", yk__get_clusters),
    METRICS("/ws/v1/metrics"),
    API("/ws/v1/config", yk__get_config),
    {.method = YK_METHOD_POST,
     .pattern = "/ws/v1/validate-conf",
     .check = yk__check_validate,
     .work = yk__post_validate,
     .body_max = YK_REST_CONFIG_MAX,
     .on_io = true,
     .is_api = true},
    API("/ws/v1/history/apps", yk__get_app_history),
    API("/ws/v1/history/containers", yk__get_container_history),
    API("/ws/v1/partitions", yk__get_partitions),
    API(PARTITION "/placementrules", yk__get_placement_rules),
    LIST_OF_QUEUES(PARTITION "/queues", yk__get_queue_tree),
    OF_QUEUE(QUEUE, yk__get_queue, false),
    LIST(PARTITION "/nodes", yk__get_nodes),
    API(PARTITION "/node/:node", yk__get_node),
    OF_QUEUE(QUEUE "/applications", yk__get_queue_apps, true),
    OF_QUEUE(QUEUE "/application/:application", yk__get_queue_app, false),
    OF_QUEUE(PARTITION "/application/:application", yk__get_app, false),
    LIST_OF_QUEUES(PARTITION "/applications/:state", yk__get_apps_by_state),
    OF_QUEUE(QUEUE "/applications/:state", yk__get_queue_apps_by_state, true),
    OF_QUEUE(QUEUE "/pending", yk__get_queue_pending, true),
    OF_QUEUE(PARTITION "/application/:application/pending", yk__get_app_pending, true),
    OF_QUEUE(PARTITION "/application/:application/allocation/:key/explain", yk__get_explanation, false),
    OF_QUEUE(PARTITION "/application/:application/timeline", yk__get_timeline, false),
    LIST_OF_QUEUES(PARTITION "/preemptions", yk__get_preemptions),
    LIST(PARTITION "/usage/users", yk__get_users_usage),
    LIST(PARTITION "/usage/user/:user", yk__get_user_usage),
    LIST(PARTITION "/usage/groups", yk__get_groups_usage),
    LIST(PARTITION "/usage/group/:group", yk__get_group_usage),
    API("/ws/v1/scheduler/healthcheck", yk__get_health),
    LIST("/ws/v1/scheduler/node-utilizations", yk__get_node_utilizations),
    LIST("/ws/v1/events/batch", yk__get_event_batch),
    {.method = YK_METHOD_GET,
     .pattern = "/ws/v1/events/stream",
     .work = yk__get_event_stream,
     .is_api = true,
     .is_stream = true},
    METRICS("/metrics"),
    {.method = YK_METHOD_GET,
     .pattern = "/debug/fullstatedump",
     .work = yk__get_state_dump,
     .shape = yk__shape_state_dump,
     .is_api = true,
     .is_long = true},
    {.method = YK_METHOD_GET,
     .pattern = "/ws/v1/fullstatedump",
     .work = yk__get_old_state_dump,
     .on_io = true},
    {.method = YK_METHOD_GET,
     .pattern = "/debug/stack",
     .work = yk__get_stack,
     .on_io = true,
     .is_api = true},
    {.method = YK_METHOD_GET, .pattern = "/ws/v1/stack", .work = yk__get_old_stack, .on_io = true},
    {.method = YK_METHOD_GET, .pattern = "/debug/pprof/", .work = yk__get_pprof_index, .on_io = true},
    {.method = YK_METHOD_GET, .pattern = "/debug/pprof", .work = yk__get_pprof_index, .on_io = true},
    {.method = YK_METHOD_GET, .pattern = "/debug/pprof/cmdline", .work = yk__get_cmdline, .on_io = true},
    {.method = YK_METHOD_GET,
     .pattern = "/debug/pprof/profile",
     .check = yk__write_profile,
     .work = yk__get_profile},
    {.method = YK_METHOD_GET, .pattern = "/debug/pprof/:check", .work = yk__get_pprof_other, .on_io = true},
    {.method = YK_METHOD_DELETE,
     .pattern = PARTITION "/application/:application",
     .work = yk__delete_app,
     .guard = YK_GUARD_CALLER,
     .is_api = true},
    {.method = YK_METHOD_PUT,
     .pattern = PARTITION "/application/:application/queue",
     .work = yk__put_app_queue,
     .body_max = YK_REST_MOVE_MAX,
     .guard = YK_GUARD_CALLER,
     .is_api = true},
    {.method = YK_METHOD_POST,
     .pattern = "/ws/v1/whatif",
     .work = yk__post_whatif,
     .finish = yk__finish_whatif,
     .body_max = YK_REST_WHATIF_MAX,
     .guard = YK_GUARD_LOCAL,
     .is_costly = true,
     .is_api = true},
    {.method = YK_METHOD_PUT,
     .pattern = "/ws/v1/loglevel/:level",
     .work = yk__put_log_level,
     .guard = YK_GUARD_SCHEDULER,
     .is_api = true},
    {.method = YK_METHOD_PUT,
     .pattern = "/ws/v1/config",
     .check = yk__check_put_config,
     .work = yk__put_config,
     .body_max = YK_REST_CONFIG_MAX,
     .guard = YK_GUARD_SCHEDULER,
     .is_api = true},
    PROBE("/livez"),
    PROBE("/livez/:check"),
    PROBE("/readyz"),
    PROBE("/readyz/:check"),
    PROBE("/healthz"),
    PROBE("/healthz/:check"),
    {.method = YK_METHOD_GET, .pattern = "/", .work = yk__get_root, .on_io = true, .is_public = true},
    PAGE_FILE("/ui/app.js"),
    PAGE_FILE("/ui/app.css"),
    PAGE_FILE("/ui/icon.svg"),
    PAGE_FILE("/ui/licenses.txt"),
    {.method = YK_METHOD_GET,
     .pattern = "/ui/mode",
     .work = yk__get_page_mode,
     .on_io = true,
     .is_public = true},
    {.method = YK_METHOD_GET, .pattern = "/sim/v1/:action", .work = yk__get_simulation},
    {.method = YK_METHOD_POST,
     .pattern = "/sim/v1/:action",
     .work = yk__post_simulation,
     .body_max = YK_REST_SIMULATION_MAX,
     .wants_json = true},
    {.method = YK_METHOD_GET, .pattern = "/openapi.yaml", .work = yk__get_openapi, .on_io = true},
    {.method = YK_METHOD_GET, .pattern = "/version", .work = yk__get_version, .on_io = true},
};

const size_t yk_route_count = YK_COUNT(yk_routes);
