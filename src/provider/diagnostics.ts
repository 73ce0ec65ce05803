import type { AttributePath } from "./values";

/**
 * What a user is told about their configuration, their state or their console. A diagnostic is a
 * value: it is collected and passed on, never thrown.
 *
 * `summary` is one line that says what is wrong; `detail` says what to do about it. Neither ever
 * carries a secret. The provider sets `path`; `address` and `constructPath` are the executor's.
 */
export interface Diagnostic {
  readonly severity: "error" | "warning";
  readonly summary: string;
  readonly detail: string;
  /** The attribute, inside the resource, data source or provider block. */
  readonly path?: AttributePath;
  /** `cwp_license.license`, `provider.cwp`, `var.NAME`, `output.NAME`. */
  readonly address?: string;
  /** The construct that synthesized the block, as in `quickstart/license`. */
  readonly constructPath?: string;
}

export function error(summary: string, detail: string, path?: AttributePath): Diagnostic {
  return { severity: "error", summary, detail, ...(path && { path }) };
}

export function warning(summary: string, detail: string, path?: AttributePath): Diagnostic {
  return { severity: "warning", summary, detail, ...(path && { path }) };
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === "error");
}

/** `cwp_license.main (construct quickstart/license)`; undefined for what is of no block. */
export function formatPlace({ address, constructPath }: Diagnostic): string | undefined {
  if (constructPath === undefined) return address;
  const construct = `construct ${constructPath}`;
  return address === undefined ? construct : `${address} (${construct})`;
}

/** `policies[2].resources.hosts`: a path as users write it. */
export function formatPath(path: AttributePath): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    if (!/^[A-Za-z_][\w-]*$/.test(step)) return `${text}[${JSON.stringify(step)}]`;
    return text === "" ? step : `${text}.${step}`;
  }, "");
}
