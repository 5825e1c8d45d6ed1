/* SPDX-License-Identifier: Apache-2.0 */
#ifndef YK_SIMULATE_SCENARIO_PRIV_H
#define YK_SIMULATE_SCENARIO_PRIV_H

#include "simulate/scenario.h"
#include "simulate/yaml_fields.h"

/* Readers of one value, as in yaml_fields.h. */
enum yk_status yk__scenario_nodes(struct yk_yaml *yaml, const yaml_node_t *node,
                                  void *target); /* struct yk_scenario_nodes */
enum yk_status yk__scenario_step(struct yk_yaml *yaml, const yaml_node_t *node,
                                 void *target); /* struct yk_scenario_step */
enum yk_status yk__scenario_steady(struct yk_yaml *yaml, const yaml_node_t *node,
                                   void *target); /* struct yk_scenario */

#endif
