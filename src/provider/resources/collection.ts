import { z } from "zod";
import { mapMembers, memberOf } from "../../core/member-of";
import type {
  ApplyContext,
  Outcome,
  RecordedWrite,
  Rollback,
} from "../../core/definitions/resource-definition";
import type { Diagnostic } from "../../core/diagnostics";
import { computed, optional, required, set, string } from "../../core/schema/attribute";
import {
  canonicalSet,
  isListValue,
  isNullValue,
  isObjectValue,
  isWhollyKnown,
  UNKNOWN,
  type ObjectValue,
  type Value,
} from "../../core/values";
import { CONTAINER_LISTS, scopeOfCollection } from "../collections/console-collections";
import { unsetAttributes } from "../collections/import-collection";
import type { Console } from "../console/connection";
import type { ListedResource } from "../listing";
import { reviewed } from "../review-hints";
import { planCollection } from "./collection-scopes";
import { consoleObject } from "./object";

const patterns = (what: string) =>
  optional(set(string()), `${what} of the collection, as patterns. \`*\` matches all.`, {
    default: ["*"],
    ...reviewed({ kind: "scope" }),
  });

const attributes = {
  id: computed(string(), "The name.", {
    requiresReplace: true,
    plan: ({ config: { name = null } }) => name,
  }),
  name: required(string(z.string().min(1)), "Name of the collection.", {
    requiresReplace: true,
    ...reviewed({ kind: "named-scope" }),
  }),
  description: optional(string(), "Description of the collection."),
  color: optional(string(), "Color of the collection in the console, such as `#AD3C21`."),
  images: patterns("Images"),
  containers: patterns("Containers"),
  namespaces: patterns("Namespaces"),
  hosts: patterns("Hosts"),
  labels: patterns("Labels"),
  account_ids: patterns("Cloud account IDs"),
  functions: patterns("Serverless functions"),
  clusters: patterns("Clusters"),
  code_repos: patterns("Code repositories"),
  app_ids: patterns("Application IDs"),
  on_destroy: optional(
    string(z.enum(["delete", "keep"])),
    "Effect of a destroy, as last applied: `delete` deletes the collection, `keep` leaves it.",
    { default: "delete" },
  ),
};

/** The lists of a collection, as the console spells them, by their attributes. */
const LISTS = {
  ...CONTAINER_LISTS,
  functions: "functions",
  clusters: "clusters",
  code_repos: "codeRepos",
  app_ids: "appIDs",
} as const;

const MEMBERS: Readonly<Record<string, string>> = {
  name: "name",
  description: "description",
  color: "color",
  ...LISTS,
};

/** The object of `cwp_object` that a collection is. */
function objectOf(collection: ObjectValue): ObjectValue {
  const { id = null, on_destroy = null, console = null } = collection;
  const members = Object.entries(MEMBERS).map(
    ([attribute, member]) => [member, memberOf(collection, attribute) ?? null] as const,
  );
  const body = Object.fromEntries(members.filter(([, value]) => !isNullValue(value)));
  return {
    ...unsetAttributes(consoleObject.attributes),
    ...{ id, on_destroy, console, kind: "collection", body },
  };
}

/** The collection that an object is. The order of a list has no meaning; one that is missing has all. */
function collectionOf(object: ObjectValue): ObjectValue {
  const { id = null, on_destroy = null, console = null, body = null } = object;
  const found = isObjectValue(body) ? body : {};
  const members = mapMembers(MEMBERS, (member, attribute): Value => {
    const value: Value = memberOf(found, member) ?? null;
    if (!Object.hasOwn(LISTS, attribute)) return value;
    const texts = isListValue(value) ? value.filter((one) => typeof one === "string") : ["*"];
    return canonicalSet(texts);
  });
  return { id, ...members, on_destroy, console };
}

function outcomeOf({ state, ...rest }: Outcome<ObjectValue>): Outcome<ObjectValue> {
  const diagnostics = rest.diagnostics?.map(outside);
  return {
    ...rest,
    state: state && collectionOf(state),
    ...(diagnostics && { diagnostics }),
  };
}

/** A diagnostic whose path is that of an attribute, not of the body. */
function outside(diagnostic: Diagnostic): Diagnostic {
  const [first, member, ...below] = diagnostic.path ?? [];
  if (first !== "body") return diagnostic;
  const attribute = Object.entries(MEMBERS).find(([, name]) => name === member)?.[0];
  return { ...diagnostic, path: [attribute ?? "name", ...below] };
}

function inside(context: ApplyContext<Console, ObjectValue>): ApplyContext<Console, ObjectValue> {
  return {
    ...context,
    checkpoint: ({ state, ...rest }, elsewhere) =>
      context.checkpoint({ ...rest, state: collectionOf(state) }, elsewhere),
  };
}

function rollbackOf(own: Rollback<Console>): Rollback<Console> {
  const written = (write: RecordedWrite): RecordedWrite => ({
    ...write,
    object: objectOf(write.object),
  });
  return {
    plan: (writes, context) => own.plan(writes.map(written), context),
    apply: (write, context) => own.apply(written(write), context),
  };
}

/** Policies that wait for a collection are planned with its new scope. */
function notePlanned(connection: Console | undefined, planned: ObjectValue): void {
  if (!connection || typeof planned.name !== "string") return;
  const lists = mapMembers(CONTAINER_LISTS, (_, attribute) => memberOf(planned, attribute) ?? null);
  const isKnown = Object.values(lists).every(isWhollyKnown);
  const { body = null } = objectOf(planned);
  const scope = isKnown && isObjectValue(body) ? scopeOfCollection(body) : UNKNOWN;
  planCollection(connection, planned.name, scope);
}

const { rollback } = consoleObject;
const update = consoleObject.update?.bind(consoleObject);
const planDestroy = consoleObject.planDestroy?.bind(consoleObject);
const placeOf = consoleObject.placeOf?.bind(consoleObject);
const importer = consoleObject.import?.bind(consoleObject);
const refuse = consoleObject.refuse?.bind(consoleObject);

/** A collection of the console: a typed `cwp_object` of that kind. */
export const consoleCollection: ListedResource = {
  type: "cwp_collection",
  category: "Policies",
  construct: "ConsoleCollection",
  sample: { name: "prod", images: ["prod/*"], namespaces: ["prod-*", "-prod-test"] },
  description:
    "A collection of the console: workloads and other resources by patterns, which policies name as their scope. Consoles later than the specification have them. A collection that the console itself owns, such as `All`, cannot be managed.",
  importExample: "prod",
  version: 0,
  attributes: {
    ...attributes,
    ...(consoleObject.attributes.console && { console: consoleObject.attributes.console }),
  },
  ...(consoleObject.endpoints && { endpoints: consoleObject.endpoints }),
  ...(placeOf && { placeOf: (config: ObjectValue) => placeOf(objectOf(config)) }),
  ...(refuse && { refuse }),
  validate: (config, connection) =>
    (consoleObject.validate?.(objectOf(config), connection) ?? []).map(outside),

  modifyPlan: async (request) => {
    const { prior, planned, config, replaced, connection } = request;
    const result = await consoleObject.modifyPlan?.({
      ...request,
      prior: prior && objectOf(prior),
      planned: objectOf(planned),
      config: objectOf(config),
      ...(replaced && { replaced: { ...replaced, state: objectOf(replaced.state) } }),
    });
    notePlanned(connection, planned);
    const diagnostics = result?.diagnostics?.map(outside);
    const name = result?.planned.console ?? planned.console ?? null;
    return { planned: { ...planned, console: name }, ...(diagnostics && { diagnostics }) };
  },
  ...(planDestroy && {
    planDestroy: (prior, privateState) => planDestroy(objectOf(prior), privateState).map(outside),
  }),

  read: async (state, privateState, context) =>
    outcomeOf(await consoleObject.read(objectOf(state), privateState, context)),
  create: async (planned, config, context) =>
    outcomeOf(await consoleObject.create(objectOf(planned), objectOf(config), inside(context))),
  ...(update && {
    update: async ({ prior, planned, config, private: privateState }, context) => {
      const [from, to, given] = [objectOf(prior), objectOf(planned), objectOf(config)];
      const request = { prior: from, planned: to, config: given, private: privateState };
      return outcomeOf(await update(request, inside(context)));
    },
  }),
  delete: async (state, privateState, context) =>
    outcomeOf(await consoleObject.delete(objectOf(state), privateState, inside(context))),
  ...(importer && {
    import: async (id, context) => outcomeOf(await importer(`collection:${id}`, context)),
  }),
  ...(rollback && { rollback: rollbackOf(rollback) }),
};
