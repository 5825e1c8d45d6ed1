# SPDX-License-Identifier: Apache-2.0
foreach(name admission bind_limit drain latency)
  yk_bench(${name} SOURCES harness.c child.c LINK base resources api client LIBS Threads::Threads m)
  target_include_directories(bench_${name} PRIVATE ${CMAKE_SOURCE_DIR}/test/bench)
endforeach()
yk_bench(k8s_memory SOURCES harness.c child.c heavy_pod.c report.c rig.c LINK scheduler api client LIBS Threads::Threads)
target_include_directories(bench_k8s_memory PRIVATE ${CMAKE_SOURCE_DIR}/test/bench)
yk_bench(admission_calls LINK base LIBS PkgConfig::CURL m)
yk_bench(rest_clients LINK base LIBS PkgConfig::CURL Threads::Threads)
