# SPDX-License-Identifier: Apache-2.0
foreach(name core queues)
  yk_bench(${name} SOURCES rig.c LINK scheduler LIBS Threads::Threads)
  target_include_directories(bench_${name} PRIVATE ${CMAKE_SOURCE_DIR}/test/bench)
endforeach()

# The figures of the core. The suite runs each with tiny sizes: for what it checks, not for how long it takes.
foreach(name replay nodes apps blocked herds periodic gang memory)
  yk_bench(core_${name} SOURCES rig.c report.c LINK scheduler)
  target_include_directories(bench_core_${name} PRIVATE ${CMAKE_SOURCE_DIR}/test/bench)
  add_test(NAME bench/core_${name} COMMAND bench_core_${name} --tiny)
  set_tests_properties(bench/core_${name} PROPERTIES TIMEOUT 120)
endforeach()

yk_bench(core_metrics SOURCES rig.c report.c LINK scheduler web)
target_include_directories(bench_core_metrics PRIVATE ${CMAKE_SOURCE_DIR}/test/bench)
add_test(NAME bench/core_metrics COMMAND bench_core_metrics --tiny)
set_tests_properties(bench/core_metrics PROPERTIES TIMEOUT 120)
