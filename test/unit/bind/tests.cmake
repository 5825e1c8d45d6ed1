# SPDX-License-Identifier: Apache-2.0
yk_test(bind/start_words LINK bind)
yk_test(bind/event_recorder SOURCES lib/kube_objects.c shim/fake_api.c LINK bind)
foreach(name binder pod_status unreadable unschedulable user_trust)
  yk_test(bind/${name} SOURCES lib/kube_objects.c shim/fake_core.c shim/fake_api.c shim/world.c LINK shim)
endforeach()
