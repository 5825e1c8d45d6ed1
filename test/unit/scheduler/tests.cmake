# SPDX-License-Identifier: Apache-2.0
yk_test(scheduler/health SOURCES scheduler/world.c LINK scheduler)
# Loops over everything, without end: they need not be watched like the core they watch.
set_source_files_properties(${CMAKE_SOURCE_DIR}/test/unit/scheduler/naive_choose.c
  ${CMAKE_SOURCE_DIR}/test/unit/scheduler/naive_gang.c ${CMAKE_SOURCE_DIR}/test/unit/scheduler/naive_preempt.c
  ${CMAKE_SOURCE_DIR}/test/unit/scheduler/naive_reserve.c
  PROPERTIES COMPILE_OPTIONS "-O2;-fno-sanitize=all")
foreach(name same_decisions same_gangs same_reservations mixed repeat gang_scenarios)
  yk_test(scheduler/${name} SOURCES scheduler/world.c scheduler/proof.c scheduler/naive.c scheduler/naive_choose.c
    scheduler/naive_config.c scheduler/naive_gang.c scheduler/naive_preempt.c scheduler/naive_reserve.c LINK scheduler)
endforeach()
foreach(name
    app_rows
    cycle
    defects
    event_rows
    events
    fair_shares
    gang
    gang_wait
    kill
    lifecycle
    limit_hold
    limit_wait
    managers
    move
    node_kinds
    node_rows
    order
    outstanding
    partitions
    placement
    quota_clock
    random
    random_reload
    reload
    required_node
    reservations
    review
    rm_events
    rows
    starting
    tree_reload
    victims
    waiting)
  yk_test(scheduler/${name} SOURCES scheduler/world.c LINK scheduler)
endforeach()
# Counts the texts that are made (8.1).
target_link_options(test_scheduler_event_rows PRIVATE -Wl,--wrap=yk_resvec_print -Wl,--wrap=yk_buf_printf)
if(YK_SHARED) # the linker wraps no calls within shared libraries
  set_tests_properties(scheduler/event_rows PROPERTIES DISABLED TRUE)
endif()
yk_test(scheduler/class_now LINK scheduler)
foreach(name turn_order wait_order)
  yk_test(scheduler/${name} SOURCES scheduler/crowd.c scheduler/world.c LINK scheduler)
endforeach()
yk_test(scheduler/submissions SOURCES scheduler/world.c security/fake_directory.c LINK scheduler)
yk_test(scheduler/review5 SOURCES preemption/stage.c scheduler/world.c LINK scheduler)
yk_test(scheduler/freed_nodes SOURCES preemption/stage.c scheduler/world.c LINK scheduler)
yk_test(scheduler/keys SOURCES scheduler/world.c LINK scheduler)
