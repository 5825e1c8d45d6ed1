# SPDX-License-Identifier: Apache-2.0
foreach(name cycle lifecycle reload random review placement)
  yk_test(scheduler/${name} SOURCES scheduler/world.c LINK scheduler)
endforeach()
