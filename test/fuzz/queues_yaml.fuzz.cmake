# SPDX-License-Identifier: Apache-2.0
yk_fuzz(queues_yaml LINK base resources config)
