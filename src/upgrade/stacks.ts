import { z } from "zod";
import { compareReleases, DEFAULT_RELEASE, RELEASES } from "../api/release";
import type { EndpointName } from "../api/endpoints";
import { consoleProvider } from "../provider/cwp-provider";
import { PROVIDER_NAME } from "../provider/identity";
import { releaseChangesOf, releaseInWords } from "../provider/console/release-changes";
import type { ReleaseChange } from "../provider/definitions/release-change";
import { entriesOf } from "../provider/collections/contents";
import type { ObjectValue, AttributePath } from "../provider/values";
import { block, constructPathOf, repeated, single } from "../runtime/config/shape";
import { changesOf, comesWith, type Change, type Upgrade } from "./change";
import type { Finding, StackPlace } from "./finding";

/** What is looked at of a stack's cdk.tf.json; what else it has is none of an upgrade's business. */
const named = z.record(z.string(), single(block));
const stackShape = z.looseObject({
  provider: z.record(z.string(), repeated(block)).optional(),
  resource: z.record(z.string(), named).optional(),
  data: z.record(z.string(), named).optional(),
});

const config: z.ZodType<ObjectValue> = z.record(z.string(), z.json());

type Found = Omit<Finding<StackPlace>, "place"> & { readonly path?: AttributePath };

/** What the upgrade breaks in a synthesized stack; undefined where the JSON is no stack. */
export function findingsOfStack(
  stack: string,
  json: unknown,
  upgrade: Upgrade,
): readonly Finding<StackPlace>[] | undefined {
  const parsed = stackShape.safeParse(json);
  if (!parsed.success) return undefined;
  const { provider = {}, resource = {}, data = {} } = parsed.data;
  const at = (address: string, content: unknown, found: readonly Found[]) =>
    found.map(({ path = [], ...finding }): Finding<StackPlace> => {
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
  return [
    ...(provider[PROVIDER_NAME] ?? []).flatMap((content) => {
      const { alias } = content;
      const address = `provider.${PROVIDER_NAME}${typeof alias === "string" ? `.${alias}` : ""}`;
      return at(address, content, findingsOfProvider(content, upgrade));
    }),
    ...blocksOf(resource).flatMap(({ type, name, content }) => {
      const definition = consoleProvider.resources.find((known) => known.type === type);
      return at(`${type}.${name}`, content, findingsOfBlock(definition, content, upgrade));
    }),
    ...blocksOf(data).flatMap(({ type, name, content }) => {
      const definition = consoleProvider.dataSources.find((known) => known.type === type);
      return at(`data.${type}.${name}`, content, findingsOfBlock(definition, content, upgrade));
    }),
  ];
}

/** The provider calls the console by the release that its block says, or by the default one. */
function findingsOfProvider(
  { release }: Readonly<Record<string, unknown>>,
  { from, to }: Upgrade,
): readonly Found[] {
  const path = ["release"];
  const replacement = `release = "${to}", once the console runs it`;
  if (release === "auto" || release === to) return [];
  if (release === undefined || release === null) {
    if (DEFAULT_RELEASE === to) return [];
    const message = `No release is set, which means ${DEFAULT_RELEASE} unless CONSOLE_RELEASE says otherwise.`;
    return [{ severity: "warning", section: "9", message, replacement }];
  }
  const pinned = RELEASES.find((known) => known === release);
  if (pinned === undefined) {
    const message = "The release is set by an expression, which has to say the new one.";
    return [{ severity: "note", section: "9", message, replacement, path }];
  }
  const differs = compareReleases(pinned, from) === 0 ? "" : `, which is not ${from} either`;
  const message = `Release ${pinned} is pinned${differs}: the console would still be called by it.`;
  return [{ severity: "warning", section: "9", message, replacement, path }];
}

interface Definition {
  readonly type: string;
  readonly endpoints?: readonly EndpointName[];
  readonly releaseChanges?: readonly ReleaseChange[];
}

function findingsOfBlock(
  definition: Definition | undefined,
  content: Readonly<Record<string, unknown>>,
  upgrade: Upgrade,
): readonly Found[] {
  if (!definition) return [];
  const parsed = config.safeParse(content);
  const values = parsed.success ? parsed.data : {};
  const { endpoints = [], releaseChanges = [] } = definition;
  const refused = releaseChangesOf({ releaseChanges }).flatMap((change) =>
    comesWith(upgrade, change.in) ? findingsOfChange(change, values) : [],
  );
  const changes = endpoints.flatMap((name) => changesOf(name, upgrade));
  return distinct([
    ...refused,
    ...inlineInText(values, upgrade),
    ...movedBehind(changes),
    ...changes.flatMap((change) => findingBehind(change) ?? []),
  ]);
}

function findingsOfChange(change: ReleaseChange, values: ObjectValue): readonly Found[] {
  const { section, what, why, effect, usedAt } = change;
  const severity = effect === "deprecates" ? "warning" : "error";
  const message = `${what}: from ${releaseInWords(change.in)} on, ${why}.`;
  return (usedAt?.(values) ?? [[]]).map((path) => ({ severity, section, message, path }));
}

/** An inline credential in the free text of a scope, which a stack may have from an earlier version. */
function inlineInText(values: ObjectValue, upgrade: Upgrade): readonly Found[] {
  if (!comesWith(upgrade, "20.09")) return [];
  return entriesOf(values, "scopes").flatMap(({ extra_json: text }, index): Found[] => {
    if (typeof text !== "string" || !/"credential"\s*:/.test(text)) return [];
    const message = "Inline credentials are refused from release 20.09 on.";
    const replacement = "Store the credential on the console, and name it with credential_id.";
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

const FOLLOWS = "The provider follows if its release is set.";

/** The provider knows what endpoints are called by: one note is enough. */
function movedBehind(changes: readonly Change[]): readonly Found[] {
  const moved = changes.flatMap((change) => (change.kind === "moved" ? [change] : []));
  const [first] = moved;
  if (!first) return [];
  const calls = moved.map(({ to }) => `${to.method} ${to.path}`).join(", ");
  const message = `What it calls becomes ${calls}. ${FOLLOWS}`;
  return [{ severity: "note", section: first.section, message }];
}

/** What happens to an endpoint that a resource or data source calls. */
function findingBehind(change: Change): Found | undefined {
  const { section } = change;
  switch (change.kind) {
    case "removed":
      return { severity: "error", section, message: "The console no longer has what it calls." };
    case "replaced":
      return { severity: "error", section, message: `Its data change: ${change.why}.` };
    case "deprecated": {
      const since = `What it calls is deprecated since release ${change.since}`;
      return { severity: "warning", section, message: `${since}: ${change.why}.` };
    }
    case "renamed":
      return { severity: "note", section, message: `"protected" becomes "defended". ${FOLLOWS}` };
    // The provider reads and writes either form; what a stack has of it is checked by itself.
    case "announced":
    case "moved":
      return undefined;
  }
}

function distinct(found: readonly Found[]): readonly Found[] {
  const known = new Map(found.map((one) => [JSON.stringify(one), one]));
  return [...known.values()];
}
