# SPDX-License-Identifier: Apache-2.0
# The subcommands are a module, so that tests can run them. The executable adds main().
set(example_source "/* Made from examples/. */\n#include \"cmd/example.h\"\n")
foreach(example two-teams:example live:live_example)
  string(REPLACE ":" ";" example "${example}")
  list(GET example 0 example_file)
  list(GET example 1 example_name)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/examples/${example_file}.yaml)
  file(READ ${CMAKE_SOURCE_DIR}/examples/${example_file}.yaml example_hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," example_bytes "${example_hex}")
  string(APPEND example_source "const char yk_${example_name}_bytes[] = {${example_bytes}};\n"
    "const size_t yk_${example_name}_len = sizeof(yk_${example_name}_bytes);\n")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/example.c @ONLY CONTENT "@example_source@")

# What `yunikorn completion` prints.
set(completion_source "/* Made from cmd/completion.*. */\n#include \"cmd/completion.h\"\n")
foreach(shell bash zsh)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/cmd/completion.${shell})
  file(READ ${CMAKE_SOURCE_DIR}/cmd/completion.${shell} completion_hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," completion_bytes "${completion_hex}")
  string(APPEND completion_source "const char yk_completion_${shell}[] = {${completion_bytes}};\n"
    "const size_t yk_completion_${shell}_len = sizeof(yk_completion_${shell});\n")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/completion.c @ONLY CONTENT "@completion_source@")

# A subcommand of `kubectl yunikorn` is a function in a file kubectl_NAME.c, and a row in kubectl_rows.h.
file(GLOB kubectl_sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/cmd ${CMAKE_SOURCE_DIR}/cmd/kubectl_*.c)
yk_module(cmd
  SOURCES
    ${kubectl_sources}
    administration.c
    admission_controller.c
    admission_reviews.c
    arguments.c
    cluster_config.c
    completion.c
    core_check.c
    core_view.c
    decision_log.c
    election.c
    effective_config.c
    engine.c
    engine_whatif.c
    entitled.c
    fair_use.c
    goals.c
    hash_names.c
    input.c
    json_memory.c
    log_flags.c
    migrate.c
    migrate_cluster.c
    migrate_report.c
    pace.c
    packing.c
    queue_impact.c
    random_scenario.c
    live_record.c
    record_thread.c
    recording.c
    replay.c
    report.c
    report_html.c
    report_json.c
    report_text.c
    samples.c
    scheduler.c
    scheduler_metrics.c
    simulate.c
    simulate_live.c
    simulate_web.c
    simulation.c
    steady.c
    steady_deficit.c
    steady_figures.c
    steady_nodes.c
    steady_order.c
    steady_owed.c
    steady_sample.c
    steady_whole.c
    validate.c
    verdict.c
    verdict_report.c
    version.c
    whatif.c
    whatif_question.c
    whatif_report.c
    workload.c
  # Modules of the shim call functions of si.h, so they come before those of the core: static libraries are searched in order.
  LINK base resources config si metrics events api admission migrate client cache record bind shim whatif leader simulate web scheduler placement security)
target_sources(yk_cmd PRIVATE ${CMAKE_BINARY_DIR}/completion.c ${CMAKE_BINARY_DIR}/example.c)

# One executable that runs wherever libc, OpenSSL and libcurl are; Debian's libcurl.a cannot be linked on its own.
if(NOT YK_SHARED)
  foreach(package JANSSON YAML EVENT PCRE2)
    set(archives "")
    foreach(library ${${package}_LIBRARIES})
      find_library(YK_ARCHIVE_${library} lib${library}.a HINTS ${${package}_LIBDIR})
      if(YK_ARCHIVE_${library})
        list(APPEND archives ${YK_ARCHIVE_${library}})
      endif()
    endforeach()
    list(LENGTH archives found)
    list(LENGTH ${package}_LIBRARIES wanted)
    if(found EQUAL wanted)
      set_target_properties(PkgConfig::${package} PROPERTIES INTERFACE_LINK_LIBRARIES "${archives}")
    endif()
  endforeach()
endif()
target_link_libraries(yk_cmd PRIVATE PkgConfig::EVENT PkgConfig::CURL PkgConfig::JANSSON PkgConfig::YAML)

add_executable(yunikorn ${CMAKE_SOURCE_DIR}/cmd/main.c)
target_link_libraries(yunikorn PRIVATE yk_cmd yk_flags)
target_link_options(yunikorn PRIVATE -Wl,--as-needed ${YK_LINK_AS_A_WHOLE})
set_target_properties(yunikorn PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
