# SPDX-License-Identifier: Apache-2.0
yk_module(k8s-shim/leader
  SOURCES
    elector.c
    lease.c
  LINK base api
  LIBS PkgConfig::JANSSON)
