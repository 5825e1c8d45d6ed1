# SPDX-License-Identifier: Apache-2.0
file(GLOB fuzz_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/test/fuzz/*.fuzz.cmake)
foreach(fuzz_file ${fuzz_files})
  include(${fuzz_file})
endforeach()
