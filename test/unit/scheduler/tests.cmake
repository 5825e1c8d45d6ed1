# SPDX-License-Identifier: Apache-2.0
yk_test(scheduler/health SOURCES scheduler/world.c LINK scheduler)
yk_test(scheduler/model SOURCES scheduler/world.c scheduler/model.c LINK scheduler)
foreach(name
    app_rows
    cycle
    defects
    events
    gang
    kill
    lifecycle
    managers
    move
    node_rows
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
    rm_events
    rows
    starting
    tree_reload
    victims
    waiting)
  yk_test(scheduler/${name} SOURCES scheduler/world.c LINK scheduler)
endforeach()
yk_test(scheduler/submissions SOURCES scheduler/world.c security/fake_directory.c LINK scheduler)
yk_test(scheduler/review5 SOURCES preemption/stage.c scheduler/world.c LINK scheduler)
