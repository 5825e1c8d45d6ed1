# SPDX-License-Identifier: Apache-2.0
yk_room(core/scheduler
  SOURCES
    allocations.c
    applications.c
    backoff.c
    core.c
    cycle.c
    event_tell.c
    health.c
    housekeeping.c
    invariants.c
    kill.c
    lifecycle.c
    move.c
    nodes.c
    outstanding.c
    parking.c
    partition.c
    queues.c
    quota.c
    ready.c
    stateaware.c
  LINK base resources si config security objects placement limits policies metrics events
  LIBS PkgConfig::JANSSON)
