# SPDX-License-Identifier: Apache-2.0
yk_fuzz(json SOURCES read_wire.c LINK api)
target_include_directories(fuzz_json PRIVATE ${CMAKE_SOURCE_DIR}/test/fuzz)
