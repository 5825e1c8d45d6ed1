# SPDX-License-Identifier: Apache-2.0
# Which values the chart accepts.
set(values_schema ${CMAKE_SOURCE_DIR}/deploy/helm/yunikorn/values.schema.json)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${values_schema})
file(READ ${values_schema} values_schema_hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," values_schema_bytes "${values_schema_hex}")
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/values_schema.c @ONLY CONTENT "/* Made from the chart's values.schema.json. */
#include \"migrate/migration_priv.h\"

const unsigned char yk_values_schema[] = {@values_schema_bytes@};
const size_t yk_values_schema_len = sizeof(yk_values_schema);
")

yk_module(k8s-shim/migrate
  SOURCES applications.c check_clients.c check_cluster.c check_config.c check_leftovers.c check_pods.c check_schedulers.c
    check_values.c check_webhooks.c checks.c facts.c finding.c migration.c parsed.c subject.c values.c values_schema.c
  LINK base resources config api cache admission
  LIBS PkgConfig::JANSSON)
target_sources(yk_migrate PRIVATE ${CMAKE_BINARY_DIR}/values_schema.c)
