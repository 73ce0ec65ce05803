import { endpointFor, ENDPOINTS, isTableName, releasesOf } from "../api/endpoints";
import type { Endpoint, NamedEndpoint } from "../api/endpoint";
import { compareReleases, describeRelease, RELEASES, type Release } from "../api/release";
import { learnRelease, type Console } from "./console/connection";
import type { ListedDataSource, ListedResource, ReleaseChange, UsedEndpoints } from "./listing";
import { error, warning, type Diagnostic } from "../core/diagnostics";
import type { AttributePath, ObjectValue } from "../core/values";

/** The changes of the endpoints that a definition calls, and its own changes. */
export function releaseChangesOf(
  { endpoints = [], releaseChanges = [] }: UsedEndpoints,
  used: readonly NamedEndpoint[] = [],
): readonly ReleaseChange[] {
  const known = endpoints.map((name): Endpoint => ENDPOINTS[name]);
  return [...[...known, ...used].flatMap(changesOfEndpoint), ...releaseChanges];
}

/** The changes that concern a configuration. */
function changesIn(definition: UsedEndpoints, config: ObjectValue): readonly ReleaseChange[] {
  return releaseChangesOf(definition, endpointsAt(definition, config));
}

/** Lists the releases that have every endpoint of a definition, oldest first. */
export function releasesWith({ endpoints = [] }: UsedEndpoints): readonly Release[] {
  return RELEASES.filter((release) =>
    endpoints.every((name) => releasesOf(name).includes(release)),
  );
}

function changesOfEndpoint({ routes, deprecated, replaced }: Endpoint): ReleaseChange[] {
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
  return `${upperFirst(why)}.`;
}

function upperFirst(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Returns an error if the release lacks an endpoint of the definition. Empty if it is unknown. */
function checkRelease(
  definition: UsedEndpoints & { readonly type: string },
  config: ObjectValue,
  release: Release | undefined,
): readonly Diagnostic[] {
  const releases = releasesWith(definition);
  if (release === undefined) return [];
  if (!releases.includes(release)) return [absent(definition.type, release, releases)];
  const [lost] = endpointsAt(definition, config).filter(
    (endpoint) => !releasesOf(endpoint).includes(release),
  );
  if (!lost) return [];
  const [route] = lost.routes;
  const what = `${route?.method} ${route?.path}`;
  const now = isTableName(lost.name) ? endpointFor(lost.name, release) : undefined;
  const instead = now ? ` ${upperFirst(describeRelease(release))} has it at ${now.path}.` : "";
  return [absent(what, release, releasesOf(lost), instead)];
}

function absent(
  what: string,
  release: Release,
  releases: readonly Release[],
  instead = "",
): Diagnostic {
  return error(
    `${what}: not in ${describeRelease(release)}`,
    `The console has it in ${releases.map(describeRelease).join(", ")}.${instead} The release of the console is set by the provider's "release".`,
  );
}

function endpointsAt(
  { endpointsOf }: UsedEndpoints,
  config: ObjectValue,
): readonly NamedEndpoint[] {
  return endpointsOf ? endpointsOf(config) : [];
}

/** Adds the checks of releases to the validation of a resource. */
export function announcing(resource: ListedResource): ListedResource {
  const isEverywhere = releasesWith(resource).length === RELEASES.length;
  const isFixed = releaseChangesOf(resource).length === 0 && isEverywhere;
  if (isFixed && !resource.endpointsOf) return resource;
  return {
    ...resource,
    ...(!isFixed && { learn: learnRelease }),
    validate: (config, console) => {
      const release = console?.client.release;
      const found = resource.validate?.(config, console) ?? [];
      return [
        ...checkRelease(resource, config, release),
        ...found,
        ...checkReleaseChanges(changesIn(resource, config), config, release),
      ];
    },
  };
}

/**
 * Adds the check of release changes to a data source: to its validation if the release is
 * configured, to its read if the release is detected, so that each finding is reported once.
 */
export function announcingData(source: ListedDataSource): ListedDataSource {
  if (releaseChangesOf(source).length === 0 && !source.endpointsOf) return source;
  const check = (config: ObjectValue, release: Release | undefined) => [
    ...(source.endpointsOf ? checkRelease(source, config, release) : []),
    ...checkReleaseChanges(changesIn(source, config), config, release),
  ];
  return {
    ...source,
    validate: (config, console) => [
      ...(source.validate?.(config, console) ?? []),
      ...check(config, configuredRelease(console)),
    ],
    async read(config, context) {
      const { client, release } = context.connection;
      const outcome = await source.read(config, context);
      if (release !== "auto") return outcome;
      const found = await client.detectRelease(context.signal);
      const changed = check(config, found);
      return { ...outcome, diagnostics: [...(outcome.diagnostics ?? []), ...changed] };
    },
  };
}

function configuredRelease(console: Console | undefined): Release | undefined {
  return console?.release === "auto" ? undefined : console?.release;
}
