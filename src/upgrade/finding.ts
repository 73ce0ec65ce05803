import type { AttributePath } from "../provider/values";
import type { Upgrade } from "./change";

/**
 * The effect of an upgrade. `error`: it breaks; `possible`: it breaks if the script does what it
 * does not show plainly; `warning`: it is deprecated; `note`: nothing has to be done now.
 */
export type Severity = "error" | "possible" | "warning" | "note";

export const SEVERITIES: readonly Severity[] = ["error", "possible", "warning", "note"];

/** A call in a script, or the use of a member of a scanner's report. */
export interface CallPlace {
  readonly kind: "call";
  /** The path as it was named or found below a named folder, with `/`. */
  readonly file: string;
  /** The line of the call, from 1. */
  readonly line: number;
  /** The file and line of the path's text, which are others where a constant holds it. */
  readonly pathFile: string;
  readonly pathLine: number;
  readonly endLine: number;
  /** In upper case; undefined where it is not plain. */
  readonly method?: string;
  readonly path?: string;
}

/** `POST /api/v1/settings/registry`; without a method that is not plain. */
export function calledAs({ method, path = "" }: CallPlace): string {
  return method === undefined ? path : `${method} ${path}`;
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
  /** The request that reads it, as in `GET /api/v1/settings/registry`. */
  readonly setting: string;
  /** Identifies the entry; never a secret. */
  readonly entry: string;
}

export type Place = CallPlace | StackPlace | ConsolePlace;

export interface Finding<P extends Place = Place> {
  readonly severity: Severity;
  /** Section of the specification, as in `9.1.1`; a key of `SECTIONS`. */
  readonly section: string;
  /** Full sentences. */
  readonly message: string;
  readonly replacement?: string;
  readonly place: P;
}

/** The findings of a run, and what was checked. */
export interface UpgradeResult extends Upgrade {
  readonly findings: readonly Finding[];
  /** Undefined for what was not asked for. */
  readonly files?: {
    readonly read: number;
    readonly passedOver: number;
    readonly foldersPassedOver: number;
  };
  readonly stacks?: readonly string[];
  /** The address of the console. */
  readonly console?: string;
}

/** Reports whether something breaks, or may break: the exit code is 2. */
export function isBreaking({ severity }: Finding): boolean {
  return severity === "error" || severity === "possible";
}

export function countOf(findings: readonly Finding[], severity: Severity): number {
  return findings.filter((finding) => finding.severity === severity).length;
}
