# SPDX-License-Identifier: Apache-2.0
set(YK_SENTENCE_FOLDERS core core/config core/gangs core/limits core/objects core/partition core/pending core/placement
  core/preemption core/report core/reservation core/resources core/scheduler core/security k8s-shim/api k8s-shim/app
  k8s-shim/bind k8s-shim/cache k8s-shim/predicates k8s-shim/selectors k8s-shim/volumes)
set(YK_SENTENCE_SOURCES "")
foreach(folder ${YK_SENTENCE_FOLDERS})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.c ${CMAKE_SOURCE_DIR}/${folder}/*.h)
  list(APPEND YK_SENTENCE_SOURCES ${sources})
endforeach()
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/sentence_words.c
  COMMAND ${CMAKE_COMMAND} -DROOT=${CMAKE_SOURCE_DIR} "-DFOLDERS=${YK_SENTENCE_FOLDERS}"
    -DOUTPUT=${CMAKE_BINARY_DIR}/sentence_words.c -P ${CMAKE_SOURCE_DIR}/k8s-shim/record/words.cmake
  DEPENDS ${YK_SENTENCE_SOURCES} ${CMAKE_SOURCE_DIR}/k8s-shim/record/words.cmake VERBATIM)

yk_module(k8s-shim/record
  SOURCES
    decision.c
    hash_line.c
    hash_names.c
    line.c
    pseudonyms.c
    record_file.c
    recorder.c
    replay.c
    replay_api.c
    vocabulary.c
  LINK base resources config placement security si api cache app bind shim
  LIBS PkgConfig::JANSSON PkgConfig::OPENSSL PkgConfig::ZLIB)
target_sources(yk_record PRIVATE ${CMAKE_BINARY_DIR}/sentence_words.c)
