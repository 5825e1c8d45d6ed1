# SPDX-License-Identifier: Apache-2.0
foreach(name choice dry_run ends victim_index need victim_limits general nominations quota_victims random smallest)
  yk_test(preemption/${name} SOURCES preemption/naive_need.c lib/preemption_stage.c lib/core_world.c LINK scheduler)
endforeach()
