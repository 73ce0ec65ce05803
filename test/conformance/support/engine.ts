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
  readonly json: Json | undefined;
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
export function comparable(text: string, world: World): Json {
  const {
    timestamp,
    terraform_version: version,
    ...json
  } = JSON.parse(world.anonymous(text)) as Json;
  expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  expect(version).toMatch(/^1\.\d+\.\d+$/);
  const { prior_state: prior, relevant_attributes: relevant = [] } = json as {
    prior_state?: Json;
    relevant_attributes?: readonly unknown[];
  };
  return {
    ...json,
    ...(prior && { prior_state: { ...prior, terraform_version: "" } }),
    relevant_attributes: relevant.map((one) => JSON.stringify(one)).sort(),
  };
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
  readonly change: { readonly actions: readonly string[]; readonly importing?: unknown };
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
