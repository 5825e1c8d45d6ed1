# SPDX-License-Identifier: Apache-2.0
yk_module(k8s-shim/app
  SOURCES application.c application_scope.c apps.c apps_check.c apps_compare.c class_updates.c core_calls.c core_callbacks.c gang.c gang_cap.c gang_orders.c gang_timeout.c gang_wait.c hold.c namespace_change.c namespace_quota.c pending_work.c placeholder_pod.c pod_events.c pod_resources.c pod_to_app.c pod_to_ask.c reason_words.c state_dump.c task.c task_groups.c
  LINK base metrics resources si api cache volumes predicates
  LIBS PkgConfig::JANSSON)
