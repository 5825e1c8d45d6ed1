# SPDX-License-Identifier: Apache-2.0
foreach(name choice general promises quota random)
  yk_test(preemption/${name} SOURCES preemption/stage.c scheduler/world.c LINK scheduler)
endforeach()
