# SPDX-License-Identifier: Apache-2.0
foreach(name fair_shares herds limit_hold limit_wait stateaware)
  yk_test(pending/${name} SOURCES lib/core_world.c LINK scheduler)
endforeach()
yk_test(pending/wait_order SOURCES lib/core_crowd.c lib/core_world.c LINK scheduler)
yk_test(pending/stateaware_move SOURCES lib/preemption_stage.c lib/core_world.c LINK scheduler)
