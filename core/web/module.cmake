# SPDX-License-Identifier: Apache-2.0
yk_module(core/web
  SOURCES
    access.c
    answer.c
    token_cache.c
    checker.c
    digest_cache.c
    selection.c
    server_stats.c
    shelf.c
    guard.c
    gzip.c
    handle_admin.c
    handle_apps.c
    handle_cluster.c
    handle_config.c
    handle_debug.c
    handle_dump.c
    handle_events.c
    handle_history.c
    handle_metrics.c
    handle_nodes.c
    handle_openapi.c
    handle_probes.c
    handle_queues.c
    handle_root.c
    handle_usage.c
    handle_utilization.c
    job.c
    list.c
    names.c
    pour.c
    pouring.c
    process_metrics.c
    prometheus.c
    profile.c
    put.c
    render.c
    renderer.c
    review_slots.c
    router.c
    routes.c
    show_app.c
    show_cluster.c
    show_health.c
    show_node.c
    show_reservations.c
    show_queue.c
    show_rules.c
    target.c
    tenant.c
    web.c
  LINK base http resources si config security objects placement policies metrics scheduler limits events
  LIBS PkgConfig::EVENT PkgConfig::OPENSSL PkgConfig::JANSSON PkgConfig::ZLIB m)
yk_embed(${CMAKE_SOURCE_DIR}/docs/reference/openapi.yaml yk__openapi ${CMAKE_BINARY_DIR}/openapi.c)
target_sources(yk_web PRIVATE ${CMAKE_BINARY_DIR}/openapi.c)
