# SPDX-License-Identifier: Apache-2.0
yk_bench(placement LINK placement)
