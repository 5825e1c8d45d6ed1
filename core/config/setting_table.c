/* SPDX-License-Identifier: Apache-2.0 */
#include "config/setting_table.h"

#include "base/clock.h"
#include "config/settings.h"

#define SECONDS(n) ((n)*YK_NS_PER_S)
#define AT(member) .offset = offsetof(struct yk_settings, member)

#define STRICT  .severity = YK_SETTING_STRICT
#define LENIENT .severity = YK_SETTING_LENIENT
#define RESTART .effect = YK_SETTING_AT_RESTART
#define AT_ONCE .effect = YK_SETTING_AT_ONCE

#define TEXT(of)        .kind = YK_SETTING_TEXT, .text = (of)
#define BOOL(of)        .kind = YK_SETTING_BOOL, .number = (of)
#define INT(of)         .kind = YK_SETTING_INT, .number = (of)
#define DURATION(of)    .kind = YK_SETTING_DURATION, .number = (of)
#define RANGE(from, to) .min = (from), .max = (to)

#define INSTANCE_TYPE "node.kubernetes.io/instance-type"

const struct yk_setting yk_setting_rows[] = {
    {"service.clusterId", TEXT("mycluster"), STRICT, RESTART, AT(cluster_id),
     .help = "Name of the cluster in REST."},
    {"service.policyGroup", TEXT("queues"), STRICT, RESTART, AT(policy_group),
     .help = "The entry of this name with the suffix `.yaml` is the queue configuration."},
    {"service.schedulingInterval", DURATION(SECONDS(1)), STRICT, RESTART, AT(scheduling_interval_ns),
     .help = "Accepted, but has no effect: events start the scheduling."},
    {"service.volumeBindTimeout", DURATION(SECONDS(600)), STRICT, RESTART, AT(volume_bind_timeout_ns),
     .help = "How long a pod waits for its volumes before it is scheduled again."},
    {"service.eventChannelCapacity", INT(1 << 20), STRICT, RESTART, AT(event_channel_capacity),
     RANGE(0, INT32_MAX), .unit = "events",
     .help = "Accepted, but has no effect: queues between threads have no fixed capacity."},
    {"service.dispatchTimeout", DURATION(SECONDS(300)), STRICT, RESTART, AT(dispatch_timeout_ns),
     .help = "Accepted, but has no effect: there are no time-outs between threads."},
    {"service.disableGangScheduling", BOOL(false), STRICT, RESTART, AT(disable_gang),
     .help = "`true`: task groups of pods are ignored."},
    {"service.enableConfigHotRefresh", BOOL(true), STRICT, AT_ONCE, AT(enable_hot_refresh),
     .help = "`false`: changed ConfigMaps apply at the next start. Once off, only a restart turns it on."},
    {"service.placeholderImage", TEXT("registry.k8s.io/pause:3.7"), STRICT, RESTART, AT(placeholder_image),
     .help = "Image of the placeholder pods of gangs."},
    {"service.placeholderRunAsUser", INT(0), STRICT, RESTART, AT(placeholder_run_as_user),
     RANGE(0, INT64_MAX), .unit = "user ID", .help = "Security context of placeholder pods; 0: unset."},
    {"service.placeholderRunAsGroup", INT(0), STRICT, RESTART, AT(placeholder_run_as_group),
     RANGE(0, INT64_MAX), .unit = "group ID", .help = "Security context of placeholder pods; 0: unset."},
    {"service.placeholderFsGroup", INT(0), STRICT, RESTART, AT(placeholder_fs_group), RANGE(0, INT64_MAX),
     .unit = "group ID", .help = "Security context of placeholder pods; 0: unset."},
    {"service.nodeInstanceTypeNodeLabelKey", TEXT(INSTANCE_TYPE), STRICT, RESTART, AT(instance_type_label),
     .help = "Another name of `service.instanceTypeNodeLabelKey`, which has precedence."},
    {"service.instanceTypeNodeLabelKey", TEXT(INSTANCE_TYPE), STRICT, RESTART, AT(instance_type_label),
     .help = "Label of nodes that names their instance type."},
    {"service.web.bindHost", TEXT(""), STRICT, RESTART, AT(web_bind_host),
     .help = "Address that REST listens on; empty: all addresses."},
    {"service.web.port", INT(9080), STRICT, RESTART, AT(web_port), RANGE(0, UINT16_MAX),
     .help = "Port that REST listens on."},
    {"service.schedulerACL", TEXT(""), STRICT, AT_ONCE, AT(scheduler_acl),
     .help = "Users and groups that may change everything (queues.md A9); empty: no user."},
    {"service.web.tls.certFile", TEXT(""), STRICT, RESTART, AT(tls_cert_file),
     .help = "PEM file with the certificate of REST; empty: not encrypted. Both files are named, or none. A "
             "changed file applies at once."},
    {"service.web.tls.keyFile", TEXT(""), STRICT, RESTART, AT(tls_key_file),
     .help = "PEM file with its key. A changed file applies at once."},
    {"service.web.tls.selfSigned", BOOL(false), STRICT, RESTART, AT(tls_self_signed),
     .help =
         "`true`: without the two files, the scheduler makes a certificate for "
         "`yunikorn-service.NAMESPACE.svc` and `localhost` at each start, and replaces it after 270 days."},
    {"service.web.tls.clientCaFile", TEXT(""), STRICT, RESTART, AT(tls_client_ca_file),
     .help = "PEM file with the authorities of client certificates; empty: clients are not asked for one. A "
             "changed file applies at once."},
    {"service.web.access", TEXT("none"), STRICT, RESTART, AT(web_access), .choices = {"none", "delegated"},
     .help = "`none`: reads over REST are open, as in YuniKorn 1.9. `delegated`: the API server decides who "
             "may see what (rest.md 12.5)."},
    {"service.web.apiAudiences", TEXT(""), STRICT, RESTART, AT(web_api_audiences),
     .help = "Audiences separated by commas, one of which a bearer token must be for (rest.md 12.4); empty: "
             "the audience of the API server."},
    {"metrics.users", INT(0), LENIENT, AT_ONCE, AT(metric_users), RANGE(0, 500),
     .help = "How many users, and how many groups, `/metrics` shows with what they use: those that use most; "
             "0: none."},
    {"metrics.pods", BOOL(false), LENIENT, AT_ONCE, AT(metric_pods),
     .help = "Whether `/metrics/resources` shows the requests and limits of each pod (rest.md 10.5). Its "
             "size grows with the pods: "
             "about 2 KB per pod."},
    {"service.web.tls.minVersion", TEXT("1.2"), STRICT, RESTART, AT(tls_min_version),
     .choices = {"1.2", "1.3"}, .help = "Oldest version of TLS that REST accepts."},
    {"service.bindHost", TEXT(""), STRICT, RESTART, AT(si_bind_host),
     .help = "The scheduler interface is in this process; a value is accepted with a warning."},
    {"service.port", INT(0), STRICT, RESTART, AT(si_port), RANGE(0, UINT16_MAX),
     .help = "The scheduler interface is in this process; another value is accepted with a warning."},
    {"service.shims", TEXT("kubernetes"), STRICT, RESTART, AT(shims), .choices = {"kubernetes"},
     .help = "The only shim."},
    {"service.trustUserInfo", TEXT("any"), STRICT, RESTART, AT(trust_user_info),
     .choices = {"any", "webhook", "none"},
     .help = "`any`: the user that a pod names counts, as in YuniKorn 1.9. `webhook`: the annotation "
             "`user.info` counts while the webhook of the admission controller guards it. `none`: no pod can "
             "name its user (kubernetes.md, P06)."},
    {"service.maxPlaceholdersPerNamespace", INT(1000), STRICT, RESTART, AT(placeholders_max),
     RANGE(0, INT32_MAX), .unit = "placeholders",
     .help =
         "Most placeholders that the gangs of a namespace have (kubernetes.md, \"Gangs\"); 0: no maximum."},
    {"service.applicationScope", TEXT("namespace"), STRICT, RESTART, AT(application_scope),
     .choices = {"namespace", "cluster"},
     .help =
         "`namespace`: an application ID belongs to the namespace of its first pod (kubernetes.md, "
         "\"Applications and namespaces\"). `cluster`: pods of all namespaces join it, as in YuniKorn 1.9."},
    {"service.maxDecisionsPerWake", INT(0), STRICT, RESTART, AT(max_decisions_per_wake),
     RANGE(0, YK_SETTINGS_DECISIONS_MAX), .unit = "decisions",
     .help =
         "Most decisions before events are handled; 0: as many as fit into a slice of time, 512 at most."},
    {"preemption.minClusterLoad", INT(0), LENIENT, AT_ONCE, AT(preemption_min_load), RANGE(0, 100),
     .unit = "per cent",
     .help = "Nothing is preempted for a guarantee (scheduling.md 6.1) while less than this part of the "
             "cluster is in use, by its dominant resource."},
    {"preemption.checkInterval", DURATION(0), LENIENT, AT_ONCE, AT(preemption_interval_ns),
     RANGE(0, INT64_MAX),
     .help = "Least time between two searches for victims for a guarantee, gangs left out; 0: no pause."},
    {"kubernetes.qps", INT(1000), STRICT, RESTART, AT(kube_qps), RANGE(INT32_MIN, INT32_MAX),
     .unit = "requests per second", .help = "Writes to the API server; reads have no limit."},
    {"kubernetes.burst", INT(1000), STRICT, RESTART, AT(kube_burst), RANGE(INT32_MIN, INT32_MAX),
     .unit = "requests",
     .help = "How many writes to the API server may exceed the rate of `kubernetes.qps` for a moment."},
    {"admissionController.filtering.generateUniqueAppId", BOOL(false), STRICT, RESTART,
     AT(generate_unique_app_id),
     .help = "`true`: pods without an application ID get one of their own. Read by the scheduler and the "
             "admission controller."},
    {"health.checkInterval", DURATION(SECONDS(30)), LENIENT, AT_ONCE, AT(health_interval_ns),
     .help = "Pause between two health checks; 0 or less: off."},
    {"event.trackingEnabled", BOOL(true), LENIENT, AT_ONCE, AT(event_tracking),
     .help = "`true`: events are recorded."},
    {"event.requestCapacity", INT(1000), LENIENT, AT_ONCE, AT(event_request_capacity),
     RANGE(0, YK_SETTINGS_EVENTS_MAX), .zero_is_default = true, .unit = "events",
     .help = "Most events that the core stores until the shim takes them."},
    {"event.ringbufferCapacity", INT(100000), LENIENT, AT_ONCE, AT(event_ring_capacity),
     RANGE(0, YK_SETTINGS_EVENTS_MAX), .zero_is_default = true, .unit = "events",
     .help = "Another name of `event.ringBufferCapacity`, which has precedence."},
    {"event.ringBufferCapacity", INT(100000), LENIENT, AT_ONCE, AT(event_ring_capacity),
     RANGE(0, YK_SETTINGS_EVENTS_MAX), .zero_is_default = true, .unit = "events",
     .help = "Number of recent events that REST can show."},
    {"event.maxStreams", INT(100), LENIENT, AT_ONCE, AT(event_max_streams), RANGE(0, YK_SETTINGS_STREAMS_MAX),
     .unit = "streams", .help = "Clients that follow events at the same time; 0: none."},
    {"event.maxStreamsPerHost", INT(15), LENIENT, AT_ONCE, AT(event_max_streams_per_host),
     RANGE(0, YK_SETTINGS_STREAMS_MAX), .unit = "streams",
     .help = "Clients of one address that follow events at the same time; 0: none."},
    {"event.RESTResponseSize", INT(10000), LENIENT, AT_ONCE, AT(event_rest_response_size),
     RANGE(0, YK_SETTINGS_EVENTS_MAX), .zero_is_default = true, .unit = "events",
     .help = "Most events in one answer of REST."},
};

const size_t yk_setting_row_count = YK_COUNT(yk_setting_rows);
