import { entriesOf } from "../../provider/collections/contents";
import { hasExtraJson, WHOLE } from "../../provider/collections/import-collection";
import type { Console } from "../../provider/console/connection";
import { releasesWith } from "../../provider/release-changes";
import { cwpProvider } from "../../provider/cwp-provider";
import { RefusedError } from "../../core/definitions/failure";
import { error, type Diagnostic } from "../../core/diagnostics";
import type { CollectionListing, ListedResource } from "../../provider/listing";
import type { PrivateState } from "../../core/private-state";
import { Provider } from "../../core/provider";
import { resources } from "../../provider/resources";
import {
  isListValue,
  isObjectValue,
  type AttributePath,
  type ObjectValue,
  type Value,
} from "../../core/values";
import { configurationOf } from "./props";

/** A resource that manages a collection of the console. */
interface Adoptable {
  readonly resource: ListedResource;
  readonly collection: CollectionListing;
}

const ADOPTABLE: readonly Adoptable[] = resources.flatMap((resource) =>
  resource.collection?.kind ? [{ resource, collection: resource.collection }] : [],
);

/** Ownership of the adopted policies. All existing policies are adopted in any case. */
export type PolicyOwnership = "exclusive" | "prefix" | "suffix";

export interface Adopted extends Adoptable {
  readonly importId: string;
  /** The adopted part of the console's collection as an imported state. */
  readonly state: ObjectValue;
  /** The entries on the console, and those that are adopted. */
  readonly found: number;
  readonly count: number;
  /** Errors that prevent a stack from managing the other entries. */
  readonly obstacles: readonly Diagnostic[];
  /** Members of the entries that a stack cannot contain. They stay on the console. */
  readonly unmanaged: readonly string[];
}

/** Reads all collections that a stack can manage. Rejects with the API's errors. */
export async function readConsole(
  console: Console,
  ownership: PolicyOwnership,
  signal: AbortSignal,
): Promise<readonly Adopted[]> {
  const release = await console.client.resolveRelease(signal);
  const adoptable = ADOPTABLE.filter(({ resource }) => releasesWith(resource).includes(release));
  return Promise.all(
    adoptable.map(async (one): Promise<Adopted> => {
      const { resource, collection } = one;
      const whole = resource.importId ?? "";
      const canHoldAll = hasExtraJson({ ...resource, ...collection });
      const imported = await importWhole(
        console,
        resource,
        canHoldAll ? `${whole}${WHOLE}` : whole,
        signal,
      );
      const { state: found } = imported;
      const unmanaged = collection.unmanagedMembers(found, imported.private, release);
      const all = entriesOf(found, collection.list);
      const wanted = offersParts(resource) ? ownership : "exclusive";
      const configuration = configurationOf(resource.attributes, partOf(found, one, wanted));
      const obstacles = obstaclesOf(resource, configuration, console);
      const part =
        obstacles.length === 0
          ? { ownership: wanted, entries: all }
          : longestPart(all, faultyEntries(all, obstacles), offersParts(resource));
      const { entries } = part;
      const isPart = part.ownership !== "exclusive" && entries.length > 0;
      const id = isPart ? `${whole}:${part.ownership}:${entries.length}` : whole;
      const hasExtra = entries.some(({ extra_json: extra = null }) => extra !== null);
      return {
        ...one,
        importId: hasExtra ? `${id}${WHOLE}` : id,
        state: partOf(found, one, part.ownership, entries),
        found: all.length,
        count: entries.length,
        obstacles,
        unmanaged,
      };
    }),
  );
}

const provider = new Provider(cwpProvider);

/** Errors that prevent a stack from containing a configuration. */
export function obstaclesOf(
  { type }: ListedResource,
  configuration: ObjectValue,
  console: Console,
): readonly Diagnostic[] {
  const findings = provider.validateResource(type, configuration, console);
  return [...findings.filter(({ severity }) => severity === "error"), ...textErrors(configuration)];
}

function partOf(
  state: ObjectValue,
  { collection }: Adoptable,
  ownership: PolicyOwnership,
  entries = entriesOf(state, collection.list),
): ObjectValue {
  const isPart = ownership !== "exclusive" && entries.length > 0;
  return { ...state, ...(isPart && { ownership }), [collection.list]: entries };
}

interface Part {
  readonly ownership: PolicyOwnership;
  readonly entries: readonly ObjectValue[];
}

/** The first or the last entries before or behind all faulty ones: the longer of both. */
function longestPart(
  entries: readonly ObjectValue[],
  faulty: readonly number[],
  offersParts: boolean,
): Part {
  if (!offersParts || faulty.length === 0) return { ownership: "exclusive", entries: [] };
  const first = entries.slice(0, Math.min(...faulty));
  const last = entries.slice(Math.max(...faulty) + 1);
  return first.length >= last.length
    ? { ownership: "prefix", entries: first }
    : { ownership: "suffix", entries: last };
}

/** The positions of entries with errors, and of those with the same names. */
function faultyEntries(
  entries: readonly ObjectValue[],
  obstacles: readonly Diagnostic[],
): readonly number[] {
  const positions = obstacles.flatMap(({ path: [, index] = [] }) =>
    typeof index === "number" ? [index] : [],
  );
  const names = new Set(positions.map((position) => entries[position]?.name));
  return [...entries.keys()].filter((position) => names.has(entries[position]?.name));
}

/** Reports whether the resource can manage the first or the last entries of its collection. */
function offersParts({ attributes: { ownership } }: ListedResource): boolean {
  if (ownership?.type.kind !== "string") return false;
  const { check } = ownership.type;
  return check?.safeParse("prefix").success === true;
}

/** Imports what the console has. Rejects with a RefusedError and the API's errors. */
export async function importWhole(
  connection: Console,
  resource: ListedResource,
  id: string,
  signal: AbortSignal,
): Promise<{ readonly state: ObjectValue; readonly private: PrivateState }> {
  const context = { connection, signal, progress: () => undefined };
  const {
    state,
    private: privateState = {},
    diagnostics = [],
  } = (await resource.import?.(id, context)) ?? { state: null };
  const failure = diagnostics.find(({ severity }) => severity === "error");
  if (failure) throw new RefusedError(failure);
  if (!state) throw new Error(`import of ${resource.type} failed`);
  return { state, private: privateState };
}

/** Reports text that Terraform changes: it uses Unicode's normal form C, without lone surrogates. */
function textErrors(configuration: ObjectValue): readonly Diagnostic[] {
  return textsIn(configuration).flatMap(({ text, path }) =>
    text.normalize("NFC") === text && !/\p{Surrogate}/u.test(text)
      ? []
      : [
          error(
            "Text that Terraform changes",
            `${JSON.stringify(text)} is not in Unicode's normal form C, to which Terraform converts all text. Rename it on the console.`,
            path,
          ),
        ],
  );
}

interface Text {
  readonly text: string;
  readonly path: AttributePath;
}

function textsIn(value: Value, path: AttributePath = []): readonly Text[] {
  if (typeof value === "string") return [{ text: value, path }];
  if (isListValue(value)) {
    return value.flatMap((element, index) => textsIn(element, [...path, index]));
  }
  if (!isObjectValue(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => textsIn(member, [...path, key]));
}
