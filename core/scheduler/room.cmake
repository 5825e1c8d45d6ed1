# SPDX-License-Identifier: Apache-2.0
yk_room(core/scheduler
  SOURCES
    allocations.c
    applications.c
    ask_repeat.c
    booking.c
    core.c
    cross_check.c
    cycle.c
    gang.c
    health.c
    housekeeping.c
    invariants.c
    kill.c
    lifecycle.c
    move.c
    namespace_limits.c
    node_accounting.c
    nodes.c
    partition.c
    queue_plan.c
    queues.c
    reload.c
    submissions.c
    wait_events.c
    wake_class.c
  LINK base resources si config security objects placement limits policies preemption metrics events state report pending reservation gangs
  LIBS PkgConfig::JANSSON)
