import { ConsoleError } from "../../api/errors";
import { onceForEach } from "../../core/alike";
import type {
  ModifyPlanRequest,
  OperationContext,
  Outcome,
} from "../../core/definitions/resource-definition";
import { finding, hasErrors, type Diagnostic } from "../../core/diagnostics";
import { quote } from "../../core/printed";
import { computed, list, object, set, string } from "../../core/schema/attribute";
import {
  isListValue,
  isObjectValue,
  UNKNOWN,
  valuesEqual,
  type ObjectValue,
  type Value,
} from "../../core/values";
import { readScopes, type ScopesByName } from "../collections/console-collections";
import { entriesOf } from "../collections/contents";
import { sameNames } from "../collections/named-collections";
import type { Console } from "../console/connection";
import { readIfReady } from "../console/setup";
import type { ListedResource } from "../listing";
import { reviewed } from "../review-hints";
import { collectionsOf, scopeAttributes } from "./compliance-policy";
import { lintPolicySet } from "./policy-lint";

/*
 * The scopes of the collections that policies name. A plan carries what it read of them, so that all
 * reviews of it judge the same.
 */

const ATTRIBUTE = "collection_scopes";

export const collectionScopes = computed(
  list(
    object({
      name: computed(string(), "Name of the collection."),
      ...scopeAttributes((description) => computed(set(string()), description)),
    }),
  ),
  "Scopes of the collections that the policies name, as read from the console, for reviews of a plan. Null if no policy names one, or if the console does not show them. A policy that is also limited by `resources` on the console hides those of its collections.",
  { noted: true, ...reviewed({ kind: "follows" }) },
);

/** The scopes that this run has read of a console, and those that it plans to change. */
interface Known {
  read?: ScopesByName;
  readonly planned: Map<string, ObjectValue | typeof UNKNOWN>;
}

const knownOf = onceForEach<Console, Known>(() => ({ planned: new Map() }));

/** Notes the scope of a collection that the same run plans: policies that wait for it are planned with it. */
export function planCollection(
  connection: Console,
  name: string,
  scope: ObjectValue | typeof UNKNOWN,
): void {
  knownOf(connection).planned.set(name, scope);
}

/** Adds the scopes of named collections to a resource of policies. */
export function withCollectionScopes(resource: ListedResource): ListedResource {
  const foundBy = (connection: Console) =>
    entriesOf(resource.found?.(connection, null) ?? {}, "entries");
  const namesFound = (connection: Console) => namesOf(foundBy(connection).flatMap(valueIn)) ?? [];

  /** The collections of managed policies that `resources` on the console limit further. */
  const limitedTwice = (connection: Console, state: ObjectValue): readonly string[] => {
    // A policy that states its resources shows itself that they limit it.
    const policies = entriesOf(state, "policies").filter(({ resources = null }) => !resources);
    const managed = new Set(policies.map(({ name }) => name));
    const partial = foundBy(connection).filter(({ isPartial }) => isPartial === true);
    const own = partial.flatMap(valueIn).filter(({ name = null }) => managed.has(name));
    return namesOf(own) ?? [];
  };

  const readFor = async (
    { connection, signal }: Pick<OperationContext<Console>, "connection" | "signal">,
    state: ObjectValue,
  ): Promise<Value> => {
    const names = namesIn(state) ?? [];
    const others = state.ownership === "exclusive" ? [] : namesFound(connection);
    if (names.length + others.length === 0) return null;
    const read = await readScopes(connection.client, signal);
    noteRead(connection, read);
    return scopesOf(names, read, limitedTwice(connection, state));
  };

  const completed = async (
    outcome: Outcome<ObjectValue>,
    planned: ObjectValue,
    context: OperationContext<Console>,
  ): Promise<Outcome<ObjectValue>> => {
    const { state } = outcome;
    if (state === null || planned[ATTRIBUTE] !== UNKNOWN) return outcome;
    return { ...outcome, state: { ...state, [ATTRIBUTE]: await unlessFailed(context, state) } };
  };

  /** The policies are written already: what cannot be read of collections is no error. */
  const unlessFailed = async (context: OperationContext<Console>, state: ObjectValue) => {
    try {
      return await readFor(context, state);
    } catch (failure) {
      if (failure instanceof ConsoleError) return null;
      throw failure;
    }
  };

  const update = resource.update?.bind(resource);
  return {
    ...resource,
    read: async (state, privateState, context) => {
      const outcome = await resource.read(state, privateState, context);
      if (outcome.state === null) return outcome;
      const scopes = await readFor(context, outcome.state);
      return isSame(outcome.state, scopes)
        ? outcome
        : { ...outcome, state: { ...outcome.state, [ATTRIBUTE]: scopes } };
    },
    modifyPlan: async (request) => {
      const result = (await resource.modifyPlan?.(request)) ?? { planned: request.planned };
      if (hasErrors(result.diagnostics ?? [])) return result;
      const others =
        request.prior === null && request.connection ? namesFound(request.connection) : [];
      const { scopes, diagnostics } = await plannedScopes(request, result.planned, others);
      const planned: ObjectValue = isSame(result.planned, scopes)
        ? result.planned
        : { ...result.planned, [ATTRIBUTE]: scopes };
      const found = [...(result.diagnostics ?? []), ...diagnostics, ...lintOf(planned)];
      return { ...result, planned, diagnostics: found };
    },
    create: async (planned, config, context) =>
      completed(await resource.create(withoutUnknown(planned), config, context), planned, context),
    ...(update && {
      update: async (request, context) => {
        const own = { ...request, planned: withoutUnknown(request.planned) };
        return completed(await update(own, context), request.planned, context);
      },
    }),
    found: (connection, destroyed) => {
      const found = resource.found?.(connection, destroyed);
      const { read } = knownOf(connection);
      if (!found || !read) return found;
      const entries = [...entriesOf(found, "entries"), ...entriesOf(found, "left")];
      const names = namesOf(entries.flatMap(valueIn)) ?? [];
      return { ...found, scopes: scopesOf(names, read, []) };
    },
  };
}

const NONE: ScopesByName = new Map();

interface PlannedScopes {
  readonly scopes: Value;
  readonly diagnostics: readonly Diagnostic[];
}

async function plannedScopes(
  { connection, prior, signal }: ModifyPlanRequest<Console>,
  planned: ObjectValue,
  others: readonly string[],
): Promise<PlannedScopes> {
  const only = (scopes: Value): PlannedScopes => ({ scopes, diagnostics: [] });
  const names = namesIn(planned);
  if (names && names.length + others.length === 0) return only(null);
  const before = prior && namesIn(prior);
  if (names && prior && before && sameNames(before, names)) {
    return only(withPlanned(names, prior[ATTRIBUTE] ?? null, connection));
  }
  if (!connection) return only(UNKNOWN);
  const known = knownOf(connection);
  const isKnown = (name: string) => known.planned.has(name) || known.read?.has(name) === true;
  if (!names?.every(isKnown) || others.length > 0) {
    const reading = await readIfReady(connection, () => readScopes(connection.client, signal));
    if ("notReady" in reading) return only(UNKNOWN);
    noteRead(connection, reading.value);
  }
  if (!names) return only(UNKNOWN);
  // Nothing was read if the run plans all of them.
  const read = known.read ?? (names.every((name) => known.planned.has(name)) ? NONE : undefined);
  if (names.length === 0 || !read) return only(null);
  const missing = names.filter((name) => !isKnown(name));
  if (missing.length > 0) return { scopes: UNKNOWN, diagnostics: unknownNames(planned, missing) };
  return only(withPlanned(names, scopesOf(names, read, []), connection));
}

function noteRead(connection: Console, read: ScopesByName | undefined): void {
  const known = knownOf(connection);
  if (read) known.read = read;
  else delete known.read;
}

/** The scopes with those that the run plans to change. */
function withPlanned(
  names: readonly string[],
  scopes: Value,
  connection: Console | undefined,
): Value {
  if (!connection || !isListValue(scopes)) return scopes;
  const { planned } = knownOf(connection);
  const known = new Map(scopes.filter(isObjectValue).map((one) => [one.name, one]));
  const all = [...new Set(names)].sort().map((name) => planned.get(name) ?? known.get(name));
  return all.includes(UNKNOWN) ? UNKNOWN : all.filter((one) => one !== undefined);
}

/** The scopes of these names, in their order; null if the console does not show them. */
function scopesOf(
  names: readonly string[],
  read: ScopesByName | undefined,
  hidden: readonly string[],
): Value {
  if (!read || names.length === 0) return null;
  return [...new Set(names)]
    .sort()
    .flatMap((name) => (hidden.includes(name) ? [] : (read.get(name) ?? [])));
}

/** The names of all collections; undefined while one is unknown. */
function namesIn(object: ObjectValue): readonly string[] | undefined {
  return object.policies === UNKNOWN ? undefined : namesOf(entriesOf(object, "policies"));
}

function namesOf(entries: readonly ObjectValue[]): readonly string[] | undefined {
  const all = entries.map(collectionsOf);
  if (all.includes(UNKNOWN)) return undefined;
  const names = all.flatMap((one) => (isListValue(one ?? null) ? (one as readonly Value[]) : []));
  return names.filter((name) => typeof name === "string");
}

const valueIn = ({ value = null }: ObjectValue) => (isObjectValue(value) ? [value] : []);

function isSame(object: ObjectValue, scopes: Value): boolean {
  return valuesEqual(object[ATTRIBUTE] ?? null, scopes);
}

/** A state holds no unknown value. */
function withoutUnknown(planned: ObjectValue): ObjectValue {
  return planned[ATTRIBUTE] === UNKNOWN ? { ...planned, [ATTRIBUTE]: null } : planned;
}

/** The findings that only the scopes of collections show. */
function lintOf(planned: ObjectValue): readonly Diagnostic[] {
  if (!isListValue(planned[ATTRIBUTE] ?? null)) return [];
  const known = lintPolicySet(planned).map((one) => JSON.stringify(one));
  return lintPolicySet(planned, planned[ATTRIBUTE]).filter(
    (one) => !known.includes(JSON.stringify(one)),
  );
}

function unknownNames(planned: ObjectValue, missing: readonly string[]): readonly Diagnostic[] {
  return entriesOf(planned, "policies").flatMap((policy, index) => {
    const names = (namesOf([policy]) ?? []).filter((name) => missing.includes(name));
    if (names.length === 0) return [];
    const [are, them] = names.length === 1 ? ["no collection", "it"] : ["no collections", "them"];
    const detail = `The console has ${are} ${names.map((name) => quote(name)).join(", ")}, so that the scope of the policy is not known. Correct the name, or create ${them} first, such as with a ConsoleCollection of this stack, which the policies wait for.`;
    const attribute = isListValue(policy.collections ?? null) ? "collections" : "extra_json";
    return finding("Unknown collection", detail, ["policies", index, attribute]);
  });
}
