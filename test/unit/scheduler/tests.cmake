# SPDX-License-Identifier: Apache-2.0
yk_test(scheduler/health SOURCES scheduler/world.c LINK scheduler)
# Loops over everything, without end: they need not be watched like the core they watch.
set_source_files_properties(${CMAKE_SOURCE_DIR}/test/unit/scheduler/naive_choose.c PROPERTIES
  COMPILE_OPTIONS "-O2;-fno-sanitize=all")
foreach(name same_decisions mixed repeat gang_scenarios)
  yk_test(scheduler/${name} SOURCES scheduler/world.c scheduler/proof.c scheduler/naive.c scheduler/naive_choose.c
    scheduler/naive_config.c LINK scheduler)
endforeach()
foreach(name
    cycle
    defects
    events
    gang
    kill
    lifecycle
    move
    order
    partitions
    placement
    quota_clock
    random
    random_reload
    reload
    required_node
    reservations
    review
    rows
    starting
    tree_reload
    victims
    waiting)
  yk_test(scheduler/${name} SOURCES scheduler/world.c LINK scheduler)
endforeach()
yk_test(scheduler/submissions SOURCES scheduler/world.c security/fake_directory.c LINK scheduler)
