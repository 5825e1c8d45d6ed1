{{/* SPDX-License-Identifier: Apache-2.0 */}}

{{- define "yunikorn.chart" -}}
{{- printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/*
Gives the values that the original chart lacks their defaults where they are missing: `helm upgrade --reuse-values`
replaces the chart's values.yaml by that of the release before. Keep in step with values.yaml. Each template that
reads one of these values includes it first.
*/}}
{{- define "yunikorn.complete" -}}
{{- $defaults := dict
    "image" (dict "repository" "yunikorn" "tag" "scheduler-latest" "pullPolicy" "IfNotPresent")
    "replicas" 1
    "leaderElection" (dict "leaseDuration" "15s" "renewDeadline" "10s" "retryPeriod" "2s")
    "extraEnv" list
    "ldapSecretName" ""
    "restTLS" (dict "secretName" "" "clientCA" false "minVersion" "1.2")
    "rbac" (dict "gangs" true "preemption" true) -}}
{{- range $key, $default := $defaults -}}
{{- if not (hasKey $.Values $key) -}}
{{- $_ := set $.Values $key $default -}}
{{- else if kindIs "map" $default -}}
{{- $given := index $.Values $key -}}
{{- range $inner, $value := $default -}}
{{- if not (hasKey $given $inner) -}}
{{- $_ := set $given $inner $value -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/*
The value that names an image of Apache YuniKorn: "repository", on Docker Hub or a mirror of it, with or without a tag
or digest, "tag" if that is one of Apache's and the repository is the default, or nothing.
*/}}
{{- define "yunikorn.apacheImage" -}}
{{- if regexMatch "(^|/)apache/yunikorn([:@].*)?$" .Values.image.repository -}}
repository
{{- else if and (eq .Values.image.repository "yunikorn")
    (regexMatch "^scheduler-(plugin-)?1\\.[0-9]+\\.[0-9]+([-_.].*)?$" (toString .Values.image.tag)) -}}
tag
{{- end -}}
{{- end -}}

{{/* The image to run, as YAML. An image of Apache YuniKorn is another program: the default stands in for it. */}}
{{- define "yunikorn.image" -}}
{{- if include "yunikorn.apacheImage" . -}}
image: "yunikorn:scheduler-latest"
imagePullPolicy: IfNotPresent
{{- else -}}
image: "{{ .Values.image.repository }}:{{ .Values.image.tag }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- end -}}
{{- end -}}

{{/* Labels of every object. The names are those of the original chart, selectors included. */}}
{{- define "yunikorn.labels" -}}
app: yunikorn
chart: {{ include "yunikorn.chart" . }}
release: {{ .Release.Name }}
heritage: {{ .Release.Service }}
{{- end -}}

{{/* The identity of the scheduler's pod. A Deployment's selector cannot be changed: keep it. */}}
{{- define "yunikorn.selector" -}}
app: yunikorn
component: yunikorn-scheduler
release: {{ .Release.Name }}
{{- end -}}

{{/* "true" or nothing: whether one of several schedulers is elected to lead. */}}
{{- define "yunikorn.elects" -}}
{{- $enabled := .Values.leaderElection.enabled -}}
{{- $several := gt (int .Values.replicas) 1 -}}
{{- if and $several (not (kindIs "invalid" $enabled)) (not $enabled) -}}
{{- fail "replicas above 1 need leaderElection: two schedulers at once would hand out the same room twice" -}}
{{- end -}}
{{- if kindIs "invalid" $enabled | ternary $several $enabled -}}
true
{{- end -}}
{{- end -}}

{{/* A time such as 1m30s in nanoseconds. 0 if it does not fit into 64 bits. */}}
{{- define "yunikorn.nanoseconds" -}}
{{- $start := toDate "2006-01-02" "2000-01-01" -}}
{{- ((dateModify . $start).Sub $start).Nanoseconds -}}
{{- end -}}

{{/* Fails if the scheduler would refuse the times of leaderElection (docs/reference/kubernetes.md, H2). */}}
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

{{/* What a user may set on top, key by key; null takes a default away. */}}
{{- define "yunikorn.podSecurityContext" -}}
{{- $default := dict "runAsNonRoot" true "runAsUser" 4444 "runAsGroup" 4444 "seccompProfile" (dict "type" "RuntimeDefault") -}}
{{- toYaml (include "yunikorn.merged" (dict "default" $default "given" .Values.podSecurityContext) | fromYaml) -}}
{{- end -}}

{{- define "yunikorn.containerSecurityContext" -}}
{{- $default := dict "allowPrivilegeEscalation" false "privileged" false "readOnlyRootFilesystem" true "capabilities" (dict "drop" (list "ALL")) -}}
{{- toYaml (include "yunikorn.merged" (dict "default" $default "given" .Values.schedulerSecurityContext) | fromYaml) -}}
{{- end -}}

{{/* Key by key and not deep: whoever sets `capabilities` means the whole of it. */}}
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

{{/* A value as the text a ConfigMap needs. Helm reads 1048576 as a float; %v would print 1.048576e+06. */}}
{{- define "yunikorn.text" -}}
{{- if and (kindIs "float64" .) (eq (float64 (int64 .)) .) -}}
{{- int64 . -}}
{{- else -}}
{{- toString . -}}
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
{{- $deprecated := dict "queues.yaml" .Values.configuration "service.operatorPlugins" .Values.operatorPlugins "service.placeholderImage" .Values.placeHolderImage -}}
{{- range $name := list "processNamespaces" "bypassNamespaces" "labelNamespaces" "noLabelNamespaces" -}}
{{- $_ := set $deprecated (print $filtering $name) (index $.Values.admissionController $name) -}}
{{- end -}}
{{- range $key, $value := $deprecated -}}
{{- if and (not (kindIs "invalid" $value)) (not (hasKey $data $key)) -}}
{{- $_ := set $data $key (include "yunikorn.text" $value) -}}
{{- end -}}
{{- end -}}
{{/* Without the rights for gangs the scheduler makes no placeholders. */}}
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
{{- end -}}
{{- end -}}
{{- if $data -}}
{{- toYaml $data -}}
{{- end -}}
{{- end -}}
