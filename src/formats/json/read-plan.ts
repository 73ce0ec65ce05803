import { equalButForNotes } from "../../core/schema/noted";
import { error, warning, type Diagnostic } from "../../core/diagnostics";
import { ResultsByText } from "../../core/alike";
import { isRecord, mapMembers } from "../../core/member-of";
import type { Attributes } from "../../core/schema/attribute";
import {
  isObjectValue,
  valuesEqual,
  type AttributePath,
  type ObjectValue,
  type Value,
} from "../../core/values";
import {
  ACTION_REASONS,
  type Action,
  type OutputChange,
  type ResourceChange,
  type StackPlan,
} from "../../core/documents/stack-plan";
import { withUnknowns } from "../../core/documents/partial-value";
import { ACTIONS } from "./plan-json";
import { printedDocuments } from "./printed-documents";
import { dependenciesIn, endpointsIn, type EndpointProvider } from "./plan-configuration";
import {
  planDocumentSchema,
  planDocuments,
  type ChangeJson,
  type PlanJson,
  type ResourceChangeJson,
} from "./plan-schema";

/** The knowledge of a plan's providers. Terraform's JSON has neither schemas nor endpoints. */
export interface PlanProviders {
  /** Finds the schema of an object; undefined for types of other providers. */
  readonly schemaOf: (
    object: Pick<ResourceChange, "mode" | "type" | "provider">,
  ) => Attributes | undefined;
  /** Absent if no provider has endpoints. */
  readonly endpoint?: EndpointProvider;
}

/** The plans of a file. They are absent if the diagnostics have an error. */
export interface ReadPlans {
  readonly plans: readonly StackPlan[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the plan that `terraform show -json` printed, or the plans of several stacks: those that
 * `show --json` of this program printed, which names them, or several documents, as Terragrunt prints
 * them. Sensitive values are in it in plain text.
 *
 * @param name The stack of a plan that does not name it; of several it gets a number from 1.
 * @param location The file, for messages.
 */
export function readPlanJson(
  text: string,
  name: string,
  location: string,
  providers: PlanProviders,
): ReadPlans {
  const printed = printedDocuments(text);
  if ("fault" in printed)
    return unreadable(location, printed.fault ? `${printed.fault} ${AGAIN}` : CREATE);
  const { documents } = printed;
  if (documents.length === 0) return unreadable(location, `The file is empty. ${AGAIN}`);
  if (isStream(documents)) return unreadable(location, STREAM);
  const read = documents.flatMap((json, index) => {
    const several = planDocuments.safeParse(json);
    const number = index + 1;
    const [stack, place] =
      documents.length === 1
        ? [name, location]
        : [`${name}-${number}`, `${location}, document ${number}`];
    const entries = several.success
      ? Object.entries(several.data.stacks)
      : [[stack, json] as const];
    return entries.map(([named, document]) => readPlan(document, named, place, providers));
  });
  return {
    plans: read.flatMap(({ plans }) => plans),
    diagnostics: read.flatMap(({ diagnostics }) => diagnostics),
  };
}

function readPlan(
  json: unknown,
  stack: string,
  location: string,
  providers: PlanProviders,
): ReadPlans {
  const parsed = planDocumentSchema.safeParse(json);
  if (!parsed.success) return unreadable(location, CREATE);
  const { data: plan } = parsed;
  if (!plan.format_version.startsWith("1.")) {
    const detail = `The plan has format_version ${plan.format_version}. This program reads 1.x: print the plan with a Terraform that writes it, or update cdktf-console.`;
    return unreadable(location, detail);
  }
  // A state has the same format version.
  if (plan.planned_values === undefined) return unreadable(location, CREATE);
  const changes = [...(plan.resource_changes ?? []), ...(plan.resource_drift ?? [])];
  const strange = changes.find(({ change }) => actionOf(change) === undefined);
  if (strange) {
    const { address, change } = strange;
    return unreadable(location, `${address} has unknown actions: ${change.actions.join(", ")}.`);
  }
  return {
    plans: [toStackPlan(plan, stack, providers)],
    diagnostics: [
      ...(plan.errored === true ? [erroredPlan(stack, location)] : []),
      ...invokedActions(plan, stack),
    ],
  };
}

const AGAIN = 'Print the plan again, with "show -json" or "show --json".';

const CREATE =
  'It is not the JSON of a plan. Create one with "terraform plan -out=FILE" and "terraform show -json FILE".';

const STREAM = CREATE.replace(
  "It is not the JSON of a plan.",
  'It has the messages of "terraform plan -json" and not a plan.',
);

/** True for the messages of Terraform's `plan -json`, one a line. */
function isStream([first]: readonly unknown[]): boolean {
  return isRecord(first) && ["@level", "@message"].some((name) => Object.hasOwn(first, name));
}

function unreadable(location: string, detail: string): ReadPlans {
  return { plans: [], diagnostics: [error("Plan cannot be read", `${location}: ${detail}`)] };
}

function erroredPlan(stack: string, location: string): Diagnostic {
  const detail = `${location}: the plan of "${stack}" ended with an error, so changes may be missing.`;
  return warning("Plan is incomplete", detail);
}

/** Actions have effects that no plan shows. */
function invokedActions(
  { action_invocations: invocations = [] }: PlanJson,
  stack: string,
): readonly Diagnostic[] {
  if (invocations.length === 0) return [];
  const lines = invocations.map(({ address, lifecycle_action_trigger: trigger }) => {
    if (!trigger) return address;
    const { action_trigger_event: event, triggering_resource_address: object } = trigger;
    return `${address}, at ${event} of ${object}`;
  });
  const detail = `The plan of "${stack}" also invokes actions, and does not show what they change: ${lines.join("; ")}.`;
  return [warning("Plan invokes actions", detail)];
}

function toStackPlan(plan: PlanJson, stack: string, providers: PlanProviders): StackPlan {
  const { endpoint: provider } = providers;
  const endpointOf = provider ? endpointsIn(plan, provider) : () => undefined;
  const toChange = (json: ResourceChangeJson): ResourceChange =>
    toResourceChange(json, endpointOf(json.address), providers);
  const changes = (plan.resource_changes ?? []).map(toChange);
  const found = (plan.resource_drift ?? []).map(toChange);
  // A plan with `-refresh-only` lists no object, changed or not.
  const isRefresh = changes.length === 0 && found.length > 0;
  const drift = isRefresh ? found : found.filter((change) => !isNoted(change));
  const outputs = Object.entries(plan.output_changes ?? {}).map(toOutputChange);
  const isIdle = [...changes, ...drift, ...outputs].every(({ action }) => action === "no-op");
  const endpoints = [...changes, ...drift].flatMap(({ endpoint }) => endpoint ?? []);
  return {
    stack,
    mode: isRefresh ? "refresh-only" : "normal",
    complete: plan.errored !== true && (plan.deferred_changes ?? []).length === 0,
    ...(isIdle && plan.applyable === true && { recordsConfiguration: true as const }),
    changes,
    drift,
    outputs,
    relevantAttributes: plan.relevant_attributes ?? [],
    diagnostics: [],
    endpoints: [...new Set(endpoints)].sort(),
    dependencies: dependenciesIn(plan),
  };
}

/** A read that only notes what the state lacked is no drift. */
function isNoted({ attributes, before, after }: ResourceChange): boolean {
  return !!attributes && !!before && !!after && equalButForNotes(attributes, before, after);
}

/** The values of changes: plans of many stacks share those that are alike. */
const values = new ResultsByText<Value>();

function shared(value: Value): Value {
  if (!isObjectValue(value)) return value;
  return mapMembers(value, (member) => {
    if (typeof member !== "object" || member === null) return member;
    const text = JSON.stringify(member);
    const known = values.get(text);
    // An object may have the JSON of an exact number.
    if (known !== undefined && valuesEqual(known, member)) return known;
    values.set(text, member);
    return member;
  });
}

function toResourceChange(
  { change, ...resource }: ResourceChangeJson,
  endpoint: string | undefined,
  { schemaOf }: PlanProviders,
): ResourceChange {
  const { address, mode, type, name } = resource;
  const provider = resource.provider_name;
  const reason = ACTION_REASONS.find((known) => known === resource.action_reason);
  const attributes = schemaOf({ mode, type, provider });
  return {
    address,
    mode,
    type,
    name,
    provider,
    isExcerpt: true,
    ...(resource.previous_address !== undefined && { previousAddress: resource.previous_address }),
    ...(resource.index !== undefined && { key: resource.index }),
    ...(resource.deposed !== undefined && { deposed: resource.deposed }),
    ...(reason !== undefined && { reason }),
    ...(change.importing && { importing: { id: change.importing.id ?? "" } }),
    ...(attributes && endpoint !== undefined && { endpoint }),
    action: actionOf(change) ?? "no-op",
    before: objectOf(shared(change.before)),
    after: objectOf(withUnknowns(shared(change.after), change.after_unknown)),
    beforeSensitive: markedPaths(change.before_sensitive),
    afterSensitive: markedPaths(change.after_sensitive),
    replacePaths: change.replace_paths ?? [],
    attributes: attributes ?? null,
  };
}

function toOutputChange([name, change]: readonly [string, ChangeJson]): OutputChange {
  const action = actionOf(change);
  return {
    name,
    action: action === "create" || action === "update" || action === "delete" ? action : "no-op",
    before: change.before,
    after: withUnknowns(change.after, change.after_unknown),
    sensitive: change.after_sensitive === true || change.before_sensitive === true,
  };
}

/** Undefined for a combination that this program does not know. */
function actionOf({ actions }: ChangeJson): Action | undefined {
  const key = actions.join();
  const known = Object.entries(ACTIONS) as readonly (readonly [Action, readonly string[]])[];
  return known.find(([, names]) => names.join() === key)?.[0];
}

function objectOf(value: Value): ObjectValue | null {
  return isObjectValue(value) ? value : null;
}

/** The paths of the values that are marked with `true`. */
function markedPaths(marks: unknown): readonly AttributePath[] {
  if (marks === true) return [[]];
  if (typeof marks !== "object" || marks === null) return [];
  const step = (key: string) => (Array.isArray(marks) ? Number(key) : key);
  return Object.entries(marks).flatMap(([key, inner]) =>
    markedPaths(inner).map((path) => [step(key), ...path]),
  );
}
