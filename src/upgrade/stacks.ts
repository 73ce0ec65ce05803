import { z } from "zod";
import {
  compareReleases,
  DEFAULT_RELEASE,
  describeRelease,
  RELEASES,
  SINCE,
  type Release,
} from "../api/release";
import { API } from "../api/catalogue/described-place";
import type { EndpointTarget } from "../api/endpoints";
import { cwpProvider } from "../provider/cwp-provider";
import { PROVIDER_NAME } from "../provider/identity";
import { releaseChangesOf } from "../provider/release-changes";
import type { ReleaseChange, UsedEndpoints } from "../provider/listing";
import { entriesOf } from "../provider/collections/contents";
import type { ObjectValue, AttributePath } from "../core/values";
import { block, constructPathOf, repeatedBlock, single } from "../language";
import { endpointChangesOf, comesWith, type Change, type Upgrade } from "./change";
import type { UpgradeFinding, StackPlace } from "./finding";

/** The blocks of cdk.tf.json that an upgrade can affect. */
const named = z.record(z.string(), single(block));
const stackShape = z.looseObject({
  provider: z.record(z.string(), repeatedBlock(block)).optional(),
  resource: z.record(z.string(), named).optional(),
  data: z.record(z.string(), named).optional(),
});

const config: z.ZodType<ObjectValue> = z.record(z.string(), z.json());

type BlockContent = Readonly<Record<string, unknown>>;

type UnplacedFinding = Omit<UpgradeFinding<StackPlace>, "place"> & {
  readonly path?: AttributePath;
};

/** Finds the effects of an upgrade on a synthesized stack; undefined if the JSON is no stack. */
export function findingsOfStack(
  stack: string,
  json: unknown,
  upgrade: Upgrade,
): readonly UpgradeFinding<StackPlace>[] | undefined {
  const parsed = stackShape.safeParse(json);
  if (!parsed.success) return undefined;
  const { provider = {}, resource = {}, data = {} } = parsed.data;
  const at = (address: string, content: unknown, found: readonly UnplacedFinding[]) =>
    found.map(({ path = [], ...finding }): UpgradeFinding<StackPlace> => {
      const constructPath = constructPathOf(content);
      const place = { kind: "stack" as const, stack, address, path };
      return {
        ...finding,
        place: { ...place, ...(constructPath !== undefined && { constructPath }) },
      };
    });
  const blocksOf = (types: typeof resource) =>
    Object.entries(types).flatMap(([type, blocks]) =>
      Object.entries(blocks).map(([name, content]) => ({ type, name, content })),
    );
  const providers = (provider[PROVIDER_NAME] ?? []).map((content) => {
    const alias = typeof content.alias === "string" ? `.${content.alias}` : "";
    return { content, address: `${PROVIDER_NAME}${alias}` };
  });
  const findingsOf = (
    definitions: readonly Definition[],
    { type, content }: { readonly type: string; readonly content: BlockContent },
  ) => {
    const definition = definitions.find((known) => known.type === type);
    const address = content.provider ?? PROVIDER_NAME;
    const own = providers.find((known) => known.address === address);
    const release = releaseOf(own?.content ?? {});
    return definition ? findingsOfBlock(definition, content, release, upgrade) : [];
  };
  const { resources, dataSources } = cwpProvider;
  return [
    ...providers.flatMap(({ content, address }) =>
      at(`provider.${address}`, content, findingsOfProvider(content, upgrade)),
    ),
    ...blocksOf(resource).flatMap((found) =>
      at(`${found.type}.${found.name}`, found.content, findingsOf(resources, found)),
    ),
    ...blocksOf(data).flatMap((found) =>
      at(`data.${found.type}.${found.name}`, found.content, findingsOf(dataSources, found)),
    ),
  ];
}

/** The release by which a provider calls the console. */
interface CalledRelease {
  /** Undefined for `auto` and for an expression. */
  readonly release: Release | undefined;
  readonly isPinned: boolean;
}

function releaseOf({ release }: BlockContent): CalledRelease {
  if (release === undefined || release === null) {
    return { release: DEFAULT_RELEASE, isPinned: false };
  }
  const pinned = RELEASES.find((known) => known === release);
  return { release: pinned, isPinned: pinned !== undefined };
}

function findingsOfProvider(
  content: BlockContent,
  { from, to }: Upgrade,
): readonly UnplacedFinding[] {
  const path = ["release"];
  const replacement = `release = "${to}", once the console runs it`;
  const { release, isPinned } = releaseOf(content);
  if (content.release === "auto" || release === to) return [];
  if (release === undefined) {
    const message = "An expression sets the release. It has to give the new one.";
    return [{ severity: "note", section: "9", message, replacement, path }];
  }
  if (!isPinned) {
    const message = `The release is not set: it is ${release}, unless CONSOLE_RELEASE sets another one.`;
    return [{ severity: "warning", section: "9", message, replacement }];
  }
  const differs = release === from ? "" : `, which is not ${from} either`;
  const message = `The provider is pinned to release ${release}${differs}. It would still call the console by that release.`;
  return [{ severity: "warning", section: "9", message, replacement, path }];
}

interface Definition extends UsedEndpoints {
  readonly type: string;
}

function findingsOfBlock(
  { endpoints = [], endpointsOf, releaseChanges = [] }: Definition,
  content: BlockContent,
  called: CalledRelease,
  upgrade: Upgrade,
): readonly UnplacedFinding[] {
  const parsed = config.safeParse(content);
  const values = parsed.success ? parsed.data : {};
  const refused = releaseChangesOf({ releaseChanges }).flatMap((change) =>
    comesWith(upgrade, change.in) ? findingsOfChange(change, values) : [],
  );
  const used = [...endpoints, ...(endpointsOf?.(values) ?? [])];
  const changes = used.flatMap((target) => endpointChangesOf(target, upgrade));
  return distinct([
    ...refused,
    ...findingsOfExtraJson(values, upgrade),
    ...findingsOfCalls(used, called, upgrade),
    ...changes.flatMap((change) => findingOfEndpoint(change) ?? []),
  ]);
}

function findingsOfChange(change: ReleaseChange, values: ObjectValue): readonly UnplacedFinding[] {
  const { section, what, why, effect, usedAt } = change;
  const severity = effect === "deprecates" ? "warning" : "error";
  const message = `${what}: from ${describeRelease(change.in)} on, ${why}.`;
  return (usedAt?.(values) ?? [[]]).map((path) => ({ severity, section, message, path }));
}

/** Finds inline credentials in `extra_json` of scopes, where older stacks may have them. */
function findingsOfExtraJson(values: ObjectValue, upgrade: Upgrade): readonly UnplacedFinding[] {
  if (!comesWith(upgrade, SINCE.credentialsById)) return [];
  return entriesOf(values, "scopes").flatMap(({ extra_json: text }, index): UnplacedFinding[] => {
    if (typeof text !== "string" || !/"credential"\s*:/.test(text)) return [];
    const message = "Release 20.09 and later refuse inline credentials.";
    const replacement = "Store the credential on the console, and refer to it by credential_id.";
    return [
      {
        severity: "error",
        section: "9.1.2",
        message,
        replacement,
        path: ["scopes", index, "extra_json"],
      },
    ];
  });
}

/**
 * Finds calls that the upgrade moves or renames. The provider calls the console by the configured
 * release: if that stays the old one, the calls fail after the upgrade.
 */
function findingsOfCalls(
  endpoints: readonly EndpointTarget[],
  { release, isPinned }: CalledRelease,
  upgrade: Upgrade,
): readonly UnplacedFinding[] {
  const { to } = upgrade;
  const isOld = release !== undefined && compareReleases(release, to) < 0;
  const changes = endpoints.flatMap((target) =>
    endpointChangesOf(target, isOld ? { from: release, to } : upgrade),
  );
  const moved = changes.flatMap((change) => (change.kind === "moved" ? [change] : []));
  const renamed = changes.find(({ kind }) => kind === "renamed");
  const calls = moved.map((change) => `${change.to.method} ${change.to.path}`).join(", ");
  const effects = [
    ...(moved[0]
      ? [{ section: moved[0].section, text: `The console takes ${calls} instead.` }]
      : []),
    ...(renamed ? [{ section: renamed.section, text: `"protected" becomes "defended".` }] : []),
  ];
  return effects.map(({ section, text }): UnplacedFinding => {
    if (!isOld) {
      const message = `${text} The provider adapts to the release of the console.`;
      return { severity: "note", section, message };
    }
    const how = isPinned ? "is pinned to" : "uses";
    return {
      severity: isPinned ? "error" : "possible",
      section,
      message: `${text} The provider ${how} release ${release} and would call the console as before.`,
      replacement: `release = "${to}" in the provider block, once the console runs it`,
    };
  });
}

/** Describes the effect of a change of an endpoint that a resource or data source calls. */
function findingOfEndpoint(change: Change): UnplacedFinding | undefined {
  const { section } = change;
  switch (change.kind) {
    case "removed":
      return removedFinding(change);
    case "replaced":
      return { severity: "error", section, message: `The data change: ${change.why}.` };
    case "deprecated": {
      const message = `The endpoint is deprecated since release ${change.since}: ${change.why}.`;
      return { severity: "warning", section, message };
    }
    // The provider reads and writes both forms, and attributes are checked by `findingsOfChange`.
    case "announced":
    case "moved":
    case "renamed":
      return undefined;
  }
}

function removedFinding({ section, moved }: Extract<Change, { kind: "removed" }>): UnplacedFinding {
  if (!moved) {
    return { severity: "error", section, message: "The console no longer has the endpoint." };
  }
  const { from, to } = moved;
  return {
    severity: "error",
    section,
    message: `The console no longer has ${from.method} ${from.path}, and takes ${to.method} ${to.path} instead.`,
    replacement: `path = "${to.path.slice(API.length)}"`,
    path: ["path"],
  };
}

function distinct(found: readonly UnplacedFinding[]): readonly UnplacedFinding[] {
  const known = new Map(found.map((one) => [JSON.stringify(one), one]));
  return [...known.values()];
}
