# SPDX-License-Identifier: Apache-2.0
foreach(name early_reservation quota_preemption required_node reservations victims)
  yk_test(reservation/${name} SOURCES lib/core_world.c LINK scheduler)
endforeach()
foreach(name daemon_order freed_search preempt)
  yk_test(reservation/${name} SOURCES lib/preemption_stage.c lib/core_world.c LINK scheduler)
endforeach()
