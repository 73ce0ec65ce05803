import type { EndpointChange } from "../../api/endpoint";
import type { AttributePath, ObjectValue } from "../values";

/**
 * What a release changes for the stacks that rely on it (specification, section 9). What the
 * provider does for them whatever the release is none of this: other paths, methods and terms.
 */
export interface ReleaseChange extends EndpointChange {
  /** What is changed, as the beginning of a sentence: "Inline credentials". */
  readonly what: string;
  /**
   * `deprecates`: it works on. `replaces`: it gives something else. `refuses`: a configuration
   * that has it is an error from that release on.
   */
  readonly effect: "deprecates" | "replaces" | "refuses";
  /** Where a configuration relies on it; without it, every configuration does, as a whole. */
  readonly usedAt?: (config: ObjectValue) => readonly AttributePath[];
}
