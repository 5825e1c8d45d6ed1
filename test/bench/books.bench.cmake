# SPDX-License-Identifier: Apache-2.0
yk_bench(books SOURCES rig.c report.c ../unit/cache/objects.c LINK predicates scheduler)
target_include_directories(bench_books PRIVATE ${CMAKE_SOURCE_DIR}/test/bench ${CMAKE_SOURCE_DIR}/test/unit)
add_test(NAME bench/books COMMAND bench_books --tiny)
