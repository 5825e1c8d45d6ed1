/* SPDX-License-Identifier: Apache-2.0 */
/* Cluster and partition: docs/reference/rest.md, section 3. */
#include "base/version.h"
#include "web/show_priv.h"

#if defined(__x86_64__)
#define MACHINE "amd64"
#elif defined(__aarch64__)
#define MACHINE "arm64"
#else
#define MACHINE "unknown"
#endif

/* The keys are sorted. What the resource manager has not sent is taken from this build, because shim and core
 * are one binary. */
static void show_build(struct yk_json *json, const struct yk_rm *rm)
{
    const struct {
        const char *key, *ours;
    } keys[] = {
        {"arch", MACHINE},        {"buildDate", yk_build_date}, {"buildVersion", yk_version},
        {"coreSHA", yk_revision}, {"goVersion", yk_compiler},   {"rmId", rm->id},
        {"shimSHA", yk_revision}, {"siSHA", yk_revision},
    };
    yk_json_object_begin(json);
    for (size_t i = 0; i < YK_COUNT(keys); i++) {
        const char *told = yk_tags_get(&rm->build_info, keys[i].key);
        yk_json_add_text(json, keys[i].key, told != NULL ? told : keys[i].ours);
    }
    yk_json_object_end(json);
}

void yk__show_cluster(struct yk_json *json, const struct yk_core *core, const struct yk_partition *partition)
{
    const struct yk_rm *rm;
    yk_json_object_begin(json);
    yk__put_int_if(json, "startTime", core->start_wall_ns);
    yk_json_key(json, "rmBuildInformation");
    yk_json_array_begin(json);
    yk_vec_foreach (rm, &core->rms)
        show_build(json, rm);
    yk_json_array_end(json);
    yk_json_add_text(json, "partition", partition->name);
    yk_json_add_text(json, "clusterName", "kubernetes");
    yk_json_object_end(json);
}

static void show_capacity(struct yk_json *json, const struct yk_queue *root)
{
    yk_json_key(json, "capacity");
    yk_json_object_begin(json);
    yk__put_amounts_if(json, "capacity", root->has_max ? &root->max : NULL);
    yk__put_amounts_if(json, "usedCapacity", &root->allocated);
    yk__put_percent_if(json, "utilization", root->has_max ? &root->max : NULL, &root->allocated);
    yk_json_object_end(json);
}

static void show_node_sort(struct yk_json *json, const struct yk_node_order *order)
{
    int types[YK_RESTYPE_MAX], count = yk_resvec_types_by_name(&order->weighted, types);
    yk_json_key(json, "nodeSortingPolicy");
    yk_json_object_begin(json);
    yk_json_add_text(json, "type", yk_node_sort_name(order->sort));
    yk_json_key(json, "resourceWeights");
    yk_json_object_begin(json);
    for (int i = 0; i < count; i++)
        yk_json_add_double(json, yk_restype_name(types[i]), yk_node_order_weight(order, types[i]));
    yk_json_object_end(json);
    yk_json_object_end(json);
}

/* `total` is written even if it is 0: the web UI needs it. */
static void show_app_counts(struct yk_json *json, const struct yk_partition *partition)
{
    static const enum yk_app_state by_name[] = {
        YK_APP_ACCEPTED, YK_APP_COMPLETED, YK_APP_COMPLETING, YK_APP_EXPIRED, YK_APP_FAILED,   YK_APP_FAILING,
        YK_APP_NEW,      YK_APP_REJECTED,  YK_APP_RESUMING,   YK_APP_RUNNING, YK_APP_STARTING,
    };
    YK_STATIC_ASSERT(YK_COUNT(by_name) == YK_APP_STATE_COUNT, "every state is counted");
    int64_t total = 0;
    yk_json_key(json, "applications");
    yk_json_object_begin(json);
    for (size_t i = 0; i < YK_COUNT(by_name); i++) {
        int64_t count = partition->apps_by_state[by_name[i]];
        yk__put_int_if(json, yk_app_state_name(by_name[i]), count);
        total += count;
    }
    yk_json_add_int(json, "total", total);
    yk_json_object_end(json);
}

void yk__show_partition(struct yk_json *json, const struct yk_partition *partition)
{
    yk_json_object_begin(json);
    yk_json_add_text(json, "clusterId", partition->rm->id);
    yk_json_add_text(json, "name", partition->name);
    show_capacity(json, partition->root);
    show_node_sort(json, &partition->node_order);
    yk_json_add_bool(json, "preemptionEnabled", partition->preemption_enabled);
    yk_json_add_bool(json, "quotaPreemptionEnabled", partition->quota_preemption_enabled);
    yk_json_add_int(json, "totalNodes", partition->node_count);
    show_app_counts(json, partition);
    yk__put_uint_if(json, "totalContainers", partition->allocation_count);
    yk__put_text_if(json, "state", yk_object_state_name(partition->state));
    yk__put_int_if(json, "lastStateTransitionTime", partition->state_wall_ns);
    yk_json_object_end(json);
}
