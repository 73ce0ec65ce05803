import { entriesOf } from "../../provider/collections/contents";
import { hasExtraJson, WHOLE } from "../../provider/collections/import-collection";
import type { Console } from "../../provider/console/connection";
import { cwpProvider } from "../../provider/cwp-provider";
import { error, hasErrors, type Diagnostic } from "../../provider/diagnostics";
import type { CollectionListing, ListedResource } from "../../provider/definitions/listing";
import type { PrivateState } from "../../provider/private-state";
import { Provider } from "../../provider/provider";
import { resources } from "../../provider/resources";
import {
  isListValue,
  isObjectValue,
  type AttributePath,
  type ObjectValue,
  type Value,
} from "../../provider/values";
import { configurationOf } from "./props";

/** A resource that manages a collection of the console. */
interface Adoptable {
  readonly resource: ListedResource;
  readonly collection: CollectionListing;
}

const ADOPTABLE: readonly Adoptable[] = resources.flatMap((resource) =>
  resource.collection ? [{ resource, collection: resource.collection }] : [],
);

/** Ownership of the adopted policies. All existing policies are adopted in any case. */
export type PolicyOwnership = "exclusive" | "prefix" | "suffix";

export interface Adopted extends Adoptable {
  readonly importId: string;
  /** The collection of the console as an imported state. */
  readonly state: ObjectValue;
  readonly count: number;
  /** Errors that prevent a stack from managing the collection. */
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
  const provider = new Provider(cwpProvider);
  return Promise.all(
    ADOPTABLE.map(async (adoptable): Promise<Adopted> => {
      const { resource, collection } = adoptable;
      const whole = resource.importId ?? "";
      const canHoldAll = hasExtraJson({ ...resource, ...collection });
      const imported = await importWhole(
        console,
        adoptable,
        canHoldAll ? `${whole}${WHOLE}` : whole,
        signal,
      );
      const { state: found } = imported;
      const unmanaged = collection.unmanagedMembers(found, imported.private, release);
      const entries = entriesOf(found, collection.list);
      const count = entries.length;
      const hasExtra = entries.some(({ extra_json: extra = null }) => extra !== null);
      const isPart = offersParts(resource) && ownership !== "exclusive" && count > 0;
      const part = isPart ? `${whole}:${ownership}:${count}` : whole;
      const importId = hasExtra ? `${part}${WHOLE}` : part;
      const state = isPart ? { ...found, ownership } : found;
      const configuration = configurationOf(resource.attributes, state);
      const findings = provider.validateResource(resource.type, configuration, console);
      const obstacles = [
        ...findings.filter(({ severity }) => severity === "error"),
        ...textErrors(configuration),
      ];
      return { ...adoptable, importId, state, count, obstacles, unmanaged };
    }),
  );
}

/** Reports whether the resource can manage the first or the last entries of its collection. */
function offersParts({ attributes: { ownership } }: ListedResource): boolean {
  if (ownership?.type.kind !== "string") return false;
  const { check } = ownership.type;
  return check?.safeParse("prefix").success === true;
}

async function importWhole(
  connection: Console,
  { resource }: Adoptable,
  id: string,
  signal: AbortSignal,
): Promise<{ readonly state: ObjectValue; readonly private: PrivateState }> {
  const context = { connection, signal, progress: () => undefined };
  const outcome = await resource.import?.(id, context);
  if (!outcome?.state || hasErrors(outcome.diagnostics ?? [])) {
    throw new Error(`import of ${resource.type} failed`);
  }
  return { state: outcome.state, private: outcome.private ?? {} };
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
