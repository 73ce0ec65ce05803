import { ENDPOINTS, releasesOf, type EndpointName } from "../api/endpoints";
import type { Endpoint } from "../api/endpoint";
import { compareReleases, describeRelease, RELEASES, type Release } from "../api/release";
import { learnRelease, type Console } from "./console/connection";
import type { ListedDataSource, ListedResource, ReleaseChange, UsedEndpoints } from "./listing";
import { error, warning, type Diagnostic } from "../core/diagnostics";
import type { AttributePath, ObjectValue } from "../core/values";

/** The changes of the endpoints that a definition calls, and its own changes. */
export function releaseChangesOf({
  endpoints = [],
  releaseChanges = [],
}: UsedEndpoints): readonly ReleaseChange[] {
  return [...endpoints.flatMap(changesOfEndpoint), ...releaseChanges];
}

/** Lists the releases that have every endpoint of a definition, oldest first. */
export function releasesWith({ endpoints = [] }: UsedEndpoints): readonly Release[] {
  return RELEASES.filter((release) =>
    endpoints.every((name) => releasesOf(name).includes(release)),
  );
}

function changesOfEndpoint(name: EndpointName): ReleaseChange[] {
  const { routes, deprecated, replaced }: Endpoint = ENDPOINTS[name];
  const what = `${routes[0]?.method ?? ""} ${routes[0]?.path ?? ""}`;
  return [
    ...(deprecated ? [{ what, ...deprecated, effect: "deprecates" as const }] : []),
    ...(replaced ? [{ what, ...replaced, effect: "replaces" as const }] : []),
  ];
}

/**
 * Checks a configuration for a release: warnings for deprecated parts and for those that will change,
 * errors for refused ones. Empty if the release is unknown.
 */
export function checkReleaseChanges(
  changes: readonly ReleaseChange[],
  config: ObjectValue,
  release: Release | undefined,
): readonly Diagnostic[] {
  if (release === undefined) return [];
  return changes.flatMap((change) => {
    const paths = change.usedAt?.(config) ?? [[]];
    const isThere = compareReleases(release, change.in) >= 0;
    if (isThere && change.effect === "replaces") return [];
    if (isThere && change.effect === "refuses") {
      return paths.map((path) => refused(change, release, path));
    }
    const [first] = paths;
    return first ? [announced(change, first, paths.length)] : [];
  });
}

function refused(change: ReleaseChange, release: Release, path: AttributePath): Diagnostic {
  return error(
    `${change.what}: not in ${describeRelease(release)} (section ${change.section})`,
    `${sentence(change)} The release of the console is set by the provider's "release".`,
    path,
  );
}

function announced(change: ReleaseChange, path: AttributePath, count: number): Diagnostic {
  const { what, effect, section } = change;
  const done = { deprecates: "deprecated", replaces: "replaced", refuses: "refused" }[effect];
  const advice = {
    deprecates: "It works as before, but a later release may remove it.",
    replaces: "Adapt everything that uses it when the console is upgraded.",
    refuses: `Remove ${count === 1 ? "it" : `all ${count}`} before the console is upgraded.`,
  }[effect];
  return warning(
    `${what}: ${done} from ${describeRelease(change.in)} on (section ${section})`,
    `${sentence(change)} ${advice}`,
    path.length > 0 ? path : undefined,
  );
}

function sentence({ why }: ReleaseChange): string {
  return `${why.charAt(0).toUpperCase()}${why.slice(1)}.`;
}

/** Returns an error if the release lacks an endpoint of the definition. Empty if it is unknown. */
function checkRelease(
  definition: UsedEndpoints & { readonly type: string },
  release: Release | undefined,
): readonly Diagnostic[] {
  const releases = releasesWith(definition);
  if (release === undefined || releases.includes(release)) return [];
  return [
    error(
      `${definition.type}: not in ${describeRelease(release)}`,
      `The console has it in ${releases.map(describeRelease).join(", ")}. The release of the console is set by the provider's "release".`,
    ),
  ];
}

/** Adds the checks of releases to the validation of a resource. */
export function announcing(resource: ListedResource): ListedResource {
  const changes = releaseChangesOf(resource);
  const isEverywhere = releasesWith(resource).length === RELEASES.length;
  if (changes.length === 0 && isEverywhere) return resource;
  return {
    ...resource,
    learn: learnRelease,
    validate: (config, console) => [
      ...checkRelease(resource, console?.client.release),
      ...(resource.validate?.(config, console) ?? []),
      ...checkReleaseChanges(changes, config, console?.client.release),
    ],
  };
}

/**
 * Adds the check of release changes to a data source: to its validation if the release is
 * configured, to its read if the release is detected, so that each finding is reported once.
 */
export function announcingData(source: ListedDataSource): ListedDataSource {
  const changes = releaseChangesOf(source);
  if (changes.length === 0) return source;
  return {
    ...source,
    validate: (config, console) => [
      ...(source.validate?.(config, console) ?? []),
      ...checkReleaseChanges(changes, config, configuredRelease(console)),
    ],
    async read(config, context) {
      const { client, release } = context.connection;
      const outcome = await source.read(config, context);
      if (release !== "auto") return outcome;
      const found = await client.detectRelease(context.signal);
      const changed = checkReleaseChanges(changes, config, found);
      return { ...outcome, diagnostics: [...(outcome.diagnostics ?? []), ...changed] };
    },
  };
}

function configuredRelease(console: Console | undefined): Release | undefined {
  return console?.release === "auto" ? undefined : console?.release;
}
