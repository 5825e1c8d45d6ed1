# SPDX-License-Identifier: Apache-2.0
yk_fuzz(config_mutations LINK scheduler)
target_sources(fuzz_config_mutations PRIVATE ${CMAKE_SOURCE_DIR}/test/fuzz/mutate_yaml.c)
