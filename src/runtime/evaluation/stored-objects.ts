import { memberOf } from "../../core/member-of";
import { onceForPairs } from "../../core/alike";
import { decodePrivate, encodePrivate, type PrivateState } from "../../core/private-state";
import type { Diagnostic } from "../../core/diagnostics";
import type { Provider } from "../../core/provider";
import type { Attributes } from "../../core/schema/attribute";
import { encodeDynamics } from "../../core/schema/dynamic";
import {
  isListValue,
  isObjectValue,
  isPlain,
  type AttributePath,
  type ObjectValue,
  type Value,
} from "../../core/values";
import { toExactObject, type JsonObject } from "../../core/documents/state-value";
import {
  toAttributePaths,
  toSensitivePath,
  type SensitivePath,
} from "../../core/documents/sensitive-paths";
import type { InstanceState } from "../../core/documents/state";
import { NO_MARKS } from "../../core/marks";
import { isMapAt } from "./attributes";
import type { MarkedObject } from "./conform";

/** An object in the state of a stack, decoded to the present schema. */
export interface StoredObject {
  /** Its record in the state. */
  readonly stored: InstanceState;
  readonly value: ObjectValue;
  readonly private: PrivateState;
  readonly sensitive: readonly AttributePath[];
}

/** Reports whether the creation of an object failed: it is planned as if it did not exist. */
export function isTainted({ stored }: StoredObject): boolean {
  return stored.status === "tainted";
}

/** Returns the sensitive paths of the state as marks. */
export function marksOf({ sensitive }: Pick<StoredObject, "sensitive">) {
  return sensitive.map((path) => ({ ...NO_MARKS, path, sensitive: true }));
}

/** Returns the object with its sensitive paths as marks. */
export function marked(object: Pick<StoredObject, "value" | "sensitive">): MarkedObject {
  return { value: object.value, marks: marksOf(object) };
}

/** Returns the object's ID to show in events. */
export function idOf(value: ObjectValue | null): { id?: string } {
  const id: Value = value?.id ?? null;
  return typeof id === "string" ? { id } : {};
}

export function decodeInstance(
  provider: Provider<unknown>,
  type: string,
  stored: InstanceState,
): { object?: StoredObject; diagnostics: readonly Diagnostic[] } {
  const { state, diagnostics } = decode(provider, type, stored);
  if (state === null) return { diagnostics };
  return {
    object: {
      stored,
      value: state,
      private: decodePrivate(stored.private),
      sensitive: toAttributePaths(stored.sensitivePaths),
    },
    diagnostics,
  };
}

type Decoded = ReturnType<typeof decodeNow>;

const decoded = onceForPairs<Provider<unknown>, JsonObject, Map<string, Decoded>>(() => new Map());

/** Objects that are alike share their attributes, and then their value. */
function decode(provider: Provider<unknown>, type: string, stored: InstanceState) {
  const results = decoded(provider, stored.attributes);
  const key = `${type} ${stored.schemaVersion}`;
  const result = results.get(key) ?? decodeNow(provider, type, stored);
  results.set(key, result);
  return result;
}

function decodeNow(
  provider: Provider<unknown>,
  type: string,
  { schemaVersion, attributes }: InstanceState,
) {
  return provider.upgradeState(type, { schemaVersion, attributes: toExactObject(attributes) });
}

/** The members of an encoded instance next to its attributes. */
export interface InstanceFacts {
  readonly private: PrivateState;
  readonly sensitive: readonly AttributePath[];
  readonly dependencies: readonly string[];
  readonly createBeforeDestroy: boolean;
  readonly tainted?: boolean;
}

/**
 * Encodes an object for the state. If `previous` has the same values, they are kept as written, with
 * numbers beyond the precision of a double.
 */
export function encodeInstance(
  schema: { readonly attributes: Attributes; readonly version: number },
  value: ObjectValue,
  facts: InstanceFacts,
  previous?: { readonly stored: InstanceState; readonly unchanged: boolean },
): InstanceState {
  const bytes = encodePrivate(facts.private);
  const same = previous?.unchanged === true && previous.stored.schemaVersion === schema.version;
  const { identity, identitySchemaVersion, unknown } = previous?.stored ?? {};
  const encoded = same ? {} : encodeDynamics(schema.attributes, value);
  if (!isPlain(encoded)) throw new Error("an unknown value cannot be kept in a state");
  return {
    schemaVersion: schema.version,
    attributes: same ? previous.stored.attributes : encoded,
    sensitivePaths: encodeSensitive(schema.attributes, value, facts.sensitive),
    dependencies: facts.dependencies,
    createBeforeDestroy: facts.createBeforeDestroy,
    ...(facts.tainted && { status: "tainted" as const }),
    ...(bytes && { private: bytes }),
    ...(identity && { identity }),
    ...(identitySchemaVersion !== undefined && { identitySchemaVersion }),
    ...(unknown && { unknown }),
  };
}

function encodeSensitive(
  attributes: Attributes,
  value: ObjectValue,
  paths: readonly AttributePath[],
): readonly SensitivePath[] {
  return paths
    .filter((path) => leadsTo(value, path))
    .map((path) => toSensitivePath(path, (prefix) => isMapAt(attributes, value, prefix)))
    .map((path) => ({ path, key: JSON.stringify(path) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ path }) => path);
}

/** Reports whether a value has a path. */
function leadsTo(value: Value, [step, ...rest]: AttributePath): boolean {
  if (step === undefined) return true;
  if (isListValue(value) && typeof step === "number") {
    return step < value.length && leadsTo(value[step] ?? null, rest);
  }
  return (
    isObjectValue(value) &&
    Object.hasOwn(value, step) &&
    leadsTo(memberOf(value, step) ?? null, rest)
  );
}
