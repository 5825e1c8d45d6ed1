# SPDX-License-Identifier: Apache-2.0
yk_room(core/scheduler
  SOURCES allocations.c applications.c core.c cycle.c health.c housekeeping.c invariants.c lifecycle.c nodes.c
          outstanding.c parking.c partition.c queues.c ready.c submissions.c
  LINK base resources si config security objects placement limits policies metrics events
  LIBS PkgConfig::JANSSON)
