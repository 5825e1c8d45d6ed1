# SPDX-License-Identifier: Apache-2.0
yk_module(k8s-shim/api
  SOURCES object.c server.c
          kinds.c meta.c container.c placement.c pod.c node.c namespace.c priority_class.c config_map.c disruption_budget.c device_class.c mutating_webhooks.c
          volume_source.c volume_claim.c volume.c storage_class.c csi_node.c csi_driver.c csi_capacity.c volume_attachment.c
          reader.c protobuf_reader.c json_reader.c object_json.c server_status.c
          json_splitter.c frame_splitter.c watch_reader.c list_reader.c list_json.c list_protobuf.c
          encode.c token_review.c access_review.c application_id.c user_info.c
  LINK base resources
  LIBS PkgConfig::JANSSON)
