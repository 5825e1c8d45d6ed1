# SPDX-License-Identifier: Apache-2.0
yk_fuzz(protobuf SOURCES read_wire.c LINK api)
target_include_directories(fuzz_protobuf PRIVATE ${CMAKE_SOURCE_DIR}/test/fuzz)
