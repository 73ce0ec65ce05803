import { error, type Diagnostic } from "../../core/diagnostics";
import { memberOf } from "../../core/member-of";
import { Provider } from "../../core/provider";
import {
  ExactNumber,
  isListValue,
  isObjectValue,
  type AttributePath,
  type ObjectValue,
  type Value,
} from "../../core/values";
import type { Release } from "../../api/release";
import { entriesOf } from "../../provider/collections/contents";
import { sharedImportId, WHOLE } from "../../provider/collections/import-collection";
import type { Console } from "../../provider/console/connection";
import { cwpProvider } from "../../provider/cwp-provider";
import type { CollectionListing, ListedResource } from "../../provider/listing";
import { configurationOf } from "./props";

/** Ownership of the adopted policies. All existing policies are adopted in any case. */
export type PolicyOwnership = "exclusive" | "prefix" | "suffix";

/** The content of the console as a state that an import has read. */
export interface Imported {
  readonly resource: ListedResource;
  readonly collection: CollectionListing;
  readonly importId: string;
  readonly state: ObjectValue;
}

/** The part of it that a stack can declare. */
export interface AdoptedPart {
  readonly importId: string;
  readonly state: ObjectValue;
  readonly count: number;
  /** The names of all entries, by which the obstacles are reported. */
  readonly keys: readonly string[];
  /** The names of entries that are left out for the obstacles of others. */
  readonly besides: readonly string[];
  /** Errors that prevent a stack from managing the other entries. */
  readonly obstacles: readonly Diagnostic[];
}

/**
 * Returns what a stack can declare: everything; else the entries before or behind those that it cannot
 * declare, the longer of both, of a list without order the others as a shared part; else nothing.
 */
export function declarablePart(
  imported: Imported,
  wanted: PolicyOwnership,
  console: Console,
  release: Release,
): AdoptedPart {
  const { resource, collection, state } = imported;
  const { list } = collection;
  const all = entriesOf(state, list);
  const keys = collection.keysOf(state, release);
  const parts = collection.partsOf(state);
  const indexes = [...all.keys()];
  const whole = partWith(imported, parts === "ordered" ? wanted : "exclusive", indexes, keys);
  const obstaclesTo = (part: ObjectValue) =>
    obstaclesOf(resource, configurationOf(resource.attributes, part), console, list);
  const obstacles = obstaclesTo(whole.state);
  if (obstacles.length === 0) return { ...whole, keys, besides: [], obstacles };
  const nothing = { importId: imported.importId, state, count: 0, keys, besides: [], obstacles };
  const positions = obstacles.map(({ path: [, index] = [] }) => index);
  if (!parts || !positions.every((index) => typeof index === "number")) return nothing;
  const faulty = new Set(positions.map((index) => keys[index]));
  const isFaulty = (index: number) => faulty.has(keys[index]);
  const [ownership, left] =
    parts === "ordered"
      ? longestPart(indexes, isFaulty)
      : (["shared", indexes.filter((index) => !isFaulty(index))] as const);
  const part = partWith(imported, ownership, left, keys);
  if (left.length === 0 || obstaclesTo(part.state).length > 0) return nothing;
  const besides = indexes.filter((index) => !left.includes(index) && !isFaulty(index));
  return { ...part, keys, besides: besides.flatMap((index) => keys[index] ?? []), obstacles };
}

/** The first or the last entries before or behind all faulty ones: the longer of both. */
function longestPart(indexes: readonly number[], isFaulty: (index: number) => boolean) {
  const first = indexes.slice(0, indexes.findIndex(isFaulty));
  const last = indexes.slice(indexes.findLastIndex(isFaulty) + 1);
  return first.length >= last.length ? (["prefix", first] as const) : (["suffix", last] as const);
}

function partWith(
  { collection: { list }, importId, state }: Imported,
  ownership: PolicyOwnership | "shared",
  indexes: readonly number[],
  keys: readonly string[],
): Omit<AdoptedPart, "keys" | "besides" | "obstacles"> {
  const chosen = new Set(indexes);
  const entries = entriesOf(state, list).filter((_, index) => chosen.has(index));
  const isPart = ownership !== "exclusive" && entries.length > 0;
  const base = importId.endsWith(WHOLE) ? importId.slice(0, -WHOLE.length) : importId;
  const id = !isPart
    ? base
    : ownership === "shared"
      ? sharedImportId(
          base,
          indexes.flatMap((index) => keys[index] ?? []),
        )
      : `${base}:${ownership}:${entries.length}`;
  const hasExtra = entries.some(({ extra_json: extra = null }) => extra !== null);
  const isList = isListValue(memberOf(state, list) ?? null);
  return {
    importId: hasExtra ? `${id}${WHOLE}` : id,
    state: { ...state, ...(isPart && { ownership }), ...(isList && { [list]: entries }) },
    count: entries.length,
  };
}

const provider = new Provider(cwpProvider);

/** Errors that prevent a stack from containing a configuration. */
function obstaclesOf(
  { type }: ListedResource,
  configuration: ObjectValue,
  console: Console,
  list: string,
): readonly Diagnostic[] {
  const findings = provider.validateResource(type, configuration, console);
  const errors = findings.filter(({ severity }) => severity === "error");
  return [...errors, ...valueErrors(memberOf(configuration, list) ?? null, [list])];
}

/** Reports values that Terraform changes, or that the TypeScript of a stack cannot contain. */
function valueErrors(value: Value, path: AttributePath): readonly Diagnostic[] {
  if (typeof value === "string") return isKept(value) ? [] : [changedText(value, path)];
  if (value instanceof ExactNumber) {
    const detail = "A number has more digits than TypeScript keeps. Write the resource by hand.";
    return [error("Number with too many digits", detail, path)];
  }
  if (isListValue(value)) {
    return value.flatMap((element, index) =>
      element === null ? [nullElement([...path, index])] : valueErrors(element, [...path, index]),
    );
  }
  if (!isObjectValue(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    ...(isKept(key) ? [] : [changedText(key, path)]),
    ...valueErrors(member, [...path, key]),
  ]);
}

/** Terraform uses Unicode's normal form C, without lone surrogates. */
function isKept(text: string): boolean {
  return text.normalize("NFC") === text && !/\p{Surrogate}/u.test(text);
}

function changedText(text: string, path: AttributePath): Diagnostic {
  return error(
    "Text that Terraform changes",
    `${JSON.stringify(text)} is not in Unicode's normal form C, to which Terraform converts all text. Rename it on the console.`,
    path,
  );
}

function nullElement(path: AttributePath): Diagnostic {
  const detail = "A list has an element that is null, which the source of a stack leaves out.";
  return error("Null in a list", detail, path);
}
