# SPDX-License-Identifier: Apache-2.0
foreach(name cycle kill lifecycle move reload random review)
  yk_test(scheduler/${name} SOURCES scheduler/world.c LINK scheduler)
endforeach()
