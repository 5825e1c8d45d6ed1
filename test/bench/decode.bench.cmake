# SPDX-License-Identifier: Apache-2.0
yk_bench(decode SOURCES pen.c LINK api)
target_include_directories(bench_decode PRIVATE ${CMAKE_SOURCE_DIR}/test/bench)
