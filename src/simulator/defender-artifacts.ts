import { gzipSync } from "node:zlib";

/** Settings of a defender. */
export interface DefenderSettings {
  /** Address of the console. */
  readonly consoleAddr: string;
  readonly namespace: string;
  readonly orchestration: string;
  readonly privileged: boolean;
  /** True if the defender gets the token of its service account. */
  readonly serviceAccounts: boolean;
}

const NOTHING_INSTALLED = "This console is simulated: there is no defender to install.";

/** Formats the installation script for Linux. */
export function linuxScript({ consoleAddr }: DefenderSettings): string {
  return `#!/bin/sh
# Installs a defender on this Linux host.
set -eu

CONSOLE_ADDR=${shellQuoted(consoleAddr)}

[ "$(uname -s)" = Linux ] || { echo "Linux only." >&2; exit 1; }
echo "Console: $CONSOLE_ADDR"
echo "${NOTHING_INSTALLED}"
`;
}

/** Formats the installation script for Windows. */
export function windowsScript({ consoleAddr }: DefenderSettings): string {
  return `# Installs a defender on this Windows host.
$ErrorActionPreference = 'Stop'

$ConsoleAddr = ${powerShellQuoted(consoleAddr)}

Write-Output "Console: $ConsoleAddr"
Write-Output "${NOTHING_INSTALLED}"
`;
}

/** Formats a Kubernetes manifest. */
export function daemonSet(settings: DefenderSettings): string {
  return manifest({
    namespace: yamlQuoted(settings.namespace),
    consoleAddr: yamlQuoted(settings.consoleAddr),
    orchestration: yamlQuoted(settings.orchestration),
    privileged: String(settings.privileged),
    serviceAccounts: String(settings.serviceAccounts),
  });
}

/** Packs a Helm chart, byte for byte the same for the same settings. */
export async function helmChart(product: string, settings: DefenderSettings): Promise<Buffer> {
  // Loaded for downloads only.
  const { createTar } = await import("nanotar");
  const name = `${product}-defender-helm`;
  const files: readonly (readonly [path: string, content: string])[] = [
    ["Chart.yaml", chart(name)],
    ["values.yaml", values(settings)],
    [
      "templates/daemonset.yaml",
      manifest({
        namespace: "{{ .Values.namespace | quote }}",
        consoleAddr: "{{ .Values.consoleAddr | quote }}",
        orchestration: "{{ .Values.orchestration | quote }}",
        privileged: "{{ .Values.privileged }}",
        serviceAccounts: "{{ .Values.serviceAccounts }}",
      }),
    ],
  ];
  const tar = createTar(
    files.map(([path, data]) => ({ name: `${name}/${path}`, data })),
    { attrs: { mtime: 0, mode: "644", uid: 0, gid: 0, user: "root", group: "root" } },
  );
  return gzipSync(tar);
}

function chart(name: string): string {
  return `apiVersion: v1
name: ${yamlQuoted(name)}
version: 1.0.0
description: Defenders on every node of a cluster
`;
}

function values(settings: DefenderSettings): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
    .join("");
}

/** Formats the manifest. Values are YAML, or placeholders of a chart. */
function manifest(value: Readonly<Record<keyof DefenderSettings, string>>): string {
  return `apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: defender
  namespace: ${value.namespace}
spec:
  selector:
    matchLabels:
      app: defender
  template:
    metadata:
      labels:
        app: defender
    spec:
      automountServiceAccountToken: ${value.serviceAccounts}
      containers:
        - name: defender
          image: registry.example.com/defender:latest
          env:
            - name: CONSOLE_ADDR
              value: ${value.consoleAddr}
            - name: ORCHESTRATION
              value: ${value.orchestration}
          securityContext:
            privileged: ${value.privileged}
`;
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function powerShellQuoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Strings of JSON are valid in YAML. */
function yamlQuoted(text: string): string {
  return JSON.stringify(text);
}
