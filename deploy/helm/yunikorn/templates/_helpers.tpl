{{/* SPDX-License-Identifier: Apache-2.0 */}}

{{- define "yunikorn.chart" -}}
{{- printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/*
Gives the values that the charts of Apache YuniKorn lack their defaults where they are missing: `helm upgrade
--reuse-values` replaces values.yaml by the values of the release before. Each template that reads one of these values
includes it first. A test compares these defaults with values.yaml.
*/}}
{{- define "yunikorn.complete" -}}
{{- range $key, $default := include "yunikorn.newDefaults" . | fromYaml -}}
{{- include "yunikorn.fill" (dict "into" $.Values "key" $key "default" $default) -}}
{{- end -}}
{{- end -}}

{{/* Sets `key` of the map `into`, unless it is there; a map is filled key by key. */}}
{{- define "yunikorn.fill" -}}
{{- $present := index .into .key -}}
{{- if kindIs "invalid" $present -}}
{{- $_ := set .into .key .default -}}
{{- else if and (kindIs "map" .default) (kindIs "map" $present) -}}
{{- range $inner, $default := .default -}}
{{- include "yunikorn.fill" (dict "into" $present "key" $inner "default" $default) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "yunikorn.newDefaults" -}}
image: {registry: "", repository: yunikorn, tag: "", digest: "", pullPolicy: IfNotPresent}
replicas: 2
leaderElection: {leaseDuration: 15s, renewDeadline: 10s, retryPeriod: 2s}
antiAffinity: soft
podDisruptionBudget: {maxUnavailable: 1}
rbac: {gangs: true, preemption: true}
startupProbe: {}
livenessProbe: {}
readinessProbe: {}
ldapSecretName: ""
admissionController:
  image: {registry: "", repository: "", tag: "", digest: "", pullPolicy: ""}
  replicaCount: 2
  startupProbe: {}
  readinessProbe: {}
  livenessProbe: {}
  service: {type: ClusterIP}
rest: {access: delegated}
restTLS: {secretName: "", clientCA: false, minVersion: "1.2"}
networkPolicy: {enabled: false}
web: {enabled: false}
serviceMonitor: {enabled: false, namespace: "", interval: 30s, scrapeTimeout: ""}
prometheusRule: {enabled: false, namespace: ""}
dashboards: {enabled: false, namespace: "", label: grafana_dashboard, labelValue: "1"}
helmTest: {enabled: true, timeoutSeconds: 120}
{{- end -}}

{{/* ---- labels ---- */}}

{{/*
Labels of an object of `component` (argument: root context, component). `app`, `component`, `chart`, `release` and
`heritage` are those of the charts of Apache YuniKorn.
*/}}
{{- define "yunikorn.labels" -}}
app: yunikorn
component: {{ .component }}
chart: {{ include "yunikorn.chart" .root }}
release: {{ .root.Release.Name }}
heritage: {{ .root.Release.Service }}
{{ include "yunikorn.recommendedLabels" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ include "yunikorn.chart" .root }}
{{- end -}}

{{- define "yunikorn.recommendedLabels" -}}
app.kubernetes.io/name: yunikorn
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
app.kubernetes.io/part-of: yunikorn
{{- end -}}

{{/* Selects the pods of a component. The selector of a Deployment cannot be changed, so neither can this. */}}
{{- define "yunikorn.selector" -}}
app: yunikorn
component: {{ .component }}
release: {{ .root.Release.Name }}
{{- end -}}

{{/* ---- image ---- */}}

{{/*
Argument: image (a map). Prints the key of `image` that names an image of Apache YuniKorn, or nothing: "repository" or
"registry", with any tag or digest; "tag", if the repository is that of this chart and the tag is of the form of theirs.
*/}}
{{- define "yunikorn.apacheKey" -}}
{{- $repository := .image.repository | default "yunikorn" -}}
{{- $apache := "(^|/)apache/yunikorn([:@].*)?$" -}}
{{- if regexMatch $apache $repository -}}
repository
{{- else if regexMatch $apache (printf "%s/%s" (.image.registry | default "" | trimSuffix "/") $repository) -}}
registry
{{- else if and (eq $repository "yunikorn")
    (regexMatch "^(scheduler|scheduler-plugin|admission)-1\\.[0-9]+\\.[0-9]+([-_.].*)?$" (toString .image.tag)) -}}
tag
{{- end -}}
{{- end -}}

{{/*
Arguments: root, image, path (of the value, for messages). Fails at an installation whose values name an image of
Apache YuniKorn. An upgrade replaces the image, because its values can be those of the chart before.
*/}}
{{- define "yunikorn.refuseApacheImage" -}}
{{- $key := include "yunikorn.apacheKey" . -}}
{{- if and $key (not .root.Release.IsUpgrade) -}}
{{- fail (printf "%s.%s (%v) names an image of Apache YuniKorn. It contains another program, which this chart cannot run. Remove %s.repository and %s.tag from the values, or name an image of this project" .path $key (index .image $key) .path .path) -}}
{{- end -}}
{{- end -}}

{{/* Argument: a map with registry, repository, tag, digest; root. Prints the reference of the image. */}}
{{- define "yunikorn.imageReference" -}}
{{- with .image.registry }}{{ trimSuffix "/" . }}/{{ end }}{{ .image.repository | default "yunikorn" }}
{{- if .image.digest }}@{{ .image.digest }}{{ else }}:{{ .image.tag | default .root.Chart.AppVersion }}{{ end -}}
{{- end -}}

{{/* Arguments: root, image. Prints the image of the scheduler as two lines of YAML. */}}
{{- define "yunikorn.image" -}}
{{- if include "yunikorn.apacheKey" . -}}
image: "yunikorn:{{ .root.Chart.AppVersion }}"
imagePullPolicy: IfNotPresent
{{- else -}}
image: {{ include "yunikorn.imageReference" . | quote }}
imagePullPolicy: {{ .image.pullPolicy | default "IfNotPresent" }}
{{- end -}}
{{- end -}}

{{/* The image of the admission controller: its own if it names a repository of ours, else that of the scheduler. */}}
{{- define "yunikorn.admissionImage" -}}
{{- $own := .Values.admissionController.image -}}
{{- $apache := include "yunikorn.apacheKey" (dict "root" . "image" $own) -}}
{{- $image := deepCopy .Values.image -}}
{{- if and $own.repository (not $apache) -}}
{{- $image = deepCopy $own -}}
{{- else if not $apache -}}
{{- range $key := list "tag" "digest" -}}
{{- with index $own $key }}{{ $_ := set $image $key . }}{{ end -}}
{{- end -}}
{{- if and $own.tag (not $own.digest) }}{{ $_ := set $image "digest" "" }}{{ end -}}
{{- end -}}
{{- if not $apache -}}
{{- $_ := set $image "pullPolicy" ($own.pullPolicy | default .Values.image.pullPolicy) -}}
{{- end -}}
{{- include "yunikorn.image" (dict "root" . "image" $image) -}}
{{- end -}}

{{/* Argument: a list of names, or of objects with a name. */}}
{{- define "yunikorn.pullSecrets" -}}
{{- range . }}
- name: {{ if kindIs "map" . }}{{ .name }}{{ else }}{{ . }}{{ end }}
{{- end }}
{{- end -}}

{{/* ---- service accounts ---- */}}

{{/* Arguments: account (a name, an object or null), name (the default). Prints the name. */}}
{{- define "yunikorn.accountName" -}}
{{- if kindIs "map" .account -}}
{{- .account.name | default .name -}}
{{- else -}}
{{- .account | default .name -}}
{{- end -}}
{{- end -}}

{{- define "yunikorn.schedulerAccount" -}}
{{- include "yunikorn.accountName" (dict "account" .Values.serviceAccount "name" "yunikorn-admin") -}}
{{- end -}}

{{- define "yunikorn.admissionAccount" -}}
{{- include "yunikorn.accountName" (dict "account" .Values.admissionController.serviceAccount "name" "yunikorn-admission-controller") -}}
{{- end -}}

{{/*
Arguments: root, account, name, component. The ServiceAccount as YAML, or nothing. One that exists and that this release
does not own is used as it is: hooks of the charts of Apache YuniKorn have created it, or the user has.
*/}}
{{- define "yunikorn.account" -}}
{{- $name := include "yunikorn.accountName" . -}}
{{- $given := kindIs "map" .account | ternary .account dict -}}
{{- $live := lookup "v1" "ServiceAccount" .root.Release.Namespace $name | default dict -}}
{{- $owner := dig "metadata" "annotations" "meta.helm.sh/release-name" "" $live -}}
{{- if and (ne (toString (get $given "create")) "false") (or (not $live) (eq $owner .root.Release.Name)) -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ $name }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "yunikorn.labels" . | nindent 4 }}
  annotations:
    # A chart of Apache YuniKorn creates its account only at an installation, so one that replaces this chart needs it.
    helm.sh/resource-policy: keep
    {{- with $given.annotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end -}}
{{- end -}}

{{/* ---- leader election ---- */}}

{{/* "true" or nothing: whether one of several schedulers is elected to lead. */}}
{{- define "yunikorn.elects" -}}
{{- $enabled := .Values.leaderElection.enabled -}}
{{- $several := gt (int .Values.replicas) 1 -}}
{{- if and $several (not (kindIs "invalid" $enabled)) (not $enabled) -}}
{{- fail "replicas above 1 need leaderElection: two active schedulers would allocate the same resources twice" -}}
{{- end -}}
{{- if kindIs "invalid" $enabled | ternary $several $enabled -}}
true
{{- end -}}
{{- end -}}

{{/*
"true" or nothing: whether the schedulers that run elect a leader, as far as the API server can be asked. A chart of
Apache YuniKorn, or one replica, does not, and must end before others start.
*/}}
{{- define "yunikorn.runningElects" -}}
{{- $live := lookup "apps/v1" "Deployment" .Release.Namespace "yunikorn-scheduler" | default dict -}}
{{- $containers := dig "spec" "template" "spec" "containers" list $live -}}
{{- if not $containers -}}
true
{{- else -}}
{{- range $containers }}{{ if has "--leader-elect" (.args | default list) }}true{{ end }}{{ end -}}
{{- end -}}
{{- end -}}

{{/* A duration such as 1m30s in nanoseconds. 0 if it does not fit into 64 bits. */}}
{{- define "yunikorn.nanoseconds" -}}
{{- $start := toDate "2006-01-02" "2000-01-01" -}}
{{- ((dateModify . $start).Sub $start).Nanoseconds -}}
{{- end -}}

{{/* Fails if the scheduler would refuse the durations of leaderElection (docs/reference/kubernetes.md, H2). */}}
{{- define "yunikorn.checkElectionTimes" -}}
{{- $given := .Values.leaderElection -}}
{{- $ns := dict -}}
{{- range $key := list "leaseDuration" "renewDeadline" "retryPeriod" -}}
{{- $time := include "yunikorn.nanoseconds" (index $given $key) | int64 -}}
{{- if or (le $time 0) (gt $time 86400000000000) -}}
{{- fail (printf "leaderElection.%s (%s) must be longer than 0s and at most 24h" $key (index $given $key)) -}}
{{- end -}}
{{- $_ := set $ns $key $time -}}
{{- end -}}
{{- if le $ns.leaseDuration $ns.renewDeadline -}}
{{- fail (printf "leaderElection.leaseDuration (%s) must be longer than renewDeadline (%s)" $given.leaseDuration $given.renewDeadline) -}}
{{- end -}}
{{- if le (mul 5 $ns.renewDeadline) (mul 6 $ns.retryPeriod) -}}
{{- fail (printf "leaderElection.renewDeadline (%s) must be longer than 1.2 times retryPeriod (%s)" $given.renewDeadline $given.retryPeriod) -}}
{{- end -}}
{{- end -}}

{{/* ---- parts of pods ---- */}}

{{- define "yunikorn.podSecurityContext" -}}
{{- $default := dict "runAsNonRoot" true "runAsUser" 4444 "runAsGroup" 4444 "seccompProfile" (dict "type" "RuntimeDefault") -}}
{{- include "yunikorn.merged" (dict "default" $default "given" .) -}}
{{- end -}}

{{- define "yunikorn.containerSecurityContext" -}}
{{- $default := dict "allowPrivilegeEscalation" false "privileged" false "readOnlyRootFilesystem" true "capabilities" (dict "drop" (list "ALL")) -}}
{{- include "yunikorn.merged" (dict "default" $default "given" .) -}}
{{- end -}}

{{/* `given` over `default`, key by key and not deep; null removes a default. */}}
{{- define "yunikorn.merged" -}}
{{- $merged := deepCopy .default -}}
{{- range $key, $value := .given -}}
{{- if kindIs "invalid" $value -}}
{{- $_ := unset $merged $key -}}
{{- else -}}
{{- $_ := set $merged $key $value -}}
{{- end -}}
{{- end -}}
{{- toYaml $merged -}}
{{- end -}}

{{/* Arguments: name, default (YAML, or "" for no probe), given. The probe as YAML, or nothing. */}}
{{- define "yunikorn.probe" -}}
{{- $given := .given | default dict -}}
{{- if and (ne (toString (get $given "enabled")) "false") (or .default (omit $given "enabled")) -}}
{{- $default := .default | fromYaml -}}
{{- if or (hasKey $given "exec") (hasKey $given "tcpSocket") (hasKey $given "grpc") -}}
{{- $default = omit $default "httpGet" -}}
{{- end -}}
{{ .name }}:
  {{- include "yunikorn.merged" (dict "default" $default "given" (omit $given "enabled")) | nindent 2 }}
{{- end -}}
{{- end -}}

{{/* Arguments: root, component, replicas, affinity. The affinity of the pod as YAML, or nothing. */}}
{{- define "yunikorn.affinity" -}}
{{- if .affinity -}}
{{- toYaml .affinity -}}
{{- else if and (gt (int .replicas) 1) (ne .root.Values.antiAffinity "none") -}}
podAntiAffinity:
{{- if eq .root.Values.antiAffinity "hard" }}
  requiredDuringSchedulingIgnoredDuringExecution:
    - topologyKey: kubernetes.io/hostname
      labelSelector:
        matchLabels:
          {{- include "yunikorn.selector" . | nindent 10 }}
{{- else }}
  preferredDuringSchedulingIgnoredDuringExecution:
    - weight: 100
      podAffinityTerm:
        topologyKey: kubernetes.io/hostname
        labelSelector:
          matchLabels:
            {{- include "yunikorn.selector" . | nindent 12 }}
{{- end }}
{{- end -}}
{{- end -}}

{{/* Arguments: root, component, replicas, constraints (a list, or null for the default). YAML, or nothing. */}}
{{- define "yunikorn.spread" -}}
{{- $constraints := .constraints -}}
{{- if and (kindIs "invalid" $constraints) (gt (int .replicas) 1) -}}
{{- $constraints = list (dict "maxSkew" 1 "topologyKey" "topology.kubernetes.io/zone" "whenUnsatisfiable" "ScheduleAnyway") -}}
{{- end -}}
{{- $selector := dict "labelSelector" (dict "matchLabels" (include "yunikorn.selector" . | fromYaml)) -}}
{{- $complete := list -}}
{{- range $constraints -}}
{{- $complete = append $complete (merge (deepCopy .) $selector) -}}
{{- end -}}
{{- if $complete -}}
{{- toYaml $complete -}}
{{- end -}}
{{- end -}}

{{/* "true" or nothing: whether `replicas` of a component have a PodDisruptionBudget. Arguments: root, replicas. */}}
{{- define "yunikorn.hasBudget" -}}
{{- $enabled := .root.Values.podDisruptionBudget.enabled -}}
{{- if kindIs "invalid" $enabled | ternary (gt (int .replicas) 1) $enabled -}}
true
{{- end -}}
{{- end -}}

{{/* ---- settings ---- */}}

{{/* A value as the text that a ConfigMap needs. Helm reads 1048576 as a float; %v would print 1.048576e+06. */}}
{{- define "yunikorn.text" -}}
{{- if and (kindIs "float64" .) (eq (float64 (int64 .)) .) -}}
{{- int64 . -}}
{{- else -}}
{{- toString . -}}
{{- end -}}
{{- end -}}

{{/*
"true" or nothing. Tokens of callers are accepted over TLS only. Without a Secret the scheduler makes a certificate itself.
*/}}
{{- define "yunikorn.restIsEncrypted" -}}
{{- if or .Values.restTLS.secretName (ne .Values.rest.access "none") -}}true{{- end -}}
{{- end -}}

{{/*
Fails if the web UI of Apache YuniKorn is enabled and cannot reach the REST interface: it passes requests on without a
token, to http://127.0.0.1:9080. An open port for it alone would show everything to everyone who reaches the UI, and so
undo rest.access.
*/}}
{{- define "yunikorn.checkWeb" -}}
{{- if .Values.web.enabled -}}
{{- $access := dig "service.web.access" "none" (include "yunikorn.defaults" . | fromYaml) -}}
{{- if or (ne .Values.rest.access "none") (ne $access "none") -}}
{{- fail "web.enabled needs rest.access=none: the web UI of Apache YuniKorn has no login and sends no token, and everyone who reaches it sees all queues, applications, nodes and names of users. The page of the scheduler itself takes a token" -}}
{{- else if .Values.restTLS.secretName -}}
{{- fail "web.enabled needs an empty restTLS.secretName: the web UI of Apache YuniKorn reaches the scheduler in its pod without encryption" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* yunikornDefaults, completed from the deprecated values where a key is not given. */}}
{{- define "yunikorn.defaults" -}}
{{- $data := dict -}}
{{- range $key, $value := .Values.yunikornDefaults -}}
{{- if not (kindIs "invalid" $value) -}}
{{- $_ := set $data $key (include "yunikorn.text" $value) -}}
{{- end -}}
{{- end -}}
{{- $filtering := "admissionController.filtering." -}}
{{- $fallback := dict "queues.yaml" .Values.configuration "service.operatorPlugins" .Values.operatorPlugins "service.placeholderImage" (.Values.placeHolderImage | default .Values.placeholderImage) -}}
{{- range $name := list "processNamespaces" "bypassNamespaces" "labelNamespaces" "noLabelNamespaces" -}}
{{- $_ := set $fallback (print $filtering $name) (index $.Values.admissionController $name) -}}
{{- end -}}
{{- if ne .Values.rest.access "none" -}}
{{- $_ := set $fallback "service.web.access" .Values.rest.access -}}
{{- end -}}
{{/*
From Kubernetes 1.30 on, the admission controller has a webhook that no pod of ours can bypass, unless a setting says
that users are not checked or that the webhook may fail.
*/}}
{{- $bypasses := has (get $data "admissionController.accessControl.bypassAuth") (list "1" "t" "T" "true" "TRUE" "True") -}}
{{- $ignores := eq (get $data "admissionController.webHook.failurePolicy") "Ignore" -}}
{{- if and .Values.embedAdmissionController (semverCompare ">=1.30.0-0" .Capabilities.KubeVersion.Version) (not $bypasses) (not $ignores) -}}
{{- $_ := set $fallback "service.trustUserInfo" "webhook" -}}
{{- end -}}
{{- range $key, $value := $fallback -}}
{{- if and (not (kindIs "invalid" $value)) (not (hasKey $data $key)) -}}
{{- $_ := set $data $key (include "yunikorn.text" $value) -}}
{{- end -}}
{{- end -}}
{{/* Without the permissions for gangs the scheduler creates no placeholders. */}}
{{- if not .Values.rbac.gangs -}}
{{- $_ := set $data "service.disableGangScheduling" "true" -}}
{{- end -}}
{{- with .Values.restTLS -}}
{{- if .secretName -}}
{{- $_ := set $data "service.web.tls.certFile" "/etc/yunikorn/tls/tls.crt" -}}
{{- $_ := set $data "service.web.tls.keyFile" "/etc/yunikorn/tls/tls.key" -}}
{{- $_ := set $data "service.web.tls.minVersion" (print .minVersion) -}}
{{- if .clientCA -}}
{{- $_ := set $data "service.web.tls.clientCaFile" "/etc/yunikorn/tls/ca.crt" -}}
{{- end -}}
{{- else if include "yunikorn.restIsEncrypted" $ -}}
{{- $_ := set $data "service.web.tls.selfSigned" "true" -}}
{{- $_ := set $data "service.web.tls.minVersion" (print .minVersion) -}}
{{- end -}}
{{- end -}}
{{- if $data -}}
{{- toYaml $data -}}
{{- end -}}
{{- end -}}
