# SPDX-License-Identifier: Apache-2.0
foreach(name cycle lifecycle partitions quota_clock random_reload reload random review tree_reload)
  yk_test(scheduler/${name} SOURCES scheduler/world.c LINK scheduler)
endforeach()
