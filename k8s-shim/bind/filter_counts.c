/* SPDX-License-Identifier: Apache-2.0 */
#include "bind/filter_counts.h"

static const char *const names[] = {
    "NodeResourcesFit",     "NodeUnschedulable", "NodeName",
    "TaintToleration",      "NodeAffinity",      "NodePorts",
    "PodTopologySpread",    "InterPodAffinity",  "VolumeRestrictions",
    "NodeVolumeLimits",     "VolumeBinding",     "VolumeZone",
    "NodeDeclaredFeatures", "Reserved",          "Other",
};
enum { RESOURCES = 0, VOLUMES = 10, OTHER = 14 };
YK_INDEXED_BY(names, YK_FILTERS - 1);

const char *yk_filter_name(int filter)
{
    return names[filter];
}

static uint32_t bit_of(const char *plugin)
{
    for (int i = 0; i < YK_FILTERS; i++) {
        if (strcmp(names[i], plugin) == 0)
            return 1u << i;
    }
    return 1u << OTHER;
}

void yk_filter_take_obstacle(void *context, const struct yk_si_node_obstacle *obstacle)
{
    uint32_t *bits = context;
    *bits |= obstacle->kind == YK_SI_OBSTACLE_RESOURCE ? 1u << RESOURCES : bit_of(obstacle->plugin);
}

uint32_t yk_filter_bit_of_reason(enum yk_si_reason reason)
{
    return 1u << (reason == YK_REASON_NODE_RESOURCES ? RESOURCES
                  : reason == YK_REASON_VOLUMES      ? VOLUMES
                                                     : OTHER);
}

void yk_filter_counts_add(struct yk_filter_counts *counts, uint32_t bits, int64_t pods)
{
    for (int i = 0; i < YK_FILTERS; i++) {
        if ((bits >> i & 1) != 0)
            counts->pods[i] += (uint64_t)pods;
    }
}
