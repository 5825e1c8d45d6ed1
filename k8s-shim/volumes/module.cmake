# SPDX-License-Identifier: Apache-2.0
yk_module(k8s-shim/volumes
  SOURCES attach_limits.c claims.c classes.c in_tree.c node_lookup.c node_volumes.c plan.c pod_volumes.c precheck.c restrictions.c
          volume_binder.c volume_binding.c volume_zone.c volumes.c wake.c
  LINK base resources api cache selectors)
