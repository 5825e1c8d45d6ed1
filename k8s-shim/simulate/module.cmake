# SPDX-License-Identifier: Apache-2.0
yk_module(k8s-shim/simulate
  SOURCES objects.c object_copy.c selector.c cluster.c entries.c object_changes.c watches.c administration.c operations.c pod_status.c volume_patch.c volume_controller.c kubelet.c leases.c ledger.c faults.c
          scenario.c scenario_steady.c scenario_steps.c scenario_values.c
  LINK base resources api
  LIBS PkgConfig::JANSSON)
