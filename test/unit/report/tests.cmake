# SPDX-License-Identifier: Apache-2.0
foreach(name config_history event_details node_look reason refusal report outstanding rm_events start_estimate)
  yk_test(report/${name} SOURCES lib/core_world.c LINK scheduler)
endforeach()
# Counts the texts that are made (8.1).
target_link_options(test_report_event_details PRIVATE -Wl,--wrap=yk_resvec_print -Wl,--wrap=yk_buf_printf)
if(YK_SHARED) # the linker wraps no calls within shared libraries
  set_tests_properties(report/event_details PROPERTIES DISABLED TRUE)
endif()
