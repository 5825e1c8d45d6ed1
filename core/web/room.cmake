# SPDX-License-Identifier: Apache-2.0
yk_room(core/web
  SOURCES answer.c caller.c callers.c facts.c guard.c gzip.c handle_admin.c handle_apps.c handle_cluster.c handle_config.c handle_metrics.c handle_nodes.c
          handle_probes.c handle_queues.c http_head.c http_server.c job.c list.c names.c process_metrics.c prometheus.c
          put.c render.c renderer.c router.c routes.c show_app.c show_cluster.c show_health.c show_node.c show_queue.c
          show_rules.c target.c tls.c web.c
  LINK base resources si config security objects placement policies metrics scheduler
  LIBS PkgConfig::EVENT PkgConfig::OPENSSL PkgConfig::JANSSON PkgConfig::ZLIB m)
