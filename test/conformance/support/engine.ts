import { asOpenTofu, summaryOfTerraform } from "./opentofu";
import { IS_NEWER, IS_TOFU } from "./program";
import type { World } from "./world";

export type Json = Readonly<Record<string, unknown>>;

/** The planning options of Terraform's command line. */
export interface Request {
  readonly mode?: "normal" | "destroy" | "refresh-only";
  readonly refresh?: boolean;
  readonly replace?: readonly string[];
  readonly targets?: readonly string[];
}

/** A plan of one engine. It must be closed, whether it is applied or not. */
export interface Planned {
  /** In Terraform's format 1.2, without values that differ between plans; absent where planning fails. */
  readonly json?: Json;
  /** True where there are changes to apply. */
  readonly applyable?: boolean;
  readonly diagnostics: readonly ComparedDiagnostic[];
  /** Applies the plan and returns the diagnostics. */
  apply(): Promise<readonly ComparedDiagnostic[]>;
  /** The order of its operations: `ONE before OTHER`. */
  order(): Promise<readonly string[]>;
  /** The operations of the apply as they started and ended. */
  readonly happenings: readonly string[];
  close(): Promise<void>;
}

export interface Engine {
  /** Plans the stack of a world. */
  plan(world: World, request: Request): Promise<Planned>;
  /** Runs a Terraform command on the state, and fails if the command fails. */
  command(world: World, command: string): Promise<void>;
}

/** Parses a plan without its time and version, and sorts what Terraform leaves in random order. */
export function comparable(
  text: string,
  world: World,
  { mode, targets }: Request,
): Required<Pick<Planned, "json" | "applyable">> {
  const {
    timestamp,
    terraform_version: version,
    prior_state: prior,
    resource_changes: changes,
    relevant_attributes: relevant = [],
    ...json
  } = JSON.parse(world.anonymous(text)) as PlanJson;
  expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  expect(version).toMatch(/^1\.\d+\.\d+$/);
  const plan: PlanJson = {
    ...json,
    ...(prior && priorState(prior, targets !== undefined || mode === "destroy")),
    ...(changes && { resource_changes: byDeposed(changes).map(withoutOrphan) }),
    relevant_attributes: [...new Set(relevant.map(namedAttribute))].sort(),
  };
  const { applyable, ...others } = mode === "destroy" ? withoutDrift(plan) : plan;
  // Terraform takes some refreshed states for changed ones and writes them unchanged.
  const compared = mode === "refresh-only" ? others : { ...others, applyable };
  return { json: IS_TOFU ? asOpenTofu(compared) : compared, applyable: applyable === true };
}

interface PlanJson extends Json {
  readonly prior_state?: Json;
  readonly resource_changes?: readonly ChangeJson[];
  readonly output_changes?: Readonly<Record<string, ChangeJson["change"]>>;
  readonly relevant_attributes?: readonly unknown[];
}

interface RelevantJson {
  readonly resource: string;
  readonly attribute: readonly (string | number)[];
}

/** Terraform 1.15 names no paths within values of any type, which only its own provider has. */
function namedAttribute(one: unknown): string {
  const { resource, attribute } = one as RelevantJson;
  const isCut = IS_NEWER && /^(data\.)?terraform_/.test(resource);
  return JSON.stringify([resource, isCut ? attribute.slice(0, 1) : attribute]);
}

interface DeposedJson {
  readonly address: string;
  readonly deposed?: string;
  readonly deposed_key?: string;
}

/** Sorts the deposed objects of an instance, whose keys are random. */
function byDeposed<T extends DeposedJson>(objects: readonly T[]): readonly T[] {
  const first = (one: T) => objects.findIndex(({ address }) => address === one.address);
  const key = ({ deposed, deposed_key: other = "" }: T) => deposed ?? other;
  return [...objects].sort((a, b) => first(a) - first(b) || (key(a) < key(b) ? -1 : 1));
}

/**
 * Sorts the dependencies of objects. With targets, and in a destroy, leaves out the outputs of other stacks, which
 * only Terraform stores, and a state that has nothing else.
 */
function priorState(state: Json, isPartial: boolean): Pick<PlanJson, "prior_state"> {
  const text = JSON.stringify({ ...state, terraform_version: "" });
  const sorted = JSON.parse(text, (member, value: unknown): unknown => {
    if (!Array.isArray(value)) return value;
    if (member === "depends_on") return [...(value as string[])].sort();
    if (member !== "resources") return value;
    const objects = byDeposed(value as (DeposedJson & Json)[]);
    if (!isPartial) return objects;
    const others = objects.filter(({ type }) => type !== "terraform_remote_state");
    return others.length > 0 ? others : undefined;
  }) as PriorState & Json;
  const { outputs, root_module: module } = sorted.values ?? {};
  return outputs === undefined && !module?.resources ? {} : { prior_state: sorted };
}

/** For removed objects, Terraform before 1.15 reports the state before the refresh. */
function withoutOrphan({ change: sent, ...others }: ChangeJson): ChangeJson {
  const { replace_paths: paths } = sent;
  // Terraform leaves these in random order.
  const sorted = Array.isArray(paths) && {
    replace_paths: paths.map((one) => JSON.stringify(one)).sort(),
  };
  const resource = { ...others, change: { ...sent, ...sorted } };
  const { change, action_reason: reason } = resource;
  if (reason?.startsWith("delete_because_") !== true) return resource;
  return { ...resource, change: { ...change, before: "orphan", before_sensitive: {} } };
}

/** Before a destroy, only the executor reports drift, and only Terraform the references of outputs. */
function withoutDrift(plan: PlanJson): PlanJson {
  return { ...plan, resource_drift: [], relevant_attributes: [] };
}

interface PriorState {
  readonly values?: {
    readonly outputs?: Json;
    readonly root_module: { readonly resources?: readonly Json[] };
  };
}

/** A diagnostic in a form that both engines share. */
export interface ComparedDiagnostic {
  /** `SEVERITY SUMMARY: DETAIL`, on one line. */
  readonly text: string;
  /** `SEVERITY SUMMARY`. */
  readonly summary: string;
  readonly address: string | undefined;
}

/** Diagnostics of the executor with Terraform's summary and a different detail. */
const OTHER_DETAIL = new Set([
  "Invalid count argument",
  "Invalid for_each argument",
  "Instance cannot be destroyed",
  ...(IS_TOFU ? ["Some objects will no longer be managed by Terraform"] : []),
  "Resource targeting is in effect",
  "Applied changes may be incomplete",
  "Invalid use of ephemeral value",
  "Output refers to sensitive values",
  "local-exec provisioner error",
]);

/** Converts diagnostics, without repetitions and sorted. */
export function comparableDiagnostics(
  diagnostics: readonly {
    readonly severity: string;
    readonly address?: string | undefined;
    readonly summary: string;
    readonly detail?: string | undefined;
  }[],
  world: World,
): readonly ComparedDiagnostic[] {
  const compared = diagnostics.map(
    ({ severity, address: place, summary: reported, detail = "" }): ComparedDiagnostic => {
      const summary = summaryOfTerraform(reported);
      // Terraform names no object for results of checks.
      const address = place?.startsWith("check.") ? undefined : place;
      const shown = OTHER_DETAIL.has(summary)
        ? "…"
        : withoutRule(detail).replace(/\s+/g, " ").trim();
      const text = `${severity} ${summary}: ${shown}`
        .replace(/\bOpenTofu\b/g, "Terraform")
        // OpenTofu adds the type that was found.
        .replace(/ required, but have \w+\./, " required.");
      return { text: world.anonymous(text), summary: `${severity} ${summary}`, address };
    },
  );
  const keyed = new Map(compared.map((one) => [`${one.text} ${one.address ?? ""}`, one]));
  return [...keyed.keys()].sort().flatMap((key) => keyed.get(key) ?? []);
}

/** The executor names a validation where Terraform has its line, and the variable of a value. */
function withoutRule(detail: string): string {
  return detail
    .replace(/(This was checked by the validation rule) at .*\.$/, "$1")
    .replace(/\n\nThe value is that of var\.[^]*$/, "");
}

/** Summarizes a plan: `ADDRESS ACTION`, `output.NAME ACTION`, `drift ADDRESS ACTION`. */
export function summaryOf({ resource_changes, resource_drift, output_changes }: Json): string[] {
  const changes = (resource_changes ?? []) as readonly ChangeJson[];
  const drift = (resource_drift ?? []) as readonly ChangeJson[];
  const outputs = (output_changes ?? {}) as Readonly<Record<string, ChangeJson["change"]>>;
  return [
    ...changes.map(summarize),
    ...drift.map((change) => summarize(change).map((text) => `drift ${text}`)),
    ...Object.entries(outputs).map(([name, change]) =>
      summarize({ address: `output.${name}`, change }),
    ),
  ].flat();
}

interface ChangeJson {
  readonly address: string;
  readonly previous_address?: string;
  readonly deposed?: string;
  readonly action_reason?: string;
  readonly change: Json & { readonly actions: readonly string[] };
}

function summarize({ address, previous_address: before, deposed, change }: ChangeJson): string[] {
  const actions = change.actions.filter((action) => action !== "no-op");
  const words = [
    ...(before === undefined ? [] : [`moved from ${before}`]),
    ...(change.importing === undefined ? [] : ["import"]),
    ...actions,
  ];
  if (words.length === 0) return [];
  return [`${address}${deposed === undefined ? "" : " (deposed)"} ${words.join(" ")}`];
}
