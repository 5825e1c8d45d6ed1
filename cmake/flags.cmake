# SPDX-License-Identifier: Apache-2.0
# Compiler flags that every target of the project gets, and nobody else's.
add_library(yk_flags INTERFACE)
target_compile_definitions(yk_flags INTERFACE _GNU_SOURCE)
if(YK_VECTOR_COLUMNS)
  target_compile_definitions(yk_flags INTERFACE YK_RESTYPE_DENSE=${YK_VECTOR_COLUMNS})
endif()
target_compile_options(yk_flags INTERFACE
  -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Wstrict-prototypes -Wmissing-prototypes
  -Wold-style-definition -Wwrite-strings -Wcast-qual -Wpointer-arith -Wundef -Wvla -Wformat=2
  -Wimplicit-fallthrough -Wdouble-promotion
  -Wno-format-truncation -Wno-unknown-warning-option) # texts are cut on purpose, see base/error.h
if(YK_WERROR)
  target_compile_options(yk_flags INTERFACE -Werror)
endif()
set(CMAKE_C_FLAGS_DEBUG "-O1 -g -fno-omit-frame-pointer")
set(CMAKE_C_FLAGS_RELEASE "-O2 -g -DNDEBUG")
include(cmake/hardening.cmake)
# What is shipped and what is measured is optimized as a whole. A test is not: each would take as long again, so that
# objects hold the ordinary code, too.
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_C_COMPILER_ID STREQUAL "GNU" AND NOT YK_SANITIZE)
  target_compile_options(yk_flags INTERFACE -flto -ffat-lto-objects)
  set(YK_LINK_AS_A_WHOLE -flto=auto)
  set(YK_LINK_PLAINLY -fno-lto)
endif()
if(YK_SANITIZE)
  target_compile_options(yk_flags INTERFACE -fsanitize=${YK_SANITIZE} -fno-sanitize-recover=all)
  target_link_options(yk_flags INTERFACE -fsanitize=${YK_SANITIZE})
  # Hundreds of tests are built and linked: a report needs no more than lines, and gold takes half the time.
  set(CMAKE_C_FLAGS_DEBUG "-O1 -g1 -fno-omit-frame-pointer")
  find_program(YK_GOLD ld.gold)
  mark_as_advanced(YK_GOLD)
  if(YK_GOLD AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
    target_link_options(yk_flags INTERFACE -fuse-ld=gold)
  endif()
endif()
if(YK_COVERAGE) # several threads count; without optimization a line is a line
  target_compile_definitions(yk_flags INTERFACE YK_COVERAGE)
  target_compile_options(yk_flags INTERFACE --coverage -O0 -fprofile-update=atomic)
  target_link_options(yk_flags INTERFACE --coverage)
endif()
if(YK_FUZZ)
  target_compile_options(yk_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(YK_SHARED) # a test of one module need not have what the module calls
  target_link_options(yk_flags INTERFACE
    $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-Wl,--unresolved-symbols=ignore-in-shared-libs>)
endif()
