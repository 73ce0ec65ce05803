import { isAnnounced, type Release } from "../../../src/api/release";
import { releaseChangesOf, releasesWith } from "../../../src/provider/release-changes";
import type { UsedEndpoints } from "../../../src/provider/listing";

/** Returns the section of supported releases and of changes between them. */
export function releasesSection(definition: UsedEndpoints): string {
  const releases = releasesWith(definition);
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
  return isAnnounced(release) ? "the announced next release" : `release ${release}`;
}

function listOf(releases: readonly Release[]): string {
  const names = releases.map((release) =>
    isAnnounced(release) ? "the announced next one" : release,
  );
  if (names.length === 1) return `release ${names.join("")}`;
  return `releases ${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
