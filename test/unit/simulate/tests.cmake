# SPDX-License-Identifier: Apache-2.0
yk_test(simulate/cluster LINK simulate api resources base SOURCES simulate/fixture.c)
yk_test(simulate/faults LINK simulate api resources base SOURCES simulate/fixture.c)
yk_test(simulate/volume_controller LINK simulate api resources base SOURCES simulate/fixture.c)
yk_test(simulate/scenario LINK simulate api resources base)
yk_test(simulate/gangs LINK cmd shim bind simulate api resources base)
yk_test(simulate/pods_with_claims LINK cmd shim bind simulate api resources base SOURCES simulate/life.c)
yk_test(simulate/each_write_fails LINK cmd shim bind simulate api resources base SOURCES simulate/life.c)
yk_test(simulate/nothing_waits LINK cmd shim bind app predicates cache simulate api resources base SOURCES simulate/life.c lib/could_run.c)
yk_test(simulate/constraints LINK cmd shim bind predicates simulate api resources base SOURCES lib/predicates_oracle.c simulate/life.c)
yk_test(simulate/backfill LINK cmd shim bind simulate api resources base SOURCES simulate/life.c)
yk_test(simulate/kept_nodes LINK cmd shim bind simulate api resources base SOURCES simulate/life.c)
yk_test(simulate/nothing_waits_for_volumes LINK cmd shim bind app predicates cache simulate api resources base SOURCES simulate/life.c lib/could_run.c)
yk_test(simulate/many_types LINK cmd shim bind app predicates cache scheduler objects simulate api resources base SOURCES simulate/life.c)
yk_test(simulate/absurd_amounts LINK cmd shim bind app predicates cache simulate api resources base SOURCES simulate/life.c)
yk_test(simulate/pending_work_with_faults LINK cmd shim bind app predicates cache simulate api resources base SOURCES simulate/life.c)
set(same_seeds "2 3 5")
if(YK_SANITIZE STREQUAL "thread") # slow there, and `hack/test.sh same` tries more
  set(same_seeds "2")
endif()
if(NOT CMAKE_CROSSCOMPILING) # `hack/test.sh same` compares builds
  add_test(NAME simulate/same_decisions
    COMMAND ${CMAKE_SOURCE_DIR}/test/unit/simulate/same_decisions.sh ${same_seeds} $<TARGET_FILE:yunikorn>)
endif()
