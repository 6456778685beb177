{{- define "mamenoki.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end }}

{{- define "mamenoki.labels" -}}
app.kubernetes.io/name: mamenoki
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "mamenoki.selector" -}}
app.kubernetes.io/name: mamenoki
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end }}

{{- define "mamenoki.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "mamenoki.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- define "mamenoki.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end }}

{{/* The environment that every part has: secrets by reference, then settings. */}}
{{- define "mamenoki.environment" -}}
- name: DATABASE_URL
  valueFrom: {secretKeyRef: {name: {{ .Values.secrets.name }}, key: {{ .Values.secrets.databaseUrl }}}}
- name: REDIS_URL
  valueFrom: {secretKeyRef: {name: {{ .Values.secrets.name }}, key: {{ .Values.secrets.redisUrl }}}}
- name: MAMENOKI_SERVICE_TOKEN
  valueFrom: {secretKeyRef: {name: {{ .Values.secrets.name }}, key: {{ .Values.secrets.serviceToken }}}}
- name: MAMENOKI_ALLOW_PLAINTEXT
  value: "true"
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}
