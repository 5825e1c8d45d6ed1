# SPDX-License-Identifier: Apache-2.0
foreach(name fair_shares limit_hold limit_wait stateaware)
  yk_test(pending/${name} SOURCES scheduler/world.c LINK scheduler)
endforeach()
yk_test(pending/wait_order SOURCES scheduler/crowd.c scheduler/world.c LINK scheduler)
yk_test(pending/stateaware_move SOURCES preemption/stage.c scheduler/world.c LINK scheduler)
