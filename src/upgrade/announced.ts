import type { EndpointName } from "../api/endpoints";
import type { Release } from "../api/release";
import type { Severity } from "./finding";

/** A change of what is sent or answered, which the table of endpoints has no words for. */
export interface Announcement {
  readonly section: string;
  readonly since: Release;
  readonly endpoints: readonly EndpointName[];
  readonly what: string;
  readonly instead: string;
  /** What a script has that is hit. Where it shows neither this nor the rest, it may be hit. */
  readonly sign: RegExp;
  readonly severity: Severity;
}

/** A member called credential, in JSON or in a language's own way, and not credentialID. */
const CREDENTIAL =
  /(?<![\w-])["']?credential["']?\]?\s*(?:[:=]|=>)|\.credential\b(?!\s*\()|\[\s*["']credential["']\s*\]/;

export const ANNOUNCED = [
  {
    section: "9.1.2",
    since: "20.09",
    endpoints: ["putRegistrySettings", "addRegistrySpecification", "replaceServerlessScan"],
    what: "Inline credentials are refused from release 20.09 on.",
    instead: "Store the credential on the console, and send its ID as credentialID.",
    sign: CREDENTIAL,
    severity: "error",
  },
  {
    section: "9.1.2",
    since: "20.09",
    endpoints: ["getRegistrySettings", "getServerlessScan"],
    what: "The details of inline credentials are empty in the answer from release 20.09 on.",
    instead: "Read credentialID.",
    sign: CREDENTIAL,
    severity: "error",
  },
  {
    section: "9.3.7",
    since: "next",
    endpoints: ["getImages"],
    what: "binaries[].layerTime is deprecated in the answer of the next release.",
    instead: "Read applications[].layerTime.",
    sign: /\blayerTime\b/,
    severity: "warning",
  },
] as const satisfies readonly Announcement[];

/** What scripts read of an image scanner's report that the next release's scanner writes otherwise. */
export const SCANNER_MEMBERS = {
  section: "9.3.5",
  since: "next",
  members: {
    riskFactors: "an array of strings, without values",
    publishedDays: "gone: publishedDate has the date",
    discoveredDays: "gone: discoveredDate has the date",
  },
} as const;
