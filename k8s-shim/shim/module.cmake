# SPDX-License-Identifier: Apache-2.0
# Composes the other modules of the shim: start-up, configuration, administration.
yk_module(k8s-shim/shim
  SOURCES administration.c configuration.c reloader.c setting_faults.c shim.c
  LINK base metrics resources config si api cache volumes predicates app bind)
