# SPDX-License-Identifier: Apache-2.0
yk_module(k8s-shim/selectors
  SOURCES requirement.c node_terms.c
  LINK base resources api cache)
