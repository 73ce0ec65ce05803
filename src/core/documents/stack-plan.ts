import type { Diagnostic } from "../diagnostics";
import type { Noted } from "../notes";
import type { Attributes } from "../schema/attribute";
import { DEFAULT_WORKSPACE } from "../workspace";
import { isWhollyKnown, type AttributePath, type ObjectValue, type Value } from "../values";

/**
 * The plan of one stack as data. `before` and `after` have every attribute of the schema, write-only
 * ones as null. Sensitive values are in plain text here; renderers hide them by their paths.
 */
export interface StackPlan {
  readonly stack: string;
  /** Absent for the default workspace. */
  readonly workspace?: string;
  readonly mode: PlanMode;
  /** False if `targets` excluded a part of the stack. */
  readonly complete: boolean;
  /** Set if a refresh-only plan records other dependencies or lifecycles of objects in the state. */
  readonly recordsConfiguration?: true;
  /** Sorted by address, as in Terraform. They include no-ops. */
  readonly changes: readonly ResourceChange[];
  /** Changes outside: `before` is the object in the state, `after` the refreshed one. */
  readonly drift: readonly ResourceChange[];
  readonly outputs: readonly OutputChange[];
  /** The attributes that led to the changes, transitively. Other drift is not shown with them. */
  readonly relevantAttributes: readonly RelevantAttribute[];
  readonly diagnostics: readonly Diagnostic[];
  /** The known consoles of its providers, sorted. */
  readonly endpoints: readonly string[];
  /** The resources and data sources of the stack, sorted, with their dependencies. */
  readonly dependencies: readonly ResourceDependencies[];
}

/** Returns the members of a plan that name its stack. */
export function planIdentity(stack: {
  readonly name: string;
  readonly workspace: string;
}): Pick<StackPlan, "stack" | "workspace"> {
  const { name, workspace } = stack;
  return { stack: name, ...(workspace !== DEFAULT_WORKSPACE && { workspace }) };
}

/** An attribute that is referred to: `cwp_license.license`, `["key_fingerprint"]`. */
export interface RelevantAttribute {
  /** With an instance key if the reference has one. */
  readonly resource: string;
  /** Empty for the whole object. */
  readonly attribute: AttributePath;
}

/** The direct dependencies of a resource. Addresses have no instance keys. */
export interface ResourceDependencies {
  readonly resource: string;
  readonly needs: readonly string[];
}

/**
 * `refresh-only` changes nothing but the state. `rollback` puts back what a recorded run replaced.
 */
export type PlanMode = "normal" | "destroy" | "refresh-only" | "rollback";

export type Action =
  | "no-op"
  | "create"
  | "read"
  | "update"
  | "delete"
  | "delete-then-create"
  | "create-then-delete"
  /** Removed from the state, kept on the console. */
  | "forget";

/** The reason of an action, by Terraform's names. */
export const ACTION_REASONS = [
  "replace_because_tainted",
  "replace_because_cannot_update",
  "replace_by_request",
  "replace_by_triggers",
  "delete_because_no_resource_config",
  "delete_because_count_index",
  "delete_because_each_key",
  "delete_because_wrong_repetition",
  /** Moved to an address that is not in the configuration. */
  "delete_because_no_move_target",
  "read_because_config_unknown",
  "read_because_dependency_pending",
  "read_because_check_nested",
] as const;

export type ActionReason = (typeof ACTION_REASONS)[number];

/** The planned change of one object. Paths are those of Terraform's plan JSON. */
export interface ResourceChange extends Noted {
  /** `cwp_license.license`, `null_resource.gate["a"]`, `data.…`. */
  readonly address: string;
  /** Set if the state has the object at another address, due to `moved` or a change of `count`. */
  readonly previousAddress?: string;
  /** Set if an `import` block imports the object: `before` is the existing object. */
  readonly importing?: { readonly id: string };
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly name: string;
  readonly key?: string | number;
  /** Set if an object is destroyed that an earlier, failed replacement deposed. */
  readonly deposed?: string;
  /** `registry.terraform.io/cdktf-console/cwp` */
  readonly provider: string;
  readonly constructPath?: string;
  /** The console of the object, if it is known: `https://console.example.com:8083`. */
  readonly endpoint?: string;
  readonly action: Action;
  readonly reason?: ActionReason;
  readonly before: ObjectValue | null;
  readonly after: ObjectValue | null;
  readonly beforeSensitive: readonly AttributePath[];
  readonly afterSensitive: readonly AttributePath[];
  /** The attributes that force the replacement. */
  readonly replacePaths: readonly AttributePath[];
  /** The collection of the console that the object is a part of, if it was read for this change. */
  readonly found?: ObjectValue;
  /** The names of unmanaged members of the same collection; absent if they are not known. */
  readonly others?: readonly string[];
  /** The names of default members of the collection that a create removes. */
  readonly displaced?: readonly string[];
  /**
   * Set if `found` and `others` are absent because the plan does not have them: Terraform's JSON has
   * the objects of resources only.
   */
  readonly isExcerpt?: true;
  /** The schema of `before` and `after`; null if the provider is not a built-in one. */
  readonly attributes: Attributes | null;
}

export interface OutputChange {
  readonly name: string;
  readonly action: "no-op" | "create" | "update" | "delete";
  readonly before: Value;
  readonly after: Value;
  readonly sensitive: boolean;
}

/** The counts of the summary line; a replacement is one to add and one to destroy. */
export interface ChangeCounts {
  readonly import: number;
  readonly add: number;
  readonly change: number;
  readonly destroy: number;
}

/**
 * True for a change that a plan shows: not for data that is no longer read, nor for an object that
 * is neither changed nor moved nor imported.
 */
export function isShown({ action, mode, previousAddress, importing }: ResourceChange): boolean {
  if (action === "no-op") return previousAddress !== undefined || importing !== undefined;
  return action !== "delete" || mode === "managed";
}

export function sumCounts(counts: readonly ChangeCounts[]): ChangeCounts {
  const sum = (name: keyof ChangeCounts) => counts.reduce((total, one) => total + one[name], 0);
  return {
    import: sum("import"),
    add: sum("add"),
    change: sum("change"),
    destroy: sum("destroy"),
  };
}

/** Counts the changes for the summary line. */
export function countChanges(plan: StackPlan): ChangeCounts {
  const has = (...actions: Action[]) =>
    plan.changes.filter(({ action }) => actions.includes(action)).length;
  const replaced = has("delete-then-create", "create-then-delete");
  return {
    import: plan.changes.filter(({ importing }) => importing !== undefined).length,
    add: has("create") + replaced,
    change: has("update"),
    destroy: has("delete") + replaced,
  };
}

/**
 * Reports whether Terraform finds something to apply: a change, data that is read again, or what a
 * refresh-only plan records.
 */
export function isApplyable(plan: StackPlan): boolean {
  const isReadAgain = plan.changes.some(({ action }) => action === "read");
  return hasChanges(plan) || isReadAgain || plan.recordsConfiguration === true;
}

/** False if an apply would change no object, no output and nothing in the state. */
export function hasChanges(plan: StackPlan): boolean {
  const outputs = plan.outputs.filter(({ action }) => action !== "no-op");
  // Moves, and unknown and removed outputs, are no changes of a refresh, as in Terraform.
  if (plan.mode === "refresh-only") {
    const found = outputs.some(({ action, after }) => action !== "delete" && isWhollyKnown(after));
    return found || plan.drift.some(({ action }) => action !== "no-op");
  }
  return (
    outputs.length > 0 ||
    plan.changes.some(
      ({ action, mode, previousAddress, importing }) =>
        (action !== "no-op" && mode === "managed") ||
        previousAddress !== undefined ||
        importing !== undefined,
    )
  );
}
