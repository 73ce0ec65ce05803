import type { Endpoint, NamePosition } from "../api/endpoint";
import {
  defendedTerm,
  endpointFor,
  ENDPOINTS,
  isTableName,
  routesOf,
  type EndpointName,
  type EndpointTarget,
  type ResolvedEndpoint,
} from "../api/endpoints";
import {
  compareReleases,
  RELEASES,
  SECTIONS,
  type Release,
  type SectionNumber,
} from "../api/release";
import { error, type Diagnostic } from "../core/diagnostics";

/** An upgrade from the older release to the newer one. */
export interface Upgrade {
  readonly from: Release;
  readonly to: Release;
}

/** The section of the specification that describes the change; `9` for a change of another release. */
export type FindingSection = SectionNumber | "9";

/** The name of the rule of a section in reports. */
export function ruleOf(section: FindingSection): string {
  return section === "9" ? "other-release" : SECTIONS[section].name;
}

/** A change of a request body or an answer, which the table of endpoints does not describe. */
export interface Announcement {
  readonly section: SectionNumber;
  readonly endpoints: readonly EndpointName[];
  readonly what: string;
  readonly instead: string;
}

const ANNOUNCED: readonly Announcement[] = [
  {
    section: "9.1.2",
    endpoints: ["putRegistrySettings", "addRegistrySpecification", "replaceServerlessScan"],
    what: "Release 20.09 and later refuse inline credentials.",
    instead: "Store the credential on the console, and send its ID as credentialID.",
  },
  {
    section: "9.1.2",
    endpoints: ["getRegistrySettings", "getServerlessScan"],
    what: "Release 20.09 and later return inline credentials without their details.",
    instead: "Read credentialID.",
  },
  {
    section: "9.3.3",
    endpoints: ["getServerlessScan"],
    what: "The next release returns scopes without region and pattern, and with several credential IDs.",
    instead: "Read credentialIDs; there is one scope for each account.",
  },
  {
    section: "9.3.7",
    endpoints: ["getImages"],
    what: "The next release deprecates binaries[].layerTime in the answer.",
    instead: "Read applications[].layerTime.",
  },
];

/** Members of an image scanner's report that the scanner of the next release writes differently. */
export const SCANNER_MEMBERS = {
  section: "9.3.5",
  members: {
    riskFactors: "an array of strings, without values",
    publishedDays: "replaced by publishedDate, a date",
    discoveredDays: "replaced by discoveredDate, a date",
  },
} as const;

/** An effect of an upgrade on an endpoint, from the table of endpoints or `ANNOUNCED`. */
export type Change =
  | {
      readonly kind: "removed";
      readonly section: FindingSection;
      /** The old and the new call of a configured path, which the provider does not adapt. */
      readonly moved?: { readonly from: ResolvedEndpoint; readonly to: ResolvedEndpoint };
    }
  | {
      readonly kind: "moved";
      readonly section: FindingSection;
      readonly to: ResolvedEndpoint;
      /** The endpoint that answers the old call after the upgrade; undefined where none does. */
      readonly answeredBy: EndpointName | undefined;
    }
  | { readonly kind: "replaced"; readonly section: FindingSection; readonly why: string }
  | {
      readonly kind: "deprecated";
      readonly section: FindingSection;
      readonly since: Release;
      readonly why: string;
    }
  | {
      readonly kind: "renamed";
      readonly section: FindingSection;
      readonly places: readonly NamePosition[];
    }
  | {
      readonly kind: "announced";
      readonly section: FindingSection;
      readonly announcement: Announcement;
    };

/** Reports whether the release is newer than `from` and not newer than `to`. */
export function comesWith({ from, to }: Upgrade, release: Release): boolean {
  return compareReleases(from, release) < 0 && compareReleases(release, to) <= 0;
}

/** Lists the changes of an endpoint. There are none if `from` does not have it. */
export function endpointChangesOf(target: EndpointTarget, upgrade: Upgrade): readonly Change[] {
  const { from, to } = upgrade;
  const before = endpointFor(target, from);
  if (!before) return [];
  const after = endpointFor(target, to);
  const name = typeof target === "string" ? target : target.name;
  if (!after) {
    const there = isTableName(name) ? endpointFor(name, to) : undefined;
    const moved = there && { from: before, to: there };
    return [{ kind: "removed", section: there?.section ?? "9", ...(moved && { moved }) }];
  }
  const { replaced }: Endpoint = typeof target === "string" ? ENDPOINTS[target] : target;
  const changes: Change[] = [];
  if (before.method !== after.method || before.path !== after.path) {
    const old = routesOf(to).find(
      ({ method, path }) => method === before.method && path === before.path,
    );
    changes.push({
      kind: "moved",
      section: after.section ?? "9",
      to: after,
      answeredBy: old?.name,
    });
  }
  for (const announcement of ANNOUNCED) {
    if (
      isTableName(name) &&
      announcement.endpoints.includes(name) &&
      comesWith(upgrade, SECTIONS[announcement.section].since)
    ) {
      changes.push({ kind: "announced", section: announcement.section, announcement });
    }
  }
  if (replaced && comesWith(upgrade, replaced.in)) {
    changes.push({ kind: "replaced", section: replaced.section, why: replaced.why });
  }
  if (after.deprecated) {
    const { in: since, section, why } = after.deprecated;
    changes.push({ kind: "deprecated", section, since, why });
  }
  if (before.defended && defendedTerm(from) !== defendedTerm(to)) {
    changes.push({ kind: "renamed", section: "9.3.6", places: before.defended });
  }
  return changes;
}

/** Reads the releases of an upgrade; reports all errors at once. */
export function readUpgrade({ from, to }: { readonly from?: string; readonly to?: string }): {
  readonly upgrade?: Upgrade;
  readonly diagnostics: readonly Diagnostic[];
} {
  const diagnostics: Diagnostic[] = [];
  const older = readRelease("--from", from, diagnostics);
  const newer = readRelease("--to", to, diagnostics);
  if (!older || !newer) return { diagnostics };
  if (compareReleases(older, newer) < 0)
    return { upgrade: { from: older, to: newer }, diagnostics };
  const detail =
    older === newer
      ? `--from and --to are both ${older}. Set --from to the console's current release and --to to the release to upgrade to.`
      : `${newer} is older than ${older}: set --from to the older release and --to to the newer one.`;
  return { diagnostics: [error("Invalid upgrade", detail)] };
}

function readRelease(
  option: string,
  given: string | undefined,
  diagnostics: Diagnostic[],
): Release | undefined {
  const known = RELEASES.find((release) => release === given);
  if (known) return known;
  const releases = `The releases are ${RELEASES.join(", ")}.`;
  diagnostics.push(
    given === undefined
      ? error("Missing release", `${option} is required. ${releases}`)
      : error("Unknown release", `${option} is ${JSON.stringify(given)}. ${releases}`),
  );
  return undefined;
}
