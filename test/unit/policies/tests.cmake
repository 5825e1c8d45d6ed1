# SPDX-License-Identifier: Apache-2.0
yk_test(policies/node_order LINK base resources si config objects policies)
foreach(name nodes_in_use queue_order)
  yk_test(policies/${name} SOURCES lib/core_world.c LINK scheduler)
endforeach()
