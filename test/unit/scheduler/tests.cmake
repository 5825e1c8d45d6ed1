# SPDX-License-Identifier: Apache-2.0
foreach(name cycle lifecycle reload random review)
  yk_test(scheduler/${name} SOURCES scheduler/world.c LINK scheduler)
endforeach()
yk_test(scheduler/submissions SOURCES scheduler/world.c security/fake_directory.c LINK scheduler)
