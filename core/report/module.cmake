# SPDX-License-Identifier: Apache-2.0
yk_module(core/report
  SOURCES
    drain.c
    node_look.c
    outstanding.c
    reason.c
    reason_text.c
    refusal.c
    report.c
    rm_calls.c
    rm_events.c
    unclaimed.c
  LINK base resources si objects limits metrics events state)
