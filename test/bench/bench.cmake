# SPDX-License-Identifier: Apache-2.0
file(GLOB bench_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/test/bench/*.bench.cmake)
foreach(bench_file ${bench_files})
  include(${bench_file})
endforeach()
