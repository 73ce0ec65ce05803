import type { AttributePath } from "../core/values";
import type { FindingSection, Upgrade } from "./change";

/**
 * The effect of an upgrade. `error`: something breaks. `possible`: it breaks if the stack keeps the
 * release that it calls. `mentioned`: a script names what changes. `warning`: what is used is
 * deprecated. `note`: nothing has to be done now.
 */
export type FindingSeverity = "error" | "possible" | "mentioned" | "warning" | "note";

export const SEVERITIES: readonly FindingSeverity[] = [
  "error",
  "possible",
  "mentioned",
  "warning",
  "note",
];

/** A text in a script that names what the upgrade changes. */
export interface MentionPlace {
  readonly kind: "mention";
  /** The path as it was named or found below a named folder, with `/`. */
  readonly file: string;
  /** The line number, from 1. */
  readonly line: number;
  /** The text that matches the pattern; never the whole line, which may contain a password. */
  readonly text: string;
}

/** A block of a synthesized stack. */
export interface StackPlace {
  readonly kind: "stack";
  readonly stack: string;
  readonly address: string;
  readonly constructPath?: string;
  readonly path: AttributePath;
}

/** An entry of a console's settings. */
export interface ConsolePlace {
  readonly kind: "console";
  /** The tenant of the console, where the consoles of a file of tenants were read. */
  readonly tenant?: string;
  /** The request that reads the settings, such as `GET /api/v1/settings/registry`. */
  readonly setting: string;
  /** Identifies the entry; contains no secret. */
  readonly entry: string;
}

export type FindingPlace = MentionPlace | StackPlace | ConsolePlace;

export interface UpgradeFinding<P extends FindingPlace = FindingPlace> {
  readonly severity: FindingSeverity;
  readonly section: FindingSection;
  /** Full sentences. */
  readonly message: string;
  readonly replacement?: string;
  readonly place: P;
}

/** The findings of a run, and what was checked. */
export interface UpgradeResult extends Upgrade {
  readonly findings: readonly UpgradeFinding[];
  /** The scripts; undefined if none were searched, as are the stacks and the console below. */
  readonly files?: {
    readonly read: number;
    readonly passedOver: number;
    readonly foldersPassedOver: number;
  };
  readonly stacks?: readonly string[];
  /** The address of the console. */
  readonly console?: string;
  /** The tenants whose consoles were read. */
  readonly tenants?: readonly string[];
}

/** Reports whether a finding makes the exit code 2: something breaks, may break, or is mentioned. */
export function isBreaking({ severity }: UpgradeFinding): boolean {
  return ["error", "possible", "mentioned"].includes(severity);
}

export function countOf(findings: readonly UpgradeFinding[], severity: FindingSeverity): number {
  return findings.filter((finding) => finding.severity === severity).length;
}
