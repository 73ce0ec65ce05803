import type { World } from "./world";

export type Json = Readonly<Record<string, unknown>>;

/** As Terraform's command line has it. */
export interface Request {
  readonly mode?: "normal" | "destroy" | "refresh-only";
  readonly refresh?: boolean;
  readonly replace?: readonly string[];
  readonly targets?: readonly string[];
}

/** A plan of one engine, to be applied or not, and in any case to be closed. */
export interface Planned {
  /** In Terraform's format 1.2, without what differs from plan to plan; undefined where there is none. */
  readonly json?: Json;
  /** Whether there is anything to apply. */
  readonly applyable?: boolean;
  readonly diagnostics: readonly Told[];
  /** Done as planned, as far as that went; its diagnostics. */
  apply(): Promise<readonly Told[]>;
  close(): Promise<void>;
}

export interface Engine {
  /** Plans what is in a world. */
  plan(world: World, request: Request): Promise<Planned>;
  /** Runs a command of Terraform's that works on the state; fails where that does. */
  command(world: World, command: string): Promise<void>;
}

/** A plan without when it was made and by which version; what Terraform does not order is sorted. */
export function comparable(
  text: string,
  world: World,
  { mode }: Request,
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
    ...(prior && { prior_state: withSortedDependencies({ ...prior, terraform_version: "" }) }),
    ...(changes && { resource_changes: changes.map(withoutOrphan) }),
    relevant_attributes: relevant.map((one) => JSON.stringify(one)).sort(),
  };
  const { applyable, ...others } = mode === "destroy" ? onlyDestroyed(plan, world.outputs()) : plan;
  // Some of what is looked at Terraform takes for another state, and writes it as it was.
  const compared = mode === "refresh-only" ? others : { ...others, applyable };
  return { json: compared, applyable: applyable === true };
}

interface PlanJson extends Json {
  readonly prior_state?: Json;
  readonly resource_changes?: readonly ChangeJson[];
  readonly output_changes?: Readonly<Record<string, ChangeJson["change"]>>;
  readonly relevant_attributes?: readonly unknown[];
}

function withSortedDependencies(state: Json): Json {
  return JSON.parse(JSON.stringify(state), (member, value: unknown) =>
    member === "depends_on" && Array.isArray(value) ? value.sort() : value,
  ) as Json;
}

/** Of what the configuration has no more Terraform before 1.15 tells what was there before refresh. */
function withoutOrphan(resource: ChangeJson): ChangeJson {
  const { change, action_reason: reason } = resource;
  if (reason?.startsWith("delete_because_") !== true) return resource;
  return { ...resource, change: { ...change, before: "orphan", before_sensitive: {} } };
}

/**
 * What Terraform looks at before a destroy is a plan of its own that nobody sees. It reads all data,
 * evaluates all outputs, notes what depends on what, and keeps what has changed outside to itself;
 * we look at nothing but what is destroyed, and tell what we find.
 */
function onlyDestroyed(plan: PlanJson, stored: readonly string[]): PlanJson {
  const { output_changes: outputs = {}, prior_state: prior } = plan;
  const ended = Object.entries(outputs).filter(([name]) => stored.includes(name));
  const { resources = [] } = (prior as PriorState | undefined)?.values?.root_module ?? {};
  const changes = Object.fromEntries(ended.map(([name, { actions }]) => [name, { actions }]));
  return {
    ...plan,
    output_changes: changes,
    prior_state: {
      resources: resources
        .filter(({ mode }) => mode === "managed")
        .map((resource) => ({ ...resource, depends_on: undefined })),
    },
    resource_drift: [],
    // They lead to the outputs, too.
    relevant_attributes: [],
    applyable: ended.length > 0 || plan.resource_changes !== undefined,
  };
}

interface PriorState {
  readonly values?: { readonly root_module: { readonly resources?: readonly Json[] } };
}

/** A diagnostic as both engines tell it. */
export interface Told {
  /** `SEVERITY SUMMARY: DETAIL`, on one line. */
  readonly text: string;
  readonly address: string | undefined;
}

/** What the executor says in its own words: its summary is Terraform's, its detail is not. */
const IN_OWN_WORDS = new Set([
  "Invalid count argument",
  "Invalid for_each argument",
  "Instance cannot be destroyed",
  "Resource targeting is in effect",
  "Applied changes may be incomplete",
  "Invalid use of ephemeral value",
  "Invalid value for variable",
  "Output refers to sensitive values",
  "local-exec provisioner error",
]);

/** Each once, in order. */
export function toldOf(
  diagnostics: readonly {
    readonly severity: string;
    readonly address?: string | undefined;
    readonly summary: string;
    readonly detail?: string | undefined;
  }[],
  world: World,
): readonly Told[] {
  const told = diagnostics.map(({ severity, address, summary, detail = "" }): Told => {
    const said = IN_OWN_WORDS.has(summary) ? "…" : detail.replace(/\s+/g, " ").trim();
    const text = `${severity} ${summary}: ${said}`;
    return { text: world.anonymous(text), address };
  });
  const keyed = new Map(told.map((one) => [`${one.text} ${one.address ?? ""}`, one]));
  return [...keyed.keys()].sort().flatMap((key) => keyed.get(key) ?? []);
}

/** What is planned, in short: `ADDRESS ACTION`, `output.NAME ACTION`, `drift ADDRESS ACTION`. */
export function summaryOf({ resource_changes, resource_drift, output_changes }: Json): string[] {
  const changes = (resource_changes ?? []) as readonly ChangeJson[];
  const drift = (resource_drift ?? []) as readonly ChangeJson[];
  const outputs = (output_changes ?? {}) as Readonly<Record<string, ChangeJson["change"]>>;
  return [
    ...changes.map(told),
    ...drift.map((change) => told(change).map((text) => `drift ${text}`)),
    ...Object.entries(outputs).map(([name, change]) => told({ address: `output.${name}`, change })),
  ].flat();
}

interface ChangeJson {
  readonly address: string;
  readonly previous_address?: string;
  readonly deposed?: string;
  readonly action_reason?: string;
  readonly change: Json & { readonly actions: readonly string[] };
}

function told({ address, previous_address: before, deposed, change }: ChangeJson): string[] {
  const actions = change.actions.filter((action) => action !== "no-op");
  const words = [
    ...(before === undefined ? [] : [`moved from ${before}`]),
    ...(change.importing === undefined ? [] : ["import"]),
    ...actions,
  ];
  if (words.length === 0) return [];
  return [`${address}${deposed === undefined ? "" : " (deposed)"} ${words.join(" ")}`];
}
