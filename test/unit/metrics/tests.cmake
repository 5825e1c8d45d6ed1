# SPDX-License-Identifier: Apache-2.0
yk_test(metrics/metric LINK base metrics)
yk_test(metrics/metric_text LINK base metrics)
yk_test(metrics/step_histogram LINK base metrics)
yk_test(metrics/size_histogram LINK base metrics)
