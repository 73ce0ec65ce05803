import type { Method } from "../api/endpoint";
import type { AttributePath } from "../provider/values";

/**
 * What an upgrade does to something. `error`: it breaks (9.1, 9.3, or what is removed); `warning`:
 * it is deprecated, or breaks by what cannot be seen from here; `note`: nothing has to be done now.
 */
export type Severity = "error" | "warning" | "note";

/** A call in a script. */
export interface CallPlace {
  readonly kind: "call";
  /** As it was named or found below a folder that was named, with `/`. */
  readonly file: string;
  /** Where the URL is given to the call; from 1. */
  readonly line: number;
  /** Where the text of the path stands, which is another line if a variable holds it. */
  readonly pathLine: number;
  readonly endLine: number;
  /** Undefined for what is no call, such as the use of a scanner report's member. */
  readonly method?: Method;
  readonly path?: string;
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
  /** What is read to see it, as in `GET /api/v1/settings/registry`. */
  readonly setting: string;
  /** Which entry of it; never a secret. */
  readonly entry: string;
}

export type Place = CallPlace | StackPlace | ConsolePlace;

export interface Finding<P extends Place = Place> {
  readonly severity: Severity;
  /** Of the specification, as in `9.1.1`; a key of SECTIONS. */
  readonly section: string;
  /** What happens, as sentences. */
  readonly message: string;
  /** What to do instead. */
  readonly replacement?: string;
  readonly place: P;
}

export function countOf(findings: readonly Finding[], severity: Severity): number {
  return findings.filter((finding) => finding.severity === severity).length;
}
