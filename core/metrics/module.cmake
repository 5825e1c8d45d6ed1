# SPDX-License-Identifier: Apache-2.0
yk_module(core/metrics SOURCES durations.c metric.c metric_text.c metrics.c size_histogram.c step_histogram.c wait_histogram.c LINK base)
