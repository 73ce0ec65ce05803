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
  /** `SEVERITY ADDRESS SUMMARY` and detail, sorted. */
  readonly diagnostics: readonly string[];
  /** Done as planned, as far as that went; its diagnostics. */
  apply(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Plans what is in a world. */
export type Engine = (world: World, request: Request) => Promise<Planned>;

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

/** A diagnostic on one line, as both engines tell it. */
export function line(
  diagnostic: {
    readonly severity: string;
    readonly address?: string | undefined;
    readonly summary: string;
    readonly detail?: string;
  },
  world: World,
): string {
  const { severity, address = "", summary, detail = "" } = diagnostic;
  return world.anonymous(
    `${severity} ${address} ${summary}: ${detail.replace(/\s+/g, " ").trim()}`,
  );
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
