# SPDX-License-Identifier: Apache-2.0
yk_bench(pod_index SOURCES rig.c report.c ../unit/lib/kube_objects.c LINK predicates scheduler)
target_include_directories(bench_pod_index PRIVATE ${CMAKE_SOURCE_DIR}/test/bench ${CMAKE_SOURCE_DIR}/test/unit)
add_test(NAME bench/pod_index COMMAND bench_pod_index --tiny)
