# SPDX-License-Identifier: Apache-2.0
# The whole scheduler in memory. The suite runs each with tiny sizes: for what it checks, not for how long it takes.
foreach(name shim constraints)
  yk_bench(k8s_${name} SOURCES k8s_stage.c pen.c report.c rig.c LINK cmd shim bind api scheduler)
  target_include_directories(bench_k8s_${name} PRIVATE ${CMAKE_SOURCE_DIR}/test/bench)
  add_test(NAME bench/k8s_${name} COMMAND bench_k8s_${name} --tiny)
  set_tests_properties(bench/k8s_${name} PROPERTIES TIMEOUT 120)
endforeach()
yk_bench(whatif SOURCES k8s_stage.c pen.c report.c rig.c LINK cmd shim bind api scheduler whatif)
target_include_directories(bench_whatif PRIVATE ${CMAKE_SOURCE_DIR}/test/bench)
add_test(NAME bench/whatif COMMAND bench_whatif --tiny)
set_tests_properties(bench/whatif PROPERTIES TIMEOUT 120)

# What a recording costs.
yk_bench(record SOURCES k8s_stage.c pen.c report.c rig.c LINK cmd bind api scheduler record)
target_include_directories(bench_record PRIVATE ${CMAKE_SOURCE_DIR}/test/bench)
add_test(NAME bench/record COMMAND bench_record --tiny)
set_tests_properties(bench/record PROPERTIES TIMEOUT 120)

# Whether pods start within the estimates of their starts.
yk_bench(estimates SOURCES report.c rig.c LINK cmd bind api scheduler simulate)
target_include_directories(bench_estimates PRIVATE ${CMAKE_SOURCE_DIR}/test/bench)
add_test(NAME bench/estimates COMMAND bench_estimates --tiny)
set_tests_properties(bench/estimates PROPERTIES TIMEOUT 120)
