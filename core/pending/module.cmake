# SPDX-License-Identifier: Apache-2.0
yk_module(core/pending
  SOURCES
    active.c
    backoff.c
    fair_shares.c
    freed_nodes.c
    impossible.c
    limit_gate.c
    limit_hold.c
    limit_wait.c
    parked.c
    queue_wait.c
    settle_limit_holds.c
    stateaware.c
    wait_order.c
  LINK base resources si config objects limits policies metrics events state report)
