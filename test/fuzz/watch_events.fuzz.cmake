# SPDX-License-Identifier: Apache-2.0
yk_fuzz(watch_events
  SOURCES hostile_api.c watch_script.c core_capacity.c look_at_web.c mutate_script.c ../unit/lib/could_run.c
  LINK cmd web scheduler bind app volumes predicates cache simulate api resources base)
target_include_directories(fuzz_watch_events PRIVATE ${CMAKE_SOURCE_DIR}/test/unit)
