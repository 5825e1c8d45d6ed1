# SPDX-License-Identifier: Apache-2.0
yk_module(k8s-shim/predicates
  SOURCES pod_index.c class_key.c classes.c constraints.c dynamic.c explain.c explain_devices.c explain_preemption.c filter_meter.c filter_table.c label_keys.c node_affinity.c
          node_declared_features.c node_name.c
          node_unschedulable.c own_labels.c pod_selector.c profiles.c spread_nodes.c rule_counts.c rules.c taint_toleration.c
          topology.c preferences.c wake_classes.c
  LINK base metrics resources si api cache selectors volumes)
