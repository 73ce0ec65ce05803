import type { Diagnostic } from "../../provider/diagnostics";
import type { Attributes } from "../../provider/schema/attribute";
import {
  isWhollyKnown,
  type AttributePath,
  type ObjectValue,
  type Value,
} from "../../provider/values";

/**
 * A plan as data: what reviewers see and what apply does, nothing else. `before` and `after` hold
 * every attribute of the schema, write-only ones as null; values that are marked sensitive stand in
 * plain here, renderers hide them by the paths beside them.
 */
export interface StackPlan {
  readonly stack: string;
  readonly mode: PlanMode;
  /** False where `targets` left out a part of the stack. */
  readonly complete: boolean;
  /** In Terraform's order: by address. No-ops are among them. */
  readonly changes: readonly ResourceChange[];
  /** What refresh found changed outside: `before` is the state, `after` what is there. */
  readonly drift: readonly ResourceChange[];
  readonly outputs: readonly OutputChange[];
  /** What has led to the changes, at any distance: drift elsewhere is not shown in their plan. */
  readonly relevantAttributes: readonly RelevantAttribute[];
  readonly diagnostics: readonly Diagnostic[];
  /** The consoles that its providers are configured for, as far as that is known; sorted. */
  readonly endpoints: readonly string[];
  /** The resources and data sources of the stack, sorted, with what each waits for. */
  readonly dependencies: readonly ResourceDependencies[];
}

/** An attribute that something refers to: `cwp_license.license`, `["key_fingerprint"]`. */
export interface RelevantAttribute {
  /** With its instance key, where the reference has one. */
  readonly resource: string;
  /** Empty for the whole object. */
  readonly attribute: AttributePath;
}

/** Addresses are those of resources, without instance keys. */
export interface ResourceDependencies {
  readonly resource: string;
  /** Where no other resource lies between the two. */
  readonly needs: readonly string[];
}

/** `refresh-only` changes nothing but the state. */
export type PlanMode = "normal" | "destroy" | "refresh-only";

export type Action =
  | "no-op"
  | "create"
  | "read"
  | "update"
  | "delete"
  | "delete-then-create"
  | "create-then-delete"
  /** Goes from the state and stays on its console. */
  | "forget";

/** Why an action that the configuration does not show at once was chosen; Terraform's names. */
export type ActionReason =
  | "replace_because_tainted"
  | "replace_because_cannot_update"
  | "replace_by_request"
  | "replace_by_triggers"
  | "delete_because_no_resource_config"
  | "delete_because_count_index"
  | "delete_because_each_key"
  | "delete_because_wrong_repetition"
  /** It was moved to an address that the configuration does not have. */
  | "delete_because_no_move_target"
  | "read_because_config_unknown"
  | "read_because_dependency_pending";

/**
 * What a plan does to one object. Sensitive paths and replacements are those of Terraform's plan
 * JSON.
 */
export interface ResourceChange {
  /** `cwp_license.license`, `null_resource.gate["a"]`, `data.…`. */
  readonly address: string;
  /** Set where state has the object at another address: `moved` blocks, or `count` comes or goes. */
  readonly previousAddress?: string;
  /** Set where an `import` block takes the object into the state: `before` is what was found. */
  readonly importing?: { readonly id: string };
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly name: string;
  readonly key?: string | number;
  /** Set where an object that was deposed by an earlier, failed replacement is destroyed. */
  readonly deposed?: string;
  /** `registry.terraform.io/cdktf-console/cwp` */
  readonly provider: string;
  readonly constructPath?: string;
  /** The console that has the object: `https://console.example.com:8083`. Set where that is known. */
  readonly endpoint?: string;
  readonly action: Action;
  readonly reason?: ActionReason;
  readonly before: ObjectValue | null;
  readonly after: ObjectValue | null;
  readonly beforeSensitive: readonly AttributePath[];
  readonly afterSensitive: readonly AttributePath[];
  /** The attributes that force the replacement. */
  readonly replacePaths: readonly AttributePath[];
  /** What stands beside the object and stays as it is, by name; absent where that is not known. */
  readonly others?: readonly string[];
  /** What the console came with and goes when the object is created, by name. */
  readonly displaced?: readonly string[];
  /** What describes `before` and `after`. */
  readonly attributes: Attributes;
}

export interface OutputChange {
  readonly name: string;
  readonly action: "no-op" | "create" | "update" | "delete";
  readonly before: Value;
  readonly after: Value;
  readonly sensitive: boolean;
}

/** What the summary line counts; a replacement is one to add and one to destroy. */
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

/** The numbers of the summary line. */
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

/** False where applying would change neither an object nor an output nor what state has of them. */
export function hasChanges(plan: StackPlan): boolean {
  const outputs = plan.outputs.filter(({ action }) => action !== "no-op");
  // As in Terraform: what is not known yet will not be, and what ends does so when something is done.
  if (plan.mode === "refresh-only") {
    const found = outputs.some(({ action, after }) => action !== "delete" && isWhollyKnown(after));
    return found || plan.drift.length > 0;
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
