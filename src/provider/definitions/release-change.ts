import type { EndpointChange } from "../../api/endpoint";
import type { AttributePath, ObjectValue } from "../values";

/**
 * A change of a release that affects stacks (specification, section 9). Changes that the provider
 * hides, such as other paths, methods and terms, are not among them.
 */
export interface ReleaseChange extends EndpointChange {
  /** The subject of the change, as the beginning of a sentence: "Inline credentials". */
  readonly what: string;
  /**
   * `deprecates`: it continues to work. `replaces`: its results change. `refuses`: its use is an
   * error from that release on.
   */
  readonly effect: "deprecates" | "replaces" | "refuses";
  /** The paths that use it; absent if every configuration uses it. */
  readonly usedAt?: (config: ObjectValue) => readonly AttributePath[];
}
