# SPDX-License-Identifier: Apache-2.0
yk_test(scheduler/kill SOURCES scheduler/world.c LINK scheduler)
yk_test(scheduler/move SOURCES scheduler/world.c LINK scheduler)
foreach(name cycle lifecycle reload random review)
  yk_test(scheduler/${name} SOURCES scheduler/world.c LINK scheduler)
endforeach()
