/* SPDX-License-Identifier: Apache-2.0 */
/* Containers of the spec of a pod, and their resources as the kubelet reports them in the status (rule
 * P16). */
#include "api/fields.h"

static const struct yk_field requests_fields[] = {{"requests", 2, YK_FIELD_AMOUNTS, 0, 0, 0, NULL}};
const struct yk_fields yk_requests_fields = YK_FIELDS(requests_fields, true);

YK_LIST_CHECK(struct yk_container, ports, port_count);
YK_LIST_CHECK(struct yk_container, restart_actions, restart_action_count);

static const struct yk_field port_fields[] = {
    YK_I32("hostPort", 2, struct yk_container_port, host_port),
    YK_TEXT("protocol", 4, struct yk_container_port, protocol),
    YK_TEXT("hostIP", 5, struct yk_container_port, host_ip),
};
static const struct yk_fields port = YK_FIELDS(port_fields, false);

static const struct yk_field restart_rule_fields[] = {{"action", 1, YK_FIELD_TEXT, 0, 0, 0, NULL}};
static const struct yk_fields restart_rule = YK_FIELDS(restart_rule_fields, false); /* struct yk_str */

static const struct yk_field resources_fields[] = {
    YK_MAP("limits", 1, YK_FIELD_AMOUNTS, struct yk_container, limits),
    YK_MAP("requests", 2, YK_FIELD_AMOUNTS, struct yk_container, requests),
};
static const struct yk_fields resources = YK_FIELDS(resources_fields, true);

static const struct yk_field container_fields[] = {
    YK_TEXT("name", 1, struct yk_container, name),
    YK_LIST("ports", 6, struct yk_container, ports, &port),
    YK_NESTED("resources", 8, 0, &resources),
    YK_TEXT("restartPolicy", 24, struct yk_container, restart_policy),
    YK_LIST("restartPolicyRules", 25, struct yk_container, restart_actions, &restart_rule),
};
const struct yk_fields yk_container_fields = YK_FIELDS(container_fields, true);

static const struct yk_field container_amounts_fields[] = {
    YK_TEXT("name", 1, struct yk_container, name),
    YK_NESTED("resources", 8, offsetof(struct yk_container, requests), &yk_requests_fields),
    YK_TEXT("restartPolicy", 24, struct yk_container, restart_policy),
};
const struct yk_fields yk_container_amounts_fields = YK_FIELDS(container_amounts_fields, true);

static const struct yk_field actual_fields[] = {
    YK_MAP("requests", 2, YK_FIELD_AMOUNTS, struct yk_container_status, actual),
};
static const struct yk_fields actual = YK_FIELDS(actual_fields, true);

static const struct yk_field container_status_fields[] = {
    YK_TEXT("name", 1, struct yk_container_status, name),
    YK_MAP("allocatedResources", 10, YK_FIELD_AMOUNTS, struct yk_container_status, allocated),
    {"resources", 11, YK_FIELD_NESTED, 0, offsetof(struct yk_container_status, has_actual), 0, &actual},
};
const struct yk_fields yk_container_status_fields = YK_FIELDS(container_status_fields, true);
