# SPDX-License-Identifier: Apache-2.0
foreach(name core queues)
  yk_bench(${name} SOURCES rig.c LINK scheduler LIBS Threads::Threads)
  target_include_directories(bench_${name} PRIVATE ${CMAKE_SOURCE_DIR}/test/bench)
endforeach()
