# SPDX-License-Identifier: Apache-2.0
# What `yunikorn version` and GET /ws/v1/clusters say about this build. The environment variables YK_SOURCE_REVISION and
# SOURCE_DATE_EPOCH name the revision and the date where there is no .git, as in the image's build.
set(YK_REVISION "unknown")
set(YK_BUILD_DATE "unknown")
find_package(Git QUIET)
if(DEFINED ENV{YK_SOURCE_REVISION} AND NOT "$ENV{YK_SOURCE_REVISION}" STREQUAL "")
  string(REGEX REPLACE "[^0-9A-Za-z._-]" "" YK_REVISION "$ENV{YK_SOURCE_REVISION}")
  string(SUBSTRING "${YK_REVISION}" 0 40 YK_REVISION)
elseif(GIT_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} rev-parse --short=12 HEAD WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
    OUTPUT_VARIABLE YK_REVISION_OUT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(YK_REVISION_OUT)
    set(YK_REVISION ${YK_REVISION_OUT})
  endif()
endif()
if(GIT_FOUND)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env TZ=UTC0
      ${GIT_EXECUTABLE} log -1 --date=format-local:%Y-%m-%dT%H:%M:%S+0000 --format=%cd
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE YK_DATE_OUT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(YK_DATE_OUT)
    set(YK_BUILD_DATE ${YK_DATE_OUT})
  endif()
endif()
set(YK_COMPILER "${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}")
if(DEFINED ENV{SOURCE_DATE_EPOCH})
  string(TIMESTAMP YK_BUILD_DATE "%Y-%m-%dT%H:%M:%S+0000" UTC)
endif()
configure_file(${CMAKE_SOURCE_DIR}/cmake/version.c.in ${CMAKE_BINARY_DIR}/version.c @ONLY)
