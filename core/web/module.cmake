# SPDX-License-Identifier: Apache-2.0
# The web page, as `npm run build` in web/ made it. index.html is the answer to "/", the others are below /ui.
set(page_arrays "")
set(page_rows "")
foreach(page_name index.html app.js app.css icon.svg licenses.txt)
  set(page_file ${CMAKE_SOURCE_DIR}/web/dist/${page_name}.gz)
  set(page_path "/ui/${page_name}")
  if(page_name STREQUAL "index.html")
    set(page_path "/")
  endif()
  get_filename_component(page_ending ${page_name} LAST_EXT)
  set(page_type_.html text/html)
  set(page_type_.js text/javascript)
  set(page_type_.css text/css)
  set(page_type_.svg image/svg+xml)
  set(page_type_.txt text/plain)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page_file})
  file(READ ${page_file} page_hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," page_bytes "${page_hex}")
  file(SHA256 ${page_file} page_digest)
  string(MAKE_C_IDENTIFIER "bytes_of_${page_name}" page_array)
  string(APPEND page_arrays "static const uint8_t ${page_array}[] = {${page_bytes}};\n")
  string(APPEND page_rows "    {\"${page_path}\", \"${page_type_${page_ending}}; charset=utf-8\",\n"
    "     \"\\\"${page_digest}\\\"\", ${page_array}, sizeof(${page_array})},\n")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/page_files.c @ONLY CONTENT "/* Made from web/dist. */
#include \"web/web_page.h\"

@page_arrays@
const struct yk_page_file yk_page_files[] = {
@page_rows@};
const size_t yk_page_file_count = sizeof(yk_page_files) / sizeof(yk_page_files[0]);
")

# A metric of the core or of queues is a function in a file metrics_NAME.c, and a row in metrics/metric_rows.h.
file(GLOB metric_sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/core/web ${CMAKE_SOURCE_DIR}/core/web/metrics_*.c)
yk_module(core/web
  SOURCES
    ${metric_sources}
    access.c
    answer.c
    token_cache.c
    checker.c
    digest_cache.c
    secret.c
    selection.c
    server_stats.c
    shelf.c
    guard.c
    gzip.c
    handle_admin.c
    handle_apps.c
    handle_cluster.c
    handle_config.c
    handle_config_history.c
    handle_debug.c
    handle_configz.c
    handle_dump.c
    handle_events.c
    handle_history.c
    handle_metrics.c
    handle_nodes.c
    handle_openapi.c
    handle_pending.c
    handle_preemptions.c
    handle_probes.c
    handle_queues.c
    handle_recording.c
    handle_root.c
    handle_simulation.c
    handle_resources.c
    handle_slis.c
    handle_statusz.c
    handle_timeline.c
    handle_usage.c
    handle_utilization.c
    handle_whatif.c
    job.c
    list.c
    log_period.c
    names.c
    pace.c
    pending_order.c
    pour.c
    pouring.c
    process_metrics.c
    profile.c
    put.c
    render.c
    renderer.c
    review_slots.c
    router.c
    route_job.c
    routes.c
    show_app.c
    show_cluster.c
    show_health.c
    show_node.c
    node_obstacles.c
    show_pending.c
    show_preemption.c
    show_reservations.c
    show_queue.c
    show_rules.c
    slots.c
    target.c
    tenant.c
    tenant_admit.c
    web.c
    web_page.c
  LINK base http resources si config security objects placement policies metrics scheduler limits events
  LIBS PkgConfig::EVENT PkgConfig::OPENSSL PkgConfig::JANSSON PkgConfig::ZLIB m)
target_sources(yk_web PRIVATE ${CMAKE_BINARY_DIR}/page_files.c)
yk_embed(${CMAKE_SOURCE_DIR}/docs/reference/openapi.yaml yk__openapi ${CMAKE_BINARY_DIR}/openapi.c)
target_sources(yk_web PRIVATE ${CMAKE_BINARY_DIR}/openapi.c)
