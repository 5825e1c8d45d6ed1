# SPDX-License-Identifier: Apache-2.0
foreach(name rules usage random)
  yk_test(limits/${name} SOURCES lib/core_world.c LINK scheduler)
endforeach()
