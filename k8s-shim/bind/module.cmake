# SPDX-License-Identifier: Apache-2.0
yk_module(k8s-shim/bind
  SOURCES
    binder.c
    event_recorder.c
    filter_counts.c
    pod_warnings.c
    placeholders.c
    pod_status.c
    start_words.c
    unreadable.c
    user_trust.c
    unschedulable.c
  LINK base metrics resources si api cache volumes predicates app)
