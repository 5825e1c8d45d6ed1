/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The volume filters as docs/reference/predicates.md 4.8 to 4.11 tell them: loops over the objects, nothing
 * kept, nothing shared with the room.
 */
#ifndef TEST_VOLUMES_ORACLE_H
#define TEST_VOLUMES_ORACLE_H

#include "api/object.h"

enum { ORACLE_MAX = 64 };

struct oracle_node {
    struct yk_str name;
    struct yk_pairs labels;
};

struct oracle_standing {
    const struct yk_pod *pod;
    struct yk_str node;
};

struct oracle_plan {
    uint32_t count;
    struct {
        char claim[80];  /* "namespace/name" */
        char volume[40]; /* "": to be provisioned */
    } items[8];
    char node[40];
};

struct oracle {
    const struct yk_volume_claim *claims[ORACLE_MAX];
    const struct yk_volume *volumes[ORACLE_MAX];
    const struct yk_storage_class *classes[ORACLE_MAX];
    const struct yk_csi_node *csi_nodes[ORACLE_MAX];
    const struct yk_csi_driver *drivers[ORACLE_MAX];
    const struct yk_csi_capacity *capacities[ORACLE_MAX];
    const struct yk_volume_attachment *attachments[ORACLE_MAX];
    uint32_t claim_count, volume_count, class_count, csi_node_count, driver_count, capacity_count,
        attachment_count;
    struct oracle_standing standing[ORACLE_MAX];
    uint32_t standing_count;
    struct oracle_plan *plans[ORACLE_MAX];
    uint32_t plan_count;
};

/* Bits of volumes/volumes.h, by filter. */
uint32_t oracle_restrictions(const struct oracle *o, const struct yk_pod *pod,
                             const struct oracle_node *node);
uint32_t oracle_limits(const struct oracle *o, const struct yk_pod *pod, const struct oracle_node *node);
/* `plan` (may be NULL) is filled when the answer is 0. */
uint32_t oracle_binding(const struct oracle *o, const struct yk_pod *pod, const struct oracle_node *node,
                        struct oracle_plan *plan);
uint32_t oracle_zone(const struct oracle *o, const struct yk_pod *pod, const struct oracle_node *node);
/* Why the pod can run nowhere; "" when it can. */
void oracle_possible(const struct oracle *o, const struct yk_pod *pod, char message[400]);

#endif
