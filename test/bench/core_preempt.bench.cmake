# SPDX-License-Identifier: Apache-2.0
yk_bench(core_preempt SOURCES rig.c LINK scheduler LIBS Threads::Threads)
target_include_directories(bench_core_preempt PRIVATE ${CMAKE_SOURCE_DIR}/test/bench)
