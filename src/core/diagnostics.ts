import { joined, printable, Printed, printed, quote, type Printable } from "./printed";
import type { AttributePath } from "./values";

/**
 * A message to the user about the configuration, the state or the console. A diagnostic is a value:
 * it is collected and passed on, never thrown.
 *
 * `summary` is one line; `detail` is the cause and the advice. Neither contains a secret, and both are
 * escaped. The provider sets `path`, the executor sets `address` and `constructPath`.
 */
export interface Diagnostic {
  readonly severity: "error" | "warning";
  readonly summary: Printable;
  readonly detail: Printable;
  /** The attribute in the resource, data source or provider block. */
  readonly path?: AttributePath;
  /** Name of the list entry that `path` is in or leads to, where it is known and not sensitive. */
  readonly entry?: string;
  /** `cwp_license.license`, `provider.cwp`, `var.NAME`, `output.NAME`. */
  readonly address?: string;
  /** The construct that synthesized the block, as in `quickstart/license`. */
  readonly constructPath?: string;
  /** Set for a warning about a valid configuration that does not do what it seems to do. */
  readonly isFinding?: true;
  /** Set for the refusal of a write whose effect the plan could not know. Another plan shows it. */
  readonly isUnforeseen?: true;
  /** The line of the user's program that creates the construct, as in `stack.ts:12`. */
  readonly source?: string;
}

/** @param detail - a string is one line; see `printed` for text of several lines */
export function error(summary: string, detail: string | Printed, path?: AttributePath): Diagnostic {
  return { severity: "error", ...texts(summary, detail), ...(path && { path }) };
}

export function warning(
  summary: string,
  detail: string | Printed,
  path?: AttributePath,
): Diagnostic {
  return { severity: "warning", ...texts(summary, detail), ...(path && { path }) };
}

function texts(summary: string, detail: string | Printed) {
  return { summary: printable(summary), detail: Printed.line(detail).toString() };
}

/** Adds a paragraph to the detail. */
export function withParagraph(diagnostic: Diagnostic, paragraph: string | Printed): Diagnostic {
  const detail = printed`${Printed.of(diagnostic.detail)}\n\n${paragraph}`;
  return { ...diagnostic, detail: detail.toString() };
}

/** Replaces words of a diagnostic. */
export function reword(diagnostic: Diagnostic, replace: (line: string) => string): Diagnostic {
  const lines = Printed.of(diagnostic.detail).lines.map((line) => replace(line.toString()));
  return { ...diagnostic, ...texts(replace(diagnostic.summary), joined(lines, "\n")) };
}

/** A warning that `--strict` turns into an error. */
export function finding(
  summary: string,
  detail: string | Printed,
  path: AttributePath,
): Diagnostic {
  return { ...warning(summary, detail, path), isFinding: true };
}

/** Turns findings into errors. */
export function strictly(diagnostic: Diagnostic): Diagnostic {
  return diagnostic.isFinding ? { ...diagnostic, severity: "error" } : diagnostic;
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === "error");
}

/** `cwp_license.main (construct quickstart/license)`; undefined without a block. */
export function formatPlace({ address, constructPath, source }: Diagnostic): string | undefined {
  if (constructPath === undefined) return address;
  const construct = `construct ${constructPath}${source === undefined ? "" : ` of ${source}`}`;
  return address === undefined ? construct : `${address} (${construct})`;
}

/** `policies[2].name ("No root")`; undefined without a path. */
export function formatAttribute({ path = [], entry }: Diagnostic): string | undefined {
  if (path.length === 0) return undefined;
  return entry === undefined ? formatPath(path) : `${formatPath(path)} (${quote(entry)})`;
}

/** Formats a path as in HCL: `policies[2].resources.hosts`. */
export function formatPath(path: AttributePath): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    if (!/^[A-Za-z_][\w-]*$/.test(step)) return `${text}[${JSON.stringify(step)}]`;
    return text === "" ? step : `${text}.${step}`;
  }, "");
}
