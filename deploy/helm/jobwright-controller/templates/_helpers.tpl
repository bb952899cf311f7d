{{- define "jobwright.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "jobwright.labels" -}}
{{ include "jobwright.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/part-of: jobwright
{{- end }}

{{- define "jobwright.lease" -}}
{{ .Release.Name }}
{{- end }}
