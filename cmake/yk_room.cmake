# SPDX-License-Identifier: Apache-2.0
#
# yk_room(<dir> SOURCES <files> LINK <rooms> LIBS <libraries>)
#
# A room is one static library made from one folder. Its headers are reached as "<room>/<file>.h" through a
# link below build/view/<room>, and that folder joins the include path only of those who link the room.
# An include that docs/design.md does not allow therefore fails to compile.
function(yk_room dir)
  set(kind STATIC)
  if(YK_SHARED)
    set(kind SHARED)
  endif()
  cmake_parse_arguments(ROOM "" "" "SOURCES;LINK;LIBS;PUBLIC_LIBS" ${ARGN})
  get_filename_component(room ${dir} NAME)
  set(view ${CMAKE_BINARY_DIR}/view/${room})
  file(MAKE_DIRECTORY ${view})
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${dir} ${view}/${room} SYMBOLIC)

  list(TRANSFORM ROOM_SOURCES PREPEND ${CMAKE_SOURCE_DIR}/${dir}/)
  list(TRANSFORM ROOM_LINK PREPEND yk_)
  add_library(yk_${room} ${kind} ${ROOM_SOURCES})
  target_include_directories(yk_${room} PUBLIC ${view})
  target_link_libraries(yk_${room} PUBLIC ${ROOM_LINK} ${ROOM_PUBLIC_LIBS} PRIVATE ${ROOM_LIBS} yk_flags)

  foreach(source ${ROOM_SOURCES})
    file(STRINGS ${source} upward REGEX "^#include \"\\.\\./")
    if(upward)
      message(FATAL_ERROR "${source} includes upwards: ${upward}")
    endif()
  endforeach()
endfunction()

# yk_test(<room>/<file> LINK <rooms> [LIBS <libraries>]): test/unit/<room>/test_<file>.c as one ctest case.
function(yk_test path)
  cmake_parse_arguments(TEST "" "" "SOURCES;LINK;LIBS" ${ARGN})
  get_filename_component(room ${path} DIRECTORY)
  get_filename_component(file ${path} NAME)
  string(REPLACE "/" "_" target "test_${room}_${file}")
  list(TRANSFORM TEST_LINK PREPEND yk_)
  list(TRANSFORM TEST_SOURCES PREPEND ${CMAKE_SOURCE_DIR}/test/unit/)
  add_executable(${target} ${CMAKE_SOURCE_DIR}/test/unit/${room}/test_${file}.c ${TEST_SOURCES})
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/test/unit)
  target_link_libraries(${target} PRIVATE ${TEST_LINK} ${TEST_LIBS} PkgConfig::CMOCKA yk_flags)
  target_link_options(${target} PRIVATE ${YK_LINK_PLAINLY})
  add_test(NAME ${path} COMMAND ${target} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(${path} PROPERTIES TIMEOUT 300) # also on a machine that is busy
endfunction()

# yk_fuzz(<name> [SOURCES <files>] LINK <rooms>): test/fuzz/fuzz_<name>.c; without clang's libFuzzer it is still compiled, so it cannot rot.
function(yk_fuzz name)
  cmake_parse_arguments(FUZZ "" "" "SOURCES;LINK;LIBS" ${ARGN})
  list(PREPEND FUZZ_SOURCES fuzz_${name}.c)
  list(TRANSFORM FUZZ_SOURCES PREPEND ${CMAKE_SOURCE_DIR}/test/fuzz/)
  list(TRANSFORM FUZZ_LINK PREPEND yk_)
  if(YK_FUZZ)
    add_executable(fuzz_${name} ${FUZZ_SOURCES})
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    set_target_properties(fuzz_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test/fuzz)
  else()
    add_library(fuzz_${name} OBJECT ${FUZZ_SOURCES})
  endif()
  target_link_libraries(fuzz_${name} PRIVATE ${FUZZ_LINK} ${FUZZ_LIBS} yk_flags)
endfunction()

# yk_bench(<name> LINK <rooms>): test/bench/bench_<name>.c, an executable that prints JSON lines. The target `benches` builds all of them.
add_custom_target(benches)
function(yk_bench name)
  cmake_parse_arguments(BENCH "" "" "SOURCES;LINK;LIBS" ${ARGN})
  list(TRANSFORM BENCH_LINK PREPEND yk_)
  list(TRANSFORM BENCH_SOURCES PREPEND ${CMAKE_SOURCE_DIR}/test/bench/)
  add_executable(bench_${name} ${CMAKE_SOURCE_DIR}/test/bench/bench_${name}.c ${BENCH_SOURCES})
  target_link_libraries(bench_${name} PRIVATE ${BENCH_LINK} ${BENCH_LIBS} yk_flags)
  target_link_options(bench_${name} PRIVATE ${YK_LINK_AS_A_WHOLE})
  add_dependencies(benches bench_${name})
  set_target_properties(bench_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test/bench)
endfunction()
