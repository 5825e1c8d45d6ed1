# SPDX-License-Identifier: Apache-2.0
yk_module(k8s-shim/client
  SOURCES access.c api_stats.c backoff.c client.c discovery.c exec_credential.c exec_plugin.c getter.c identity.c in_cluster.c io_timers.c kubeconfig.c op_queue.c
          op_request.c outage.c reflector.c token_bucket.c transport.c url.c watch_stats.c
  LINK base api metrics
  LIBS PkgConfig::CURL PkgConfig::JANSSON PkgConfig::OPENSSL PkgConfig::EVENT)
