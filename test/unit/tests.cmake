# SPDX-License-Identifier: Apache-2.0
# Each module's tests are listed in test/unit/<module>/tests.cmake.
file(GLOB test_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/test/unit/*/tests.cmake)
foreach(test_file ${test_files})
  include(${test_file})
endforeach()
