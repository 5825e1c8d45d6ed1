# SPDX-License-Identifier: Apache-2.0
yk_module(k8s-shim/cache
  SOURCES interned.c budgets.c cache.c config_merge.c features.c object_store.c nodes.c pod_size.c pods.c size.c resource_sum.c version.c
  LINK base resources si api
  LIBS PkgConfig::ZLIB)
