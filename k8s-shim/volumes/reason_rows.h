/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reasons why volumes keep a pod from a node, one row each: symbol of the bit in the result of
 * yk_volumes_check(), name of kube-scheduler's plugin, kube-scheduler's sentence. YK_VOLUMES_NO_DRIVER has no
 * row: its sentence names the driver, and is made in volumes.c.
 *
 * Included with ROW(symbol, plugin, sentence) defined. The table in docs/reference/predicates.md, section
 * 1.4, is printed from these rows. No include guard: the file is included more than once.
 */
ROW(DISK_IN_USE, "VolumeRestrictions", "node(s) had no available disk")
ROW(CLAIM_IN_USE, "VolumeRestrictions",
    "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by "
    "another pod")
ROW(TOO_MANY, "NodeVolumeLimits", "node(s) exceed max volume count")
ROW(NODE_CONFLICT, "VolumeBinding", "node(s) didn't match PersistentVolume's node affinity")
ROW(BIND_CONFLICT, "VolumeBinding", "node(s) didn't find available persistent volumes to bind")
ROW(NO_SPACE, "VolumeBinding", "node(s) did not have enough free storage")
ROW(VOLUME_MISSING, "VolumeBinding",
    "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)")
ROW(ZONE_CONFLICT, "VolumeZone", "node(s) had no available volume zone")
