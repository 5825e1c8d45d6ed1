# SPDX-License-Identifier: Apache-2.0
yk_fuzz(kubeconfig LINK base client)
