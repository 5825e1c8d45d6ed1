# SPDX-License-Identifier: Apache-2.0
yk_module(k8s-shim/admission
  SOURCES admission_server.c ca_secret.c config_checks.c config_review.c controller.c json_patch.c marks.c
    namespaces.c patterns.c pod_review.c request.c reviewer.c settings.c settle.c user_rights.c webhook_objects.c workload_review.c
  LINK base resources http config placement api cache client
  LIBS Threads::Threads PkgConfig::EVENT PkgConfig::PCRE2 PkgConfig::JANSSON PkgConfig::OPENSSL)
