import type { Upgrade } from "../change";
import { countOf, type Finding, type Severity } from "../finding";

/** All that a run has found, and what it has looked at. */
export interface UpgradeResult extends Upgrade {
  readonly findings: readonly Finding[];
  /** Undefined for what was not asked for. */
  readonly files?: { readonly read: number; readonly passedOver: number };
  readonly stacks?: readonly string[];
  /** The console's address. */
  readonly console?: string;
}

/** `2 errors, 1 warning, no notes`. */
export function countsInWords({ findings }: UpgradeResult): string {
  const counted = (severity: Severity) => plural(countOf(findings, severity), severity);
  return `${counted("error")}, ${counted("warning")}, ${counted("note")}`;
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
