# SPDX-License-Identifier: Apache-2.0
yk_module(k8s-shim/cache
  SOURCES blob.c budgets.c cache.c config_merge.c features.c kept.c nodes.c pod_size.c pods.c size.c tally.c
  LINK base resources si api
  LIBS PkgConfig::ZLIB)
