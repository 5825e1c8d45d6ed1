# SPDX-License-Identifier: Apache-2.0
yk_fuzz(admission SOURCES ../unit/lib/apply_patch.c LINK base api admission LIBS PkgConfig::JANSSON)
target_include_directories(fuzz_admission PRIVATE ${CMAKE_SOURCE_DIR}/test/unit)
