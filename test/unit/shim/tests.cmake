# SPDX-License-Identifier: Apache-2.0
yk_test(shim/setting_faults SOURCES lib/kube_objects.c LINK shim)
foreach(name
    administration application_end class_updates compare configuration first_pod foreign_pods gang hold lost_nodes
    many_types pending_work pod_changes refused_pods resize scope shim standby volume_binding volume_watches)
  yk_test(shim/${name} SOURCES lib/kube_objects.c shim/fake_core.c shim/fake_api.c shim/world.c LINK shim)
endforeach()
