# SPDX-License-Identifier: Apache-2.0
yk_room(core/scheduler
  SOURCES
    allocations.c
    applications.c
    ask_repeat.c
    backoff.c
    booking.c
    config_change.c
    core.c
    cycle.c
    event_tell.c
    gang.c
    health.c
    housekeeping.c
    invariants.c
    kill.c
    lifecycle.c
    move.c
    namespace_limits.c
    node_search.c
    nodes.c
    outstanding.c
    parking.c
    partition.c
    queue_plan.c
    queues.c
    quota.c
    quota_clock.c
    ready.c
    reload.c
    rm_events.c
    shortage.c
    stateaware.c
    submissions.c
  LINK base resources si config security objects placement limits policies metrics events
  LIBS PkgConfig::JANSSON)
