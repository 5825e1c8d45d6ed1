# SPDX-License-Identifier: Apache-2.0
foreach(name
    cycle
    events
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
