# SPDX-License-Identifier: Apache-2.0
foreach(name gang keys lifecycle move partitions placement tree_reload)
  yk_test(partition/${name} SOURCES scheduler/world.c LINK scheduler)
endforeach()
yk_test(partition/submissions SOURCES scheduler/world.c security/fake_directory.c LINK scheduler)
