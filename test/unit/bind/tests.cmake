# SPDX-License-Identifier: Apache-2.0
yk_test(bind/setting_faults SOURCES lib/kube_objects.c LINK bind)
yk_test(bind/start_words LINK bind)
yk_test(bind/event_recorder SOURCES lib/kube_objects.c bind/fake_api.c LINK bind)
foreach(name
    administration application_end binder class_updates compare configuration first_pod foreign_pods gang hold
    lost_nodes many_types pending_work pod_changes pod_status refused_pods resize scope shim standby
    unreadable unschedulable user_trust volume_binding volume_watches)
  yk_test(bind/${name} SOURCES lib/kube_objects.c bind/fake_core.c bind/fake_api.c bind/world.c LINK bind)
endforeach()
