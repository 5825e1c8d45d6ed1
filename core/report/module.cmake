# SPDX-License-Identifier: Apache-2.0
yk_module(core/report
  SOURCES
    outstanding.c
    refusal.c
    report.c
    rm_calls.c
    rm_events.c
    unclaimed.c
  LINK base resources si objects limits metrics events state)
