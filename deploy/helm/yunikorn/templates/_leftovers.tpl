{{/* SPDX-License-Identifier: Apache-2.0 */}}

{{/*
What an upgrade from a chart of Apache YuniKorn leaves in the cluster, with the commands that remove or adopt it.
Objects that hooks created belong to no release, so Helm neither changes nor deletes them.
*/}}
{{- define "yunikorn.leftovers" -}}
{{- include "yunikorn.leftRoles" . }}
{{- include "yunikorn.leftWebhooks" . }}
{{- include "yunikorn.leftAccounts" . }}
{{- end -}}

{{/* "true" or nothing. Arguments: root, name of a ClusterRoleBinding: whether an account of this namespace has it. */}}
{{- define "yunikorn.isBound" -}}
{{- $binding := lookup "rbac.authorization.k8s.io/v1" "ClusterRoleBinding" "" .name | default dict -}}
{{- $namespace := .root.Release.Namespace -}}
{{- range $subject := ($binding.subjects | default list) -}}
{{- if and (eq $subject.kind "ServiceAccount") (eq ($subject.namespace | default "") $namespace) -}}true{{- end -}}
{{- end -}}
{{- end -}}

{{- define "yunikorn.leftRoles" -}}
{{- $namespace := .Release.Namespace -}}
{{- if include "yunikorn.isBound" (dict "root" . "name" "yunikorn-rbac") }}

NOTE: the chart before this one left roles behind that give the scheduler more permissions than it uses. To remove them:

  kubectl delete --ignore-not-found clusterrolebinding/yunikorn-rbac clusterrole/yunikorn-scheduler \
      clusterrolebinding/yunikorn-rbac-kube-scheduler clusterrolebinding/yunikorn-rbac-volume-scheduler
  kubectl -n {{ $namespace }} delete --ignore-not-found rolebinding/yunikorn-rbac role/yunikorn-scheduler
{{- end }}
{{- if include "yunikorn.isBound" (dict "root" . "name" "yunikorn-admission-controller-cluster-rbac") }}

NOTE: the chart before this one left roles of its admission controller behind. To remove them:

  kubectl delete --ignore-not-found clusterrolebinding/yunikorn-admission-controller-cluster-rbac \
      clusterrole/yunikorn-admission-controller-cluster-role
  kubectl -n {{ $namespace }} delete --ignore-not-found rolebinding/yunikorn-admission-controller-rbac \
      role/yunikorn-admission-controller-role
{{- end }}
{{- end -}}

{{- define "yunikorn.leftWebhooks" -}}
{{- $api := "admissionregistration.k8s.io/v1" -}}
{{- $mutating := lookup $api "MutatingWebhookConfiguration" "" "yunikorn-admission-controller-mutations" -}}
{{- $validating := lookup $api "ValidatingWebhookConfiguration" "" "yunikorn-admission-controller-validations" -}}
{{- if and (or $mutating $validating) (not .Values.embedAdmissionController) }}

WARNING: an admission controller has left its webhooks behind, and embedAdmissionController is false. Nothing answers
them: a webhook whose failure policy is Fail makes the API server refuse pods. To remove them:

  kubectl delete --ignore-not-found mutatingwebhookconfiguration/yunikorn-admission-controller-mutations \
      validatingwebhookconfiguration/yunikorn-admission-controller-validations
{{- end }}
{{- end -}}

{{/* Accounts that the chart would create, that exist, and that this release does not own. */}}
{{- define "yunikorn.leftAccounts" -}}
{{- $accounts := dict (include "yunikorn.schedulerAccount" .) .Values.serviceAccount -}}
{{- if .Values.embedAdmissionController -}}
{{- $_ := set $accounts (include "yunikorn.admissionAccount" .) .Values.admissionController.serviceAccount -}}
{{- end -}}
{{- $left := list -}}
{{- range $name, $account := $accounts -}}
{{- $live := lookup "v1" "ServiceAccount" $.Release.Namespace $name | default dict -}}
{{- $owner := dig "metadata" "annotations" "meta.helm.sh/release-name" "" $live -}}
{{- $given := kindIs "map" $account | ternary $account dict -}}
{{- if and $live (not $owner) (ne (toString (get $given "create")) "false") -}}
{{- $left = append $left (print "serviceaccount/" $name) -}}
{{- end -}}
{{- end -}}
{{- if $left }}

NOTE: this release uses service accounts that it does not own. They keep working as they are. To let the next upgrade
adopt them:

  kubectl -n {{ .Release.Namespace }} label {{ join " " $left }} app.kubernetes.io/managed-by=Helm --overwrite
  kubectl -n {{ .Release.Namespace }} annotate {{ join " " $left }} meta.helm.sh/release-name={{ .Release.Name }} \
      meta.helm.sh/release-namespace={{ .Release.Namespace }} --overwrite
{{- end }}
{{- end -}}
