import type {
  ApplyContext,
  ModifyPlanRequest,
  Outcome,
  Resource,
} from "../../core/definitions/resource-definition";
import { error, type Diagnostic } from "../../core/diagnostics";
import type { PrivateState } from "../../core/private-state";
import { printed } from "../../core/printed";
import { computed, string } from "../../core/schema/attribute";
import { UNKNOWN, valuesEqual, type ObjectValue } from "../../core/values";
import type { Console } from "./connection";
import { reviewed } from "../review-hints";

/** The attribute that names the console of an object. */
const consoleAttribute = computed(
  string(),
  "The console of the object: host, port, path prefix and project, or the provider's `console_id`. Plans and applies refuse objects of another console.",
  { noted: true, ...reviewed({ kind: "follows" }) },
);

/**
 * Makes the objects of a resource know their console, in the attribute `console` and in private
 * state. Objects of another console are refused. A read names the console of an object that has no
 * name yet, and never changes one; a write names the present console.
 */
export function knowingItsConsole<R extends Resource<Console>>(resource: R): R {
  const update = resource.update?.bind(resource);
  const importer = resource.import?.bind(resource);
  const hooks: Partial<Resource<Console>> = {
    attributes: { ...resource.attributes, console: consoleAttribute },
    refuse: refuseOtherConsole,
    modifyPlan: async (request) => {
      const result = (await resource.modifyPlan?.(request)) ?? { planned: request.planned };
      return { ...result, planned: plannedIn(result.planned, request) };
    },
    read: async (state, privateState, context) => {
      const [name = nameOf(context)] = namesIn(state, privateState);
      return named(await resource.read(state, privateState, context), name);
    },
    create: async (planned, config, context) => {
      const [name = nameOf(context)] = namesIn(planned);
      return named(await resource.create(planned, config, naming(context, name)), name);
    },
    ...(update && {
      update: async (request, context) => {
        const [name = nameOf(context)] = namesIn(request.planned);
        return named(await update(request, naming(context, name)), name);
      },
    }),
    delete: async (state, privateState, context) => {
      const [name = nameOf(context)] = namesIn(state, privateState);
      const own = naming(context, name);
      return named(await resource.delete(state, privateState, own), name);
    },
    ...(importer && {
      import: async (id, context) => named(await importer(id, context), nameOf(context)),
    }),
  };
  return { ...resource, ...hooks };
}

function nameOf({ connection }: { readonly connection: Console }): string {
  return connection.client.identity.name;
}

/** The names that an object has for its console, which are the same unless the state was edited. */
function namesIn({ console: name = null }: ObjectValue, privateState: PrivateState = {}) {
  return [name, privateState.console].filter((one) => typeof one === "string");
}

function named({ state, private: privateState, ...rest }: Outcome<ObjectValue>, name: string) {
  if (state === null) return { ...rest, state, ...(privateState && { private: privateState }) };
  return {
    ...rest,
    state: withName(state, name),
    private: withName(privateState ?? {}, name),
  };
}

/** The same object if it has the name already: consoles that are alike share objects. */
function withName<Holder extends ObjectValue>(object: Holder, name: string): Holder {
  return object.console === name ? object : { ...object, console: name };
}

function naming(
  context: ApplyContext<Console, ObjectValue>,
  name: string,
): ApplyContext<Console, ObjectValue> {
  return {
    ...context,
    checkpoint: ({ state, private: privateState = {} }, elsewhere) =>
      context.checkpoint(
        { state: withName(state, name), private: withName(privateState, name) },
        elsewhere,
      ),
  };
}

/** An object that is not changed keeps the name, which may be that of an earlier address. */
function plannedIn(
  planned: ObjectValue,
  { prior, connection }: ModifyPlanRequest<Console>,
): ObjectValue {
  const kept: ObjectValue = { ...planned, console: prior?.console ?? null };
  if (prior && valuesEqual(kept, prior)) return kept;
  return { ...planned, console: connection?.client.identity.name ?? UNKNOWN };
}

/** Returns an error if an object is not on the console of the connection. */
function refuseOtherConsole(
  object: ObjectValue,
  privateState: PrivateState,
  { client: { identity } }: Console,
): Diagnostic | undefined {
  const other = namesIn(object, privateState).find((name) => !identity.names.has(name));
  return other === undefined ? undefined : otherConsole(other, identity.name);
}

function otherConsole(stored: string, present: string): Diagnostic {
  return error(
    "Object is on another console",
    printed`The object is stored for the console ${stored}, and the provider is configured for ${present}. Nothing was compared or changed.

If ${present} is a mistake, correct base_url or CONSOLE_URL, and project or CONSOLE_PROJECT.

If they are the same console, add ${JSON.stringify(stored)} to the provider's previous_base_urls (or CONSOLE_PREVIOUS_URLS), or run this once with --same-console STACK.

If they are different consoles, remove the object from the state, with "state rm" or a removed block with destroy = false (in OpenTofu with -refresh=false), and apply, which creates it on ${present}.`,
  );
}
