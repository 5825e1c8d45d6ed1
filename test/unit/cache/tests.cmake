# SPDX-License-Identifier: Apache-2.0
yk_test(cache/budgets LINK cache)
yk_test(cache/pod_size SOURCES lib/kube_objects.c LINK cache)
yk_test(cache/cache SOURCES lib/kube_objects.c LINK cache)
yk_test(cache/config_merge SOURCES lib/kube_objects.c LINK cache LIBS PkgConfig::ZLIB)
yk_test(cache/object_store LINK cache)
