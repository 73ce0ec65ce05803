import { endpointFor, type EndpointName } from "../../../src/api/endpoints";
import { RELEASES, type Release } from "../../../src/api/release";
import { releaseChangesOf } from "../../../src/provider/console/release-changes";
import type { ReleaseChange } from "../../../src/provider/listing";

interface Definition {
  readonly endpoints?: readonly EndpointName[];
  readonly releaseChanges?: readonly ReleaseChange[];
}

/** Returns the section of supported releases and of changes between them. */
export function releasesSection(definition: Definition): string {
  const { endpoints = [] } = definition;
  const releases = RELEASES.filter((release) =>
    endpoints.every((name) => endpointFor(name, release) !== undefined),
  );
  if (releases.length === 0) throw new Error("No release has all endpoints of the definition.");
  const changes = releaseChangesOf(definition).map(
    (change) =>
      `- ${change.what}: ${EFFECTS[change.effect]} from ${named(change.in)} on (specification, section ${change.section}). ${sentence(change.why)}`,
  );
  const works = `Works with ${listOf(releases)} of the console.`;
  return ["## Releases", works, ...(changes.length > 0 ? [changes.join("\n")] : [])].join("\n\n");
}

const EFFECTS = { deprecates: "deprecated", replaces: "replaced", refuses: "refused" } as const;

function named(release: Release): string {
  return release === "next" ? "the announced next release" : `release ${release}`;
}

function listOf(releases: readonly Release[]): string {
  const names = releases.map((release) =>
    release === "next" ? "the announced next one" : release,
  );
  if (names.length === 1) return `release ${names.join("")}`;
  return `releases ${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
