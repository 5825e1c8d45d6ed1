# SPDX-License-Identifier: Apache-2.0
yk_room(k8s-shim/predicates
  SOURCES class_key.c classes.c constraints.c explain.c node_affinity.c node_name.c node_unschedulable.c
          taint_toleration.c
  LINK base resources si api cache selectors)
