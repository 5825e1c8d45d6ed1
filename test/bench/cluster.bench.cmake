# SPDX-License-Identifier: Apache-2.0
foreach(name bind_limit drain latency)
  yk_bench(${name} SOURCES harness.c LINK base resources api client LIBS Threads::Threads m)
  target_include_directories(bench_${name} PRIVATE ${CMAKE_SOURCE_DIR}/test/bench)
endforeach()
