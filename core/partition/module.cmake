# SPDX-License-Identifier: Apache-2.0
yk_module(core/partition
  SOURCES
    accounting.c
    allocation_requests.c
    allocations.c
    applications.c
    apply_config.c
    config_diff.c
    dynamic_queue_limits.c
    gang.c
    housekeeping.c
    lifecycle.c
    move.c
    node_accounting.c
    nodes.c
    partition.c
    submissions.c
    wait_events.c
  LINK base resources si config security objects placement limits policies preemption metrics events state report pending reservation gangs
  LIBS PkgConfig::JANSSON)
