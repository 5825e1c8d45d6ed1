# SPDX-License-Identifier: Apache-2.0
yk_module(k8s-shim/bind
  SOURCES
    administration.c
    binder.c
    configuration.c
    event_recorder.c
    filter_counts.c
    pod_warnings.c
    placeholders.c
    pod_status.c
    reloader.c
    setting_faults.c
    shim.c
    start_words.c
    unreadable.c
    user_trust.c
    unschedulable.c
  LINK base metrics resources config si api cache volumes predicates app)
