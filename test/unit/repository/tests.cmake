# SPDX-License-Identifier: Apache-2.0
add_test(NAME repository/files COMMAND ${CMAKE_SOURCE_DIR}/test/unit/repository/files.sh)
add_test(NAME repository/owners COMMAND ${CMAKE_SOURCE_DIR}/test/unit/repository/owners.sh)
if(NOT CMAKE_CROSSCOMPILING)
  add_test(NAME repository/commands COMMAND ${CMAKE_SOURCE_DIR}/test/unit/repository/commands.sh $<TARGET_FILE:yunikorn>)
endif()
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  add_test(NAME repository/hardening COMMAND ${CMAKE_SOURCE_DIR}/test/unit/repository/hardening.sh $<TARGET_FILE:yunikorn>)
endif()
