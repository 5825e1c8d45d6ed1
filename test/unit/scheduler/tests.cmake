# SPDX-License-Identifier: Apache-2.0
yk_test(scheduler/model SOURCES scheduler/world.c scheduler/model.c LINK scheduler)
foreach(name
    cycle
    kill
    lifecycle
    move
    placement
    random
    reload
    review
    starting)
  yk_test(scheduler/${name} SOURCES scheduler/world.c LINK scheduler)
endforeach()
