# SPDX-License-Identifier: Apache-2.0
yk_room(k8s-shim/admission
  SOURCES admission_server.c am_settings.c ca_secret.c certificates.c config_review.c controller.c json_patch.c namespace_filter.c
    pattern_list.c pod_review.c request.c review_settings.c reviewer.c settle.c submitter.c webhook_objects.c workload_review.c
  LINK base http config placement api cache client
  LIBS PkgConfig::EVENT PkgConfig::PCRE2 PkgConfig::JANSSON PkgConfig::OPENSSL)
