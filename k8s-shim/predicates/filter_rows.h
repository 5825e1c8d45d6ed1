/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verdicts with which filters refuse a node, one row each, in the order of kube-scheduler's filters:
 * symbol of the verdict, name of the plugin, function, traits (enum yk_filter_traits), sentence of the
 * message.
 *
 * A filter that depends only on pod and node has a function, which says whether the node passes. Each
 * function is in a file of its own. For a row with NULL in place of a function, counters of pods (dynamic.c)
 * or volumes (volumes/volumes.h) decide. For a row with NULL in place of a sentence, volumes/reason_rows.h
 * has the sentences.
 *
 * Included with ROW(symbol, plugin, passes, traits, sentence) defined. The table in
 * docs/reference/predicates.md, section 1.4, is printed from these rows. No include guard: the file is
 * included more than once.
 */
ROW(UNSCHEDULABLE, "NodeUnschedulable", yk_filter_node_unschedulable, 0, "node(s) were unschedulable")
ROW(NODE_NAME, "NodeName", yk_filter_node_name, YK_FILTER_READS_IDENTITY,
    "node(s) didn't match the requested node name")
ROW(TAINTS, "TaintToleration", yk_filter_taint_toleration, 0, "node(s) had untolerated taint(s)")
ROW(AFFINITY, "NodeAffinity", yk_filter_node_affinity, YK_FILTER_READS_IDENTITY,
    "node(s) didn't match Pod's node affinity/selector")
ROW(PORTS, "NodePorts", NULL, YK_FILTER_HELPED_BY_EVICTION,
    "node(s) didn't have free ports for the requested pod ports")
/* Other pods use the disk or the claim, the node cannot attach more volumes, or it lacks the CSI driver
 * (YK_VOLUMES_RESOLVABLE). */
ROW(VOLUMES_USED, "volumes", NULL, YK_FILTER_HELPED_BY_EVICTION, NULL)
/* The pod cannot get its volumes on the node, even if other pods end. */
ROW(VOLUMES, "volumes", NULL, 0, NULL)
/* The node lacks a topology key of a spread constraint. */
ROW(SPREAD_LABEL, "PodTopologySpread", NULL, 0,
    "node(s) didn't match pod topology spread constraints (missing required label)")
ROW(SPREAD, "PodTopologySpread", NULL, YK_FILTER_HELPED_BY_EVICTION,
    "node(s) didn't match pod topology spread constraints")
ROW(POD_AFFINITY, "InterPodAffinity", NULL, 0, "node(s) didn't match pod affinity rules")
ROW(ANTI_AFFINITY, "InterPodAffinity", NULL, YK_FILTER_HELPED_BY_EVICTION,
    "node(s) didn't match pod anti-affinity rules")
ROW(OTHERS_ANTI_AFFINITY, "InterPodAffinity", NULL, YK_FILTER_HELPED_BY_EVICTION,
    "node(s) didn't satisfy existing pods anti-affinity rules")
ROW(FEATURES, "NodeDeclaredFeatures", yk_filter_declared_features, 0,
    "node(s) didn't match Pod's required features")
