/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All metrics, one row each. There is no include guard: the file is included more than once, each time with
 * ROW defined.
 *
 *   ROW(origin, symbol, type, name, labels, series, help)
 *
 * origin: the code that writes the lines of the metric, on the I/O thread except for kube_pod_resource_...
 *   CORE     yk__metric_<symbol>(lines, core) in core/web/metrics_*.c, from a copy of the core's counters
 *   NODE     yk__metric_<symbol>(lines, counts) in core/web/metrics_nodes.c
 *   QUEUE    yk__metric_<symbol>(lines, sums) in core/web/metrics_*.c, called once per queue
 *   SERVER   core/web/server_stats.c, handle_slis.c
 *   PROCESS  core/web/process_metrics.c
 *   CLIENT   k8s-shim/client
 *   SHIM     k8s-shim/shim, predicates, app
 *   PROGRAM  cmd/scheduler_metrics.c
 * symbol: the row is the constant yk_metric_<symbol> (metric.h).
 * type: COUNTER, GAUGE or HISTOGRAM.
 * labels, series: for docs/reference/rest.md: the labels with their values, and how many series there can be.
 * help: the sentence of # HELP, also for docs/reference/rest.md.
 *
 * Names, types and buckets of the rows that Apache YuniKorn 1.9 has are fixed.
 * The table of docs/reference/rest.md is printed from these rows (test/unit/docs/tables.sh).
 * Source: docs/reference/rest.md, sections 10 and 12.1.
 */
/* clang-format off */

/* ---- the scheduler ---- */
ROW(CORE, container_attempts, COUNTER, "yunikorn_scheduler_container_allocation_attempt_total",
    "`state` allocated, error, rejected, released", "4", "Attempts to allocate containers, by outcome.")
ROW(CORE, app_submissions, COUNTER, "yunikorn_scheduler_application_submission_total",
    "`result` accepted, new, rejected", "3", "Applications submitted, by result.")
ROW(CORE, app_states, GAUGE, "yunikorn_scheduler_application_total",
    "`state` completed, completing, failed, failing, resuming, running", "6",
    "Applications by state; completed and failed only rise.")
ROW(NODE, nodes, GAUGE, "yunikorn_scheduler_node",
    "`state` active, decommissioned, draining, failed", "4",
    "Nodes by state; decommissioned and failed only rise.")
ROW(NODE, node_usage, GAUGE, "yunikorn_scheduler_<resource>_node_usage_total",
    "`range` `[0,10%]` to `(90%,100%]`", "10 per resource type", "Nodes by the part of the resource in use.")
ROW(CORE, resource_types, GAUGE, "yunikorn_scheduler_resource_types", "", "1",
    "Resource types that nodes, queues or pods name.")
ROW(CORE, resource_types_limit, GAUGE, "yunikorn_scheduler_resource_types_limit", "", "1",
    "Resource types there can be; further ones are left out.")
ROW(CORE, scheduling_latency, HISTOGRAM, "yunikorn_scheduler_scheduling_latency_milliseconds", "", "1",
    "Time of one scheduling pass, divided by its decisions, in seconds.")
ROW(CORE, scheduling_cycle, HISTOGRAM, "yunikorn_scheduler_scheduling_cycle_milliseconds", "", "1",
    "Time of a pass over all partitions, in seconds.")
ROW(CORE, trynode, HISTOGRAM, "yunikorn_scheduler_trynode_latency_milliseconds", "", "1",
    "Time for the node that took an ask, in seconds.")
ROW(CORE, trynode_evaluation, HISTOGRAM, "yunikorn_scheduler_trynode_evaluation_milliseconds", "", "1",
    "Time of the search for a node, in seconds.")
ROW(CORE, trypreemption, HISTOGRAM, "yunikorn_scheduler_trypreemption_latency_milliseconds", "", "1",
    "Time of a preemption attempt, in seconds.")
ROW(CORE, node_sorting, HISTOGRAM, "yunikorn_scheduler_node_sorting_latency_milliseconds",
    "`level` app, queue", "2", "Time to the first application or queue in order, in seconds.")
ROW(CORE, pod_scheduling, HISTOGRAM, "yunikorn_scheduler_pod_scheduling_duration_seconds",
    "`queue_class` best_effort, guaranteed: the queue, or one above it, has a guarantee", "2",
    "Time from the creation of a pod to the decision on its node.")
ROW(CORE, schedule_attempts, COUNTER, "yunikorn_scheduler_schedule_attempts_total",
    "`result` error, scheduled, unschedulable", "3", "Attempts to schedule a pod, by result.")
ROW(CORE, attempt_duration, HISTOGRAM, "yunikorn_scheduler_attempt_duration_seconds",
    "`result` scheduled, unschedulable", "2",
    "Time of an attempt of the regular walk, from the choice of the queue to the decision.")
ROW(CORE, algorithm_duration, HISTOGRAM, "yunikorn_scheduler_algorithm_duration_seconds", "", "1",
    "Time of the search for a node.")
ROW(CORE, pod_attempts, HISTOGRAM, "yunikorn_scheduler_pod_scheduling_attempts", "", "1",
    "Attempts until a pod got its node.")
ROW(CORE, incoming_pods, COUNTER, "yunikorn_incoming_pods_total",
    "`event` added, gang, headroom, limit, node, placeholder", "6",
    "Pods that are to be tried: new ones, and those that waited for what the event names.")
ROW(CORE, preemption_attempts, COUNTER, "yunikorn_preemption_attempts_total",
    "`kind` daemonset, gang, guarantee, quota", "4",
    "Attempts to preempt. Only those for a guarantee can fail and are counted nevertheless.")
ROW(CORE, preemption_victims, HISTOGRAM, "yunikorn_preemption_victims",
    "`kind` daemonset, gang, guarantee, quota", "4", "Pods that had to end in one attempt that succeeded.")
ROW(CORE, gang_wait, HISTOGRAM, "yunikorn_gang_wait_seconds", "", "1",
    "Time from the first allocated placeholder of a gang to the last one.")
ROW(CORE, inconsistencies, COUNTER, "yunikorn_inconsistencies_total",
    "`check` negative_node, negative_partition, no_allocation, no_object, node_sum, orphan_on_application, orphan_on_node, partition_sum",
    "8", "Health checks of the own state that failed. Above 0: report a bug.")
ROW(CORE, build_info, GAUGE, "yunikorn_build_info", "`compiler`, `revision`, `version`", "1",
    "What this binary is; always 1.")
ROW(CORE, config_reloads, COUNTER, "yunikorn_config_reloads_total", "`result` accepted, refused", "2",
    "Queue configurations seen, by result.")
ROW(CORE, config_success, GAUGE, "yunikorn_config_last_success_timestamp_seconds", "", "1",
    "When the queue configuration in force was loaded.")
ROW(CORE, config_info, GAUGE, "yunikorn_config_info", "`checksum` (SHA-256 of queues.yaml), `policy_group`",
    "1", "The queue configuration in force; always 1.")
ROW(CORE, events_dropped, COUNTER, "yunikorn_event_dropped_total", "`stage` resource_manager", "1",
    "Events that a receiver had no room for; Kubernetes Events are in yunikorn_kubernetes_events_total.")
ROW(CORE, events_created, GAUGE, "yunikorn_event_total_created", "", "1", "Events recorded.")
ROW(CORE, events_channeled, GAUGE, "yunikorn_event_total_channeled", "", "1",
    "Events sent to the buffer: all that were recorded.")
ROW(CORE, events_not_channeled, GAUGE, "yunikorn_event_total_not_channeled", "", "1",
    "Events lost before the buffer: always 0.")
ROW(CORE, events_processed, GAUGE, "yunikorn_event_total_processed", "", "1",
    "Events that reached the buffer: all that were recorded.")
ROW(CORE, events_stored, GAUGE, "yunikorn_event_total_stored", "", "1",
    "Events kept for the resource manager.")
ROW(CORE, events_not_stored, GAUGE, "yunikorn_event_total_not_stored", "", "1",
    "Events that the resource manager has no room for.")
ROW(CORE, events_collected, GAUGE, "yunikorn_event_total_collected", "", "1",
    "Events handed to the resource manager.")

ROW(CORE, user_resource, GAUGE, "yunikorn_user_resource",
    "`queue`, `resource`, `state` max, used, `user`", "2,000 users and queues, per resource type",
    "What users use in a queue and the queues below it, and their limits there, for the `metrics.users` users that use most.")
ROW(CORE, group_resource, GAUGE, "yunikorn_group_resource",
    "`group`, `queue`, `resource`, `state` max, used", "2,000 groups and queues, per resource type",
    "What groups that limits name use in a queue and the queues below it, and their limits there.")

/* ---- queues ---- */
ROW(QUEUE, queue_app, GAUGE, "yunikorn_queue_app",
    "`queue`, `state` of the application", "10 per queue",
    "Applications of a queue by state; rejected, failed and completed only rise.")
ROW(QUEUE, queue_app_total, COUNTER, "yunikorn_queue_app_total",
    "`queue`, `state` completed, failed, rejected", "3 per queue", "Applications of a queue that ended.")
ROW(QUEUE, queue_resource, GAUGE, "yunikorn_queue_resource",
    "`queue`, `resource`, `state` allocated, guaranteed, max, maxRunningApps, pending, preempting",
    "5 per queue and resource type",
    "Resources of a queue in thousandths of a core, bytes and numbers.")
ROW(QUEUE, queue_container_total, COUNTER, "yunikorn_queue_container_total",
    "`queue`, `state` allocated, released", "2 per queue", "Containers of a queue.")
ROW(QUEUE, pending_pods, GAUGE, "yunikorn_pending_pods",
    "`queue`, `status` active, backoff, other, quota, unschedulable", "5 per leaf",
    "Pending pods of a leaf by what they wait for: to be tried, the end of a pause, a placeholder or their only node, a limit, a node.")
ROW(QUEUE, queue_draining, GAUGE, "yunikorn_queue_draining_since_seconds", "`queue`",
    "1 per queue that drains", "When a queue that drains began to, in seconds since the epoch.")
ROW(QUEUE, queue_headroom, GAUGE, "yunikorn_queue_headroom", "`queue`, `resource`",
    "1 per queue and resource type that a maximum names",
    "What a queue may still take, by the limits of its whole path.")
ROW(QUEUE, pending_applications, GAUGE, "yunikorn_pending_applications",
    "`queue`, `reason` ([reasons](../reasons.md))", "18 per leaf",
    "Applications of a leaf that wait, by reason.")
ROW(QUEUE, preempted_pods, COUNTER, "yunikorn_preempted_pods_total",
    "`preempting_queue`, `reason` daemonset, gang, guarantee, quota", "4 per queue",
    "Pods that had to end, by the queue for which they did.")
ROW(QUEUE, evicted_pods, COUNTER, "yunikorn_evicted_pods_total",
    "`queue`, `reason` daemonset, gang, guarantee, quota", "4 per leaf",
    "Pods of a queue that had to end for others.")
ROW(QUEUE, queue_fair_share, GAUGE, "yunikorn_queue_fair_share_ratio", "`queue`", "1 per queue",
    "Share by which a queue is ordered among its siblings; above 1 it uses more than its guarantee.")
ROW(QUEUE, queue_status, GAUGE, "yunikorn_queue_status", "`queue`, `status` active, draining, stopped",
    "3 per queue", "1 for the status of the queue, 0 for the others.")
ROW(QUEUE, queue_wait, HISTOGRAM, "yunikorn_queue_wait_seconds",
    "`queue`, `stage` accepted, first_allocation, gang_ready, running", "4 per leaf",
    "Time from the submission of an application to a stage.")
ROW(QUEUE, queue_container, COUNTER, "yunikorn_<queue path>_queue_container",
    "`state` allocated, released", "2 per queue", "Containers of the queue.")

/* ---- the REST server ---- */
ROW(SERVER, rest_requests, COUNTER, "yunikorn_rest_requests_total", "`code`, `route`",
    "22 per path of REST", "Requests answered, by route and status code.")
ROW(SERVER, rest_duration, HISTOGRAM, "yunikorn_rest_request_duration_seconds", "`route`",
    "1 per path of REST", "Time from a request to its answer, or to the first piece of it.")
ROW(SERVER, rest_thread_seconds, COUNTER, "yunikorn_rest_scheduling_thread_seconds_total", "", "1",
    "Processor time of the scheduling thread that went into answers.")
ROW(SERVER, event_streams, GAUGE, "yunikorn_event_streams", "", "1", "Open streams of events.")
ROW(SERVER, scrapes_in_flight, GAUGE, "promhttp_metric_handler_requests_in_flight", "", "1",
    "Current number of scrapes being served.")
ROW(SERVER, scrapes, COUNTER, "promhttp_metric_handler_requests_total", "`code` 200, 500, 503", "3",
    "Total number of scrapes by HTTP status code.")

ROW(SERVER, healthcheck, GAUGE, "kubernetes_healthcheck",
    "`name` of a check, `type` healthz, livez, readyz", "3 per check",
    "Result of a health check when a probe asked last: 1 passed, 0 failed. Only at `/metrics/slis`.")
ROW(SERVER, healthchecks, COUNTER, "kubernetes_healthchecks_total",
    "`name` of a check, `status` error, success, `type` healthz, livez, readyz", "6 per check",
    "Results of health checks. Only at `/metrics/slis`.")

/* ---- the process ---- */
ROW(PROCESS, process_cpu, COUNTER, "process_cpu_seconds_total", "", "1",
    "Total user and system CPU time spent in seconds.")
ROW(PROCESS, process_resident, GAUGE, "process_resident_memory_bytes", "", "1",
    "Resident memory size in bytes.")
ROW(PROCESS, process_virtual, GAUGE, "process_virtual_memory_bytes", "", "1",
    "Virtual memory size in bytes.")
ROW(PROCESS, process_virtual_max, GAUGE, "process_virtual_memory_max_bytes", "", "1",
    "Maximum amount of virtual memory available in bytes.")
ROW(PROCESS, process_start, GAUGE, "process_start_time_seconds", "", "1",
    "Start time of the process since unix epoch in seconds.")
ROW(PROCESS, process_open_fds, GAUGE, "process_open_fds", "", "1", "Number of open file descriptors.")
ROW(PROCESS, process_max_fds, GAUGE, "process_max_fds", "", "1",
    "Maximum number of open file descriptors.")
ROW(PROCESS, process_received, COUNTER, "process_network_receive_bytes_total", "", "1",
    "Bytes received over the network.")
ROW(PROCESS, process_transmitted, COUNTER, "process_network_transmit_bytes_total", "", "1",
    "Bytes sent over the network.")
ROW(PROCESS, threads, GAUGE, "yunikorn_threads", "`role` config, io, names, other, scheduling", "5",
    "Threads of the process.")
ROW(PROCESS, thread_cpu, COUNTER, "yunikorn_thread_cpu_seconds_total",
    "`role` config, io, names, other, scheduling", "5", "CPU time of the threads in seconds.")
ROW(PROCESS, log_dropped, COUNTER, "yunikorn_log_lines_dropped_total", "", "1",
    "Lines of the log that standard output did not take.")
ROW(PROCESS, assertion_failures, COUNTER, "yunikorn_scheduler_assertion_failures_total", "", "1",
    "Broken invariants that the scheduler has met and passed by. Above 0: report a bug.")

/* ---- the client of the API server ---- */
ROW(CLIENT, api_requests, COUNTER, "yunikorn_api_requests_total",
    "`code` (0: no answer), `resource` (`pods`, `pods/binding`), `verb` as in RBAC", "257; further ones are `other`",
    "Requests to the API server; code 0: no answer. A watch counts when it ends.")
ROW(CLIENT, api_duration, HISTOGRAM, "yunikorn_api_request_duration_seconds", "`resource`, `verb`", "64; further ones are `other`",
    "Time to the end of an answer of the API server; without watches.")

ROW(CLIENT, api_throttle, HISTOGRAM, "yunikorn_api_throttle_seconds", "", "1",
    "Time that writes waited because of kubernetes.qps.")
ROW(CLIENT, watch_restarts, COUNTER, "yunikorn_watch_restarts_total",
    "`reason` closed, cut, expired, refused, short, throttled, unreachable, unreadable; `resource`", "120",
    "Watches and lists that were started again; closed is normal.")
ROW(CLIENT, watch_last_event, GAUGE, "yunikorn_watch_last_event_timestamp_seconds", "`resource`", "15",
    "When a watch last had an object or a bookmark.")

/* ---- bindings, and the program around ---- */
ROW(SHIM, bind_duration, HISTOGRAM, "yunikorn_bind_duration_seconds", "`result` bound, failed", "2",
    "Time from the request for a binding to its answer.")
ROW(SHIM, volume_bind_duration, HISTOGRAM, "yunikorn_volume_bind_duration_seconds", "`result` bound, failed", "2",
    "Time until all volume claims of a pod were bound, or were given up.")
ROW(SHIM, predicate_duration, HISTOGRAM, "yunikorn_predicate_duration_seconds",
    "`predicate`, a plugin of kube-scheduler; `volumes` stands for those about volumes", "9",
    "Time of a filter for a pod and a node, sampled.")
ROW(SHIM, predicate_evaluations, COUNTER, "yunikorn_predicate_evaluations_total",
    "`predicate` as above, `result` passed, refused", "18",
    "Runs of filters for a pod and a node, estimated from samples. Stored answers are not counted.")
ROW(SHIM, pod_resource_request, GAUGE, "kube_pod_resource_request",
    "`namespace`, `node`, `pod`, `priority`, `resource`, `scheduler`, `unit` bytes, cores, integer", "1 per pod and resource",
    "Resources that a pod requests. Only at `/metrics/resources`, with the setting `metrics.pods`.")
ROW(SHIM, pod_resource_limit, GAUGE, "kube_pod_resource_limit", "the same", "1 per pod and resource",
    "Limits of a pod. Only at `/metrics/resources`, with the setting `metrics.pods`.")
ROW(PROGRAM, leader, GAUGE, "yunikorn_leader", "", "1",
    "1: this replica schedules, also without an election; 0: it is a standby.")
ROW(PROGRAM, mailbox_depth, GAUGE, "yunikorn_mailbox_depth", "`queue` config, io, scheduling", "3",
    "Commands that wait for a thread.")
ROW(PROGRAM, cache_size, GAUGE, "yunikorn_cache_size", "`type` applications, classes, nodes, own_pods, pods", "5",
    "Objects that are kept in memory.")
ROW(PROGRAM, binds, GAUGE, "yunikorn_binds", "`state` in_flight, waiting", "2",
    "Bindings that wait for their turn, and those that wait for the answer of the API server.")
ROW(PROGRAM, unschedulable_pods, GAUGE, "yunikorn_unschedulable_pods",
    "`predicate`, a plugin of kube-scheduler, `Reserved` or `Other`", "15",
    "Pods that no node takes, by the filters that refuse nodes; a pod can count in several.")
ROW(PROGRAM, kubernetes_events, COUNTER, "yunikorn_kubernetes_events_total", "`result` dropped, sent", "2",
    "Kubernetes Events by what became of them.")
ROW(PROGRAM, conditions_written, COUNTER, "yunikorn_pod_conditions_written_total", "", "1",
    "Conditions of pods that were written.")
/* clang-format on */
