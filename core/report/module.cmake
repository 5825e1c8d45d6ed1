# SPDX-License-Identifier: Apache-2.0
yk_module(core/report
  SOURCES
    config_history.c
    drain.c
    node_look.c
    obstacles.c
    outstanding.c
    preemption_log.c
    reason.c
    reason_text.c
    refusal.c
    remedy.c
    report.c
    rm_calls.c
    rm_events.c
    start_estimate.c
    timeline.c
    unclaimed.c
    wait_metrics.c
  LINK base resources si config objects limits policies metrics events state)
