# SPDX-License-Identifier: Apache-2.0
yk_module(core/state
  SOURCES
    config_change.c
    limit_held.c
    node_search.c
    node_signatures.c
    partition.c
    turn.c
    turn_order.c
  LINK base resources si config security objects placement limits policies metrics events)
