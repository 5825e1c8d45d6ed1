# SPDX-License-Identifier: Apache-2.0
# What `yunikorn version` and GET /ws/v1/clusters say about this build.
set(YK_REVISION "unknown")
find_package(Git QUIET)
if(GIT_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} rev-parse --short=12 HEAD WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
    OUTPUT_VARIABLE YK_REVISION_OUT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(YK_REVISION_OUT)
    set(YK_REVISION ${YK_REVISION_OUT})
  endif()
endif()
set(YK_COMPILER "${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}")
configure_file(${CMAKE_SOURCE_DIR}/cmake/version.c.in ${CMAKE_BINARY_DIR}/version.c @ONLY)
