# SPDX-License-Identifier: Apache-2.0
yk_module(core/config
  SOURCES amounts.c check_limits.c check_queues.c check_rules.c check_setting.c checksum.c config.c diff.c loading.c locate.c manifest.c names.c pattern.c properties.c property_set.c queues_schema.c
          render_json.c render_yaml.c same.c setting_table.c setting_text.c settings.c sort_policies.c warnings.c yaml_values.c
  LINK base resources
  LIBS PkgConfig::PCRE2 PkgConfig::OPENSSL)
