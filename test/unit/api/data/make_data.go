// SPDX-License-Identifier: Apache-2.0

// Writes the files in this folder with Kubernetes' own encoders, so that the readers are tested against what a real
// API server sends. Run it inside a module that requires k8s.io/api and k8s.io/client-go, with this folder as argument.
package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes/scheme"
)

var (
	core = schema.GroupVersion{Version: "v1"}
	at   = metav1.NewTime(time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC))
	dir  string
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func encode(o runtime.Object, gv schema.GroupVersion, asJSON bool) []byte {
	var out bytes.Buffer
	if asJSON {
		s := json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme.Scheme, scheme.Scheme, json.SerializerOptions{})
		must(scheme.Codecs.EncoderForVersion(s, gv).Encode(o, &out))
	} else {
		s := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)
		must(scheme.Codecs.EncoderForVersion(s, gv).Encode(o, &out))
	}
	return out.Bytes()
}

func write(name string, data []byte) { must(os.WriteFile(filepath.Join(dir, name), data, 0o644)) }

func both(name string, o runtime.Object, gv schema.GroupVersion) {
	write(name+".pb", encode(o, gv, false))
	write(name+".json", encode(o, gv, true))
}

func event(kind string, o runtime.Object, gv schema.GroupVersion) ([]byte, []byte) {
	raw := encode(o, gv, false)
	e := metav1.WatchEvent{Type: kind, Object: runtime.RawExtension{Raw: raw}}
	body, err := e.Marshal()
	must(err)
	frame := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	frame = append(frame, body...)
	text := append([]byte(`{"type":"`+kind+`","object":`), bytes.TrimSpace(encode(o, gv, true))...)
	return frame, append(text, "}\n"...)
}

func q(s string) resource.Quantity { return resource.MustParse(s) }
func ptr[T any](v T) *T            { return &v }

func meta(name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Name: name, Namespace: "team-a", UID: "0b5dc6a2-1f3c-4f6e-9d8a-111111111111", ResourceVersion: "987654321",
		Generation: 3, CreationTimestamp: at,
		Labels: map[string]string{"applicationId": "spark-1", "queue": "root.a", "empty": ""},
		Annotations: map[string]string{
			"kubectl.kubernetes.io/last-applied-configuration": `{"a":"` + string(bytes.Repeat([]byte("x"), 500)) + `"}`,
			"yunikorn.apache.org/task-group-name":              "workers",
			"internal.yunikorn.apache.org/placeholder":         "true",
			"yunikorn.apache.org/odd":                          "a\u0000b\u00e9\u2028\U0001F600<>&\"\\",
		},
		OwnerReferences: []metav1.OwnerReference{
			{APIVersion: "batch/v1", Kind: "Job", Name: "job-1", UID: "22", Controller: ptr(true)},
			{APIVersion: "v1", Kind: "Node", Name: "n", UID: "33"},
		},
		Finalizers: []string{"batch.kubernetes.io/job-tracking"},
		ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "kubectl", Operation: "Update", APIVersion: "v1", Time: &at,
			FieldsType: "FieldsV1", FieldsV1: &metav1.FieldsV1{Raw: []byte(`{"f:metadata":{"f:labels":{".":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"main\"}":{}}}}`)}}},
	}
}

func container(name string) corev1.Container {
	return corev1.Container{
		Name: name, Image: "registry.example/app:1", Command: []string{"sleep", "10"},
		Env:          []corev1.EnvVar{{Name: "A", Value: "1"}},
		Ports:        []corev1.ContainerPort{{Name: "http", ContainerPort: 8080, HostPort: 80, Protocol: corev1.ProtocolUDP, HostIP: "10.0.0.4"}, {ContainerPort: 9090}},
		VolumeMounts: []corev1.VolumeMount{{Name: "data", MountPath: "/data"}},
		RestartPolicyRules: []corev1.ContainerRestartRule{
			{Action: corev1.ContainerRestartRuleActionRestartAllContainers, ExitCodes: &corev1.ContainerRestartRuleOnExitCodes{Operator: "In", Values: []int32{42}}}},
		Resources: corev1.ResourceRequirements{
			Requests: corev1.ResourceList{"cpu": q("500m"), "memory": q("1Gi"), "nvidia.com/gpu": q("1")},
			Limits:   corev1.ResourceList{"cpu": q("1"), "memory": q("2Gi"), "nvidia.com/gpu": q("1")},
		},
		SecurityContext: &corev1.SecurityContext{RunAsUser: ptr(int64(1000))},
	}
}

func labels(app string) *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchLabels: map[string]string{"app": app},
		MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "tier", Operator: "NotIn", Values: []string{"a", "b"}}, {Key: "x", Operator: "Exists"}}}
}

func pod() *corev1.Pod {
	sidecar := container("proxy")
	sidecar.RestartPolicy = ptr(corev1.ContainerRestartPolicyAlways)
	p := &corev1.Pod{ObjectMeta: meta("pod-1")}
	p.DeletionTimestamp = &at
	p.Spec = corev1.PodSpec{
		Volumes: []corev1.Volume{
			{Name: "data", VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "claim-1"}}},
			{Name: "tmp", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}},
			{Name: "scratch", VolumeSource: corev1.VolumeSource{Ephemeral: &corev1.EphemeralVolumeSource{VolumeClaimTemplate: &corev1.PersistentVolumeClaimTemplate{
				Spec: corev1.PersistentVolumeClaimSpec{AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}}}}}},
			{Name: "gce", VolumeSource: corev1.VolumeSource{GCEPersistentDisk: &corev1.GCEPersistentDiskVolumeSource{PDName: "pd-1", FSType: "ext4", Partition: 1, ReadOnly: true}}},
			{Name: "ebs", VolumeSource: corev1.VolumeSource{AWSElasticBlockStore: &corev1.AWSElasticBlockStoreVolumeSource{VolumeID: "vol-1", ReadOnly: true}}},
			{Name: "iscsi", VolumeSource: corev1.VolumeSource{ISCSI: &corev1.ISCSIVolumeSource{TargetPortal: "10.0.0.2", IQN: "iqn.2026-03.example:disk", Lun: 3, ReadOnly: true, Portals: []string{"10.0.0.3"}}}},
			{Name: "rbd", VolumeSource: corev1.VolumeSource{RBD: &corev1.RBDVolumeSource{CephMonitors: []string{"mon-1", "mon-2"}, RBDImage: "image-1", RBDPool: "pool-1", RadosUser: "admin", ReadOnly: true}}},
			{Name: "azure", VolumeSource: corev1.VolumeSource{AzureDisk: &corev1.AzureDiskVolumeSource{DiskName: "disk", DataDiskURI: "uri-1"}}},
			{Name: "cinder", VolumeSource: corev1.VolumeSource{Cinder: &corev1.CinderVolumeSource{VolumeID: "cinder-1"}}},
			{Name: "portworx", VolumeSource: corev1.VolumeSource{PortworxVolume: &corev1.PortworxVolumeSource{VolumeID: "portworx-1"}}},
			{Name: "inline", VolumeSource: corev1.VolumeSource{CSI: &corev1.CSIVolumeSource{Driver: "inline.example"}}},
		},
		HostNetwork: true, HostUsers: ptr(false),
		InitContainers: []corev1.Container{container("init"), sidecar},
		Containers:     []corev1.Container{container("main"), container("second")},
		NodeSelector:   map[string]string{"disk": "ssd", "zone": "a"},
		NodeName:       "node-7", SchedulerName: "yunikorn", PriorityClassName: "high", Priority: ptr(int32(-5)),
		PreemptionPolicy: ptr(corev1.PreemptNever),
		ImagePullSecrets: []corev1.LocalObjectReference{{Name: "s1"}, {Name: "s2"}},
		SchedulingGates:  []corev1.PodSchedulingGate{{Name: "gate-1"}},
		Overhead:         corev1.ResourceList{"cpu": q("10m")},
		Resources:        &corev1.ResourceRequirements{Requests: corev1.ResourceList{"cpu": q("2"), "memory": q("4Gi")}},
		Tolerations: []corev1.Toleration{
			{Key: "k", Operator: corev1.TolerationOpEqual, Value: "v", Effect: corev1.TaintEffectNoSchedule},
			{Operator: corev1.TolerationOpExists, TolerationSeconds: ptr(int64(30))},
		},
		Affinity: &corev1.Affinity{
			NodeAffinity: &corev1.NodeAffinity{
				RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{
					{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "zone", Operator: "In", Values: []string{"a", "", "b"}}, {Key: "gpu", Operator: "Exists"}}},
					{MatchFields: []corev1.NodeSelectorRequirement{{Key: "metadata.name", Operator: "In", Values: []string{"node-7"}}}},
				}},
				PreferredDuringSchedulingIgnoredDuringExecution: []corev1.PreferredSchedulingTerm{{Weight: 1, Preference: corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "x", Operator: "Exists"}}}}},
			},
			PodAffinity: &corev1.PodAffinity{
				RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{
					{TopologyKey: "zone", LabelSelector: labels("db"), Namespaces: []string{"team-b", "team-c"}},
					{TopologyKey: "rack", NamespaceSelector: &metav1.LabelSelector{}},
				},
				PreferredDuringSchedulingIgnoredDuringExecution: []corev1.WeightedPodAffinityTerm{{Weight: 2, PodAffinityTerm: corev1.PodAffinityTerm{TopologyKey: "host"}}},
			},
			PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{
				{TopologyKey: "kubernetes.io/hostname", LabelSelector: labels("web"), NamespaceSelector: labels("stage")}}},
		},
		TopologySpreadConstraints: []corev1.TopologySpreadConstraint{
			{MaxSkew: 2, TopologyKey: "zone", WhenUnsatisfiable: corev1.DoNotSchedule, LabelSelector: labels("web"), MinDomains: ptr(int32(3)),
				NodeAffinityPolicy: ptr(corev1.NodeInclusionPolicyIgnore), NodeTaintsPolicy: ptr(corev1.NodeInclusionPolicyHonor), MatchLabelKeys: []string{"pod-template-hash"}},
			{MaxSkew: 1, TopologyKey: "rack", WhenUnsatisfiable: corev1.ScheduleAnyway},
		},
	}
	actual := corev1.ResourceRequirements{Requests: corev1.ResourceList{"cpu": q("750m")}}
	p.Status = corev1.PodStatus{
		Phase: corev1.PodPending, NominatedNodeName: "node-8", Resize: corev1.PodResizeStatusInfeasible, Message: "m", HostIP: "10.0.0.1",
		Conditions: []corev1.PodCondition{
			{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: "Unschedulable", Message: "no room", LastTransitionTime: at},
			{Type: "PodResizePending", Status: corev1.ConditionTrue, Reason: "Infeasible"},
		},
		ContainerStatuses: []corev1.ContainerStatus{
			{Name: "main", Ready: true, AllocatedResources: corev1.ResourceList{"cpu": q("600m")}, Resources: &actual, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: at}}},
			{Name: "second", Resources: &corev1.ResourceRequirements{}},
		},
		InitContainerStatuses: []corev1.ContainerStatus{{Name: "init"}},
		AllocatedResources:    corev1.ResourceList{"cpu": q("1500m"), "memory": q("3Gi")},
		Resources:             &corev1.ResourceRequirements{Requests: corev1.ResourceList{"cpu": q("1250m")}, Limits: corev1.ResourceList{"cpu": q("2")}},
	}
	return p
}

func node() *corev1.Node {
	n := &corev1.Node{ObjectMeta: meta("node-7")}
	n.Namespace = ""
	n.Spec = corev1.NodeSpec{PodCIDR: "10.0.0.0/24", Unschedulable: true, Taints: []corev1.Taint{
		{Key: "dedicated", Value: "gpu", Effect: corev1.TaintEffectNoSchedule, TimeAdded: &at}, {Key: "k", Effect: corev1.TaintEffectNoExecute}}}
	n.Status = corev1.NodeStatus{
		Capacity:         corev1.ResourceList{"cpu": q("32"), "memory": q("128Gi")},
		Allocatable:      corev1.ResourceList{"cpu": q("31850m"), "memory": q("125829120Ki"), "pods": q("110"), "hugepages-2Mi": q("0")},
		Conditions:       []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}},
		DeclaredFeatures: []string{"GuaranteedQoSPodCPUResize", "RestartAllContainersOnContainerExits"},
		Images:           []corev1.ContainerImage{{Names: []string{"a", "b"}, SizeBytes: 12345}},
	}
	return n
}

func annotated(name string, namespaced bool, annotations ...string) metav1.ObjectMeta {
	m := meta(name)
	if !namespaced {
		m.Namespace = ""
	}
	for i := 0; i < len(annotations); i += 2 {
		m.Annotations[annotations[i]] = annotations[i+1]
	}
	return m
}

func claim() *corev1.PersistentVolumeClaim {
	return &corev1.PersistentVolumeClaim{
		ObjectMeta: annotated("data-0", true, "volume.kubernetes.io/selected-node", "node-7", "pv.kubernetes.io/bind-completed", "yes",
			"pv.kubernetes.io/bound-by-controller", "yes", "volume.beta.kubernetes.io/storage-class", "old"),
		Spec: corev1.PersistentVolumeClaimSpec{AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOncePod, corev1.ReadOnlyMany}, Selector: labels("db"),
			Resources:  corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{"storage": q("8Gi")}, Limits: corev1.ResourceList{"storage": q("9Gi")}},
			VolumeName: "pv-1", StorageClassName: ptr("fast"), VolumeMode: ptr(corev1.PersistentVolumeBlock), VolumeAttributesClassName: ptr("gold"),
			DataSource: &corev1.TypedLocalObjectReference{Kind: "VolumeSnapshot", Name: "s"}},
		Status: corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimBound, Capacity: corev1.ResourceList{"storage": q("10Gi")}},
	}
}

func volume(source corev1.PersistentVolumeSource) *corev1.PersistentVolume {
	return &corev1.PersistentVolume{
		ObjectMeta: annotated("pv-1", false, "pv.kubernetes.io/provisioned-by", "csi.example", "pv.kubernetes.io/migrated-to", "csi.example", "pv.kubernetes.io/bound-by-controller", "yes"),
		Spec: corev1.PersistentVolumeSpec{Capacity: corev1.ResourceList{"storage": q("10Gi")}, PersistentVolumeSource: source,
			AccessModes:                   []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce, corev1.ReadWriteMany},
			ClaimRef:                      &corev1.ObjectReference{Kind: "PersistentVolumeClaim", Namespace: "team-a", Name: "data-0", UID: "44", APIVersion: "v1", ResourceVersion: "17"},
			PersistentVolumeReclaimPolicy: corev1.PersistentVolumeReclaimDelete, StorageClassName: "fast", MountOptions: []string{"ro"},
			VolumeMode: ptr(corev1.PersistentVolumeFilesystem), VolumeAttributesClassName: ptr("gold"),
			NodeAffinity: &corev1.VolumeNodeAffinity{Required: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{
				{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "zone", Operator: "In", Values: []string{"a", "b"}}}},
				{MatchFields: []corev1.NodeSelectorRequirement{{Key: "metadata.name", Operator: "In", Values: []string{"node-7"}}}}}}}},
		Status: corev1.PersistentVolumeStatus{Phase: corev1.VolumeBound, Message: "m", Reason: "r"},
	}
}

// One object of each kind that is about volumes, and persistent volumes of each source.
func writeVolumes() {
	both("volume_claim", claim(), core)
	bare := claim()
	bare.Spec = corev1.PersistentVolumeClaimSpec{StorageClassName: ptr(""), VolumeMode: ptr(corev1.PersistentVolumeFilesystem)}
	both("volume_claim_bare", bare, core)
	sources := []corev1.PersistentVolumeSource{
		{CSI: &corev1.CSIPersistentVolumeSource{Driver: "csi.example", VolumeHandle: "handle-1", VolumeAttributes: map[string]string{"a": "b"}}},
		{GCEPersistentDisk: &corev1.GCEPersistentDiskVolumeSource{PDName: "pd-1", ReadOnly: true}},
		{AWSElasticBlockStore: &corev1.AWSElasticBlockStoreVolumeSource{VolumeID: "vol-1"}},
		{RBD: &corev1.RBDPersistentVolumeSource{CephMonitors: []string{"mon-1", "mon-2"}, RBDImage: "image-1", RBDPool: "pool-1", ReadOnly: true}},
		{ISCSI: &corev1.ISCSIPersistentVolumeSource{TargetPortal: "10.0.0.2", IQN: "iqn.2026-03.example:disk", ReadOnly: true}},
		{Cinder: &corev1.CinderPersistentVolumeSource{VolumeID: "cinder-1"}},
		{AzureDisk: &corev1.AzureDiskVolumeSource{DiskName: "disk", DataDiskURI: "uri-1"}},
		{PortworxVolume: &corev1.PortworxVolumeSource{VolumeID: "portworx-1"}},
	}
	for i, name := range []string{"csi", "gce", "ebs", "rbd", "iscsi", "cinder", "azure", "portworx"} {
		both("volume_"+name, volume(sources[i]), core)
	}
	free := volume(corev1.PersistentVolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: "/data"}})
	free.Spec.ClaimRef, free.Spec.NodeAffinity = nil, nil
	both("volume_free", free, core)

	storage := storagev1.SchemeGroupVersion
	both("storage_class", &storagev1.StorageClass{ObjectMeta: annotated("fast", false), Provisioner: "csi.example", Parameters: map[string]string{"type": "ssd"},
		ReclaimPolicy: ptr(corev1.PersistentVolumeReclaimDelete), MountOptions: []string{"ro"}, AllowVolumeExpansion: ptr(true),
		VolumeBindingMode: ptr(storagev1.VolumeBindingWaitForFirstConsumer),
		AllowedTopologies: []corev1.TopologySelectorTerm{
			{MatchLabelExpressions: []corev1.TopologySelectorLabelRequirement{{Key: "zone", Values: []string{"a", "b"}}, {Key: "rack", Values: []string{"1"}}}}, {}}}, storage)
	both("csi_node", &storagev1.CSINode{ObjectMeta: annotated("node-7", false, "storage.alpha.kubernetes.io/migrated-plugins", "kubernetes.io/aws-ebs,kubernetes.io/gce-pd"),
		Spec: storagev1.CSINodeSpec{Drivers: []storagev1.CSINodeDriver{
			{Name: "csi.example", NodeID: "n", TopologyKeys: []string{"zone"}, Allocatable: &storagev1.VolumeNodeResources{Count: ptr(int32(25))}},
			{Name: "none.example", NodeID: "n", Allocatable: &storagev1.VolumeNodeResources{Count: ptr(int32(0))}},
			{Name: "unlimited.example", NodeID: "n", Allocatable: &storagev1.VolumeNodeResources{}},
			{Name: "silent.example", NodeID: "n"}}}}, storage)
	both("csi_driver", &storagev1.CSIDriver{ObjectMeta: annotated("csi.example", false),
		Spec: storagev1.CSIDriverSpec{AttachRequired: ptr(true), PodInfoOnMount: ptr(true), StorageCapacity: ptr(true), PreventPodSchedulingIfMissing: ptr(true),
			VolumeLifecycleModes: []storagev1.VolumeLifecycleMode{storagev1.VolumeLifecyclePersistent}}}, storage)
	both("csi_capacity", &storagev1.CSIStorageCapacity{ObjectMeta: meta("capacity-1"), NodeTopology: labels("storage"), StorageClassName: "fast",
		Capacity: ptr(q("1Ti")), MaximumVolumeSize: ptr(q("100Gi"))}, storage)
	both("csi_capacity_bare", &storagev1.CSIStorageCapacity{ObjectMeta: meta("capacity-2"), StorageClassName: "slow", Capacity: ptr(q("0"))}, storage)
	both("volume_attachment", &storagev1.VolumeAttachment{ObjectMeta: annotated("attachment-1", false),
		Spec:   storagev1.VolumeAttachmentSpec{Attacher: "csi.example", NodeName: "node-7", Source: storagev1.VolumeAttachmentSource{PersistentVolumeName: ptr("pv-1")}},
		Status: storagev1.VolumeAttachmentStatus{Attached: true}}, storage)
	both("volume_attachment_inline", &storagev1.VolumeAttachment{ObjectMeta: annotated("attachment-2", false),
		Spec: storagev1.VolumeAttachmentSpec{Attacher: "csi.example", NodeName: "node-7", Source: storagev1.VolumeAttachmentSource{InlineVolumeSpec: &volume(sources[1]).Spec}}}, storage)
}

func main() {
	dir = os.Args[1]
	writeVolumes()
	both("pod", pod(), core)
	both("node", node(), core)
	both("namespace", &corev1.Namespace{ObjectMeta: meta("team-a"), Spec: corev1.NamespaceSpec{Finalizers: []corev1.FinalizerName{"kubernetes"}}}, core)
	both("priority_class", &schedulingv1.PriorityClass{ObjectMeta: meta("high"), Value: -1000, GlobalDefault: true, Description: "d"}, schedulingv1.SchemeGroupVersion)
	both("config_map", &corev1.ConfigMap{ObjectMeta: meta("yunikorn-configs"), Immutable: ptr(false),
		Data:       map[string]string{"queues.yaml": "partitions:\n- name: default\n", "log.level": "INFO", "empty": ""},
		BinaryData: map[string][]byte{"a.gz": {0x1f, 0x8b, 0, 1, 2, 255}, "none": {}}}, core)
	both("disruption_budget", &policyv1.PodDisruptionBudget{ObjectMeta: meta("web"),
		Spec: policyv1.PodDisruptionBudgetSpec{MinAvailable: ptr(intstr.FromString("50%")), Selector: &metav1.LabelSelector{
			MatchLabels:      map[string]string{"app": "web", "empty": ""},
			MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "tier", Operator: "NotIn", Values: []string{"a", "b"}}, {Key: "x", Operator: "Exists"}}}},
		Status: policyv1.PodDisruptionBudgetStatus{ObservedGeneration: 3, DisruptionsAllowed: 2, CurrentHealthy: 7, DesiredHealthy: 5, ExpectedPods: 10,
			DisruptedPods: map[string]metav1.Time{"web-1": at}}}, policyv1.SchemeGroupVersion)
	both("empty_pod", &corev1.Pod{}, core)

	list := &corev1.PodList{ListMeta: metav1.ListMeta{ResourceVersion: "4711", Continue: "next-page", RemainingItemCount: ptr(int64(7))}}
	for _, name := range []string{"a", "b", "c"} {
		p := pod()
		p.Name = name
		list.Items = append(list.Items, *p)
	}
	both("pod_list", list, core)
	both("empty_list", &corev1.PodList{ListMeta: metav1.ListMeta{ResourceVersion: "12"}}, core)

	status := &metav1.Status{Status: "Failure", Reason: metav1.StatusReasonExpired, Code: 410, Message: "too old resource version: 1 (2)",
		Details: &metav1.StatusDetails{Name: "n", Kind: "pods", RetryAfterSeconds: 3, Causes: []metav1.StatusCause{
			{Type: "FieldValueForbidden", Field: "sendInitialEvents", Message: "off"}, {Type: "ResourceVersionTooLarge", Message: "Too large resource version"}}}}
	both("status", status, core)

	bookmark := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{ResourceVersion: "99", Annotations: map[string]string{"k8s.io/initial-events-end": "true"}}}
	var frames, texts []byte
	for _, e := range []struct {
		kind string
		o    runtime.Object
	}{{"ADDED", pod()}, {"MODIFIED", pod()}, {"DELETED", pod()}, {"BOOKMARK", bookmark}, {"ERROR", status}} {
		f, t := event(e.kind, e.o, core)
		frames, texts = append(frames, f...), append(texts, t...)
	}
	write("watch.pb", frames)
	write("watch.json", texts)
}
