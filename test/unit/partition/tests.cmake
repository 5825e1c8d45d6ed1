# SPDX-License-Identifier: Apache-2.0
foreach(name application_states applications dynamic_queue_limits gang housekeeping keys lifecycle move nodes
    nodes_and_partitions partitions placement
    apply_config)
  yk_test(partition/${name} SOURCES lib/core_world.c LINK scheduler)
endforeach()
yk_test(partition/submissions SOURCES lib/core_world.c lib/fake_directory.c LINK scheduler)
yk_test(partition/task_groups SOURCES lib/preemption_stage.c lib/core_world.c LINK scheduler)
