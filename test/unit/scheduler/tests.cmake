# SPDX-License-Identifier: Apache-2.0
yk_test(scheduler/health SOURCES lib/core_world.c LINK scheduler)
# Loops over everything, without end: they need not be watched like the core they watch.
set_source_files_properties(${CMAKE_SOURCE_DIR}/test/unit/scheduler/naive.c ${CMAKE_SOURCE_DIR}/test/unit/scheduler/naive_choose.c
  ${CMAKE_SOURCE_DIR}/test/unit/scheduler/naive_config.c ${CMAKE_SOURCE_DIR}/test/unit/scheduler/naive_gang.c ${CMAKE_SOURCE_DIR}/test/unit/scheduler/naive_preempt.c
  ${CMAKE_SOURCE_DIR}/test/unit/scheduler/naive_reserve.c
  PROPERTIES COMPILE_OPTIONS "-O2;-fno-sanitize=all")
foreach(name same_decisions same_gangs same_reservations mixed repeat gang_scenarios)
  yk_test(scheduler/${name} SOURCES lib/core_world.c scheduler/proof.c scheduler/naive.c scheduler/naive_choose.c
    scheduler/naive_config.c scheduler/naive_gang.c scheduler/naive_preempt.c scheduler/naive_reserve.c LINK scheduler)
endforeach()
foreach(name
    core
    cycle
    hostile_input
    impossible
    kill
    managers
    order
    random
    random_reload
    reload
    waiting)
  yk_test(scheduler/${name} SOURCES lib/core_world.c LINK scheduler)
endforeach()
yk_test(scheduler/wake_class LINK scheduler)
