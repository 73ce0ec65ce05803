import { error, warning, type Diagnostic } from "../../core/diagnostics";
import { didYouMean } from "../../core/suggest";
import { formatAddress, parseAddress } from "../../core/documents/address";
import type { PlanMode, StackPlan } from "../../core/documents/stack-plan";
import type { RecordedStack } from "../../core/documents/run-record";
import { limitRollback } from "./rollback-request";
import { readTargets, TARGETING_IN_EFFECT, type TargetAddress } from "./targets";

/** The options of a plan, as users write them. */
export interface StackPlanRequest {
  /** Default `normal`. */
  readonly mode?: PlanMode;
  /** Read every object before it is planned. Default true. */
  readonly refresh?: boolean;
  /** Addresses of managed instances to replace even if they do not change. Mode `normal` only. */
  readonly replace?: readonly string[];
  /**
   * Addresses of resources, instances or modules to plan with their dependencies or, in mode
   * `destroy`, with their dependents. Default: all.
   */
  readonly targets?: readonly string[];
  /** The changes that mode `rollback` takes back, by stack. Targets limit it to the objects that they name. */
  readonly rollback?: ReadonlyMap<string, RecordedStack>;
}

/** The parsed options of a plan. */
export interface PlanScope {
  readonly mode: PlanMode;
  readonly refresh: boolean;
  /** Addresses in the form of the state. */
  readonly replace: ReadonlySet<string>;
  readonly targets: readonly TargetAddress[];
  /** Default: nothing. */
  readonly rollback?: ReadonlyMap<string, RecordedStack>;
  /**
   * True in the plan that is made before a destroy, and never shown. Conditions that fail are warnings,
   * other stacks have the outputs of their states, and stacks without a state are left out. Default:
   * false.
   */
  readonly isBeforeDestroy?: boolean;
}

/** Reports whether only parts of the configuration are planned, as by a destroy. */
export function isPartial({ mode, targets }: PlanScope): boolean {
  return mode === "destroy" || mode === "rollback" || targets.length > 0;
}

export function readRequest(request: StackPlanRequest): {
  scope: PlanScope;
  diagnostics: readonly Diagnostic[];
} {
  const { mode = "normal", refresh = true } = request;
  const diagnostics: Diagnostic[] = [];
  const replace = new Set<string>();
  for (const text of request.replace ?? []) {
    const address = parseAddress(text);
    if (address?.mode === "managed") replace.add(formatAddress(address));
    else diagnostics.push(invalidReplacement(text, address !== undefined));
  }
  if (mode !== "normal" && (request.replace ?? []).length > 0) diagnostics.push(REPLACES_IN_NORMAL);
  if (mode === "refresh-only" && !refresh) diagnostics.push(NOTHING_TO_REFRESH);
  const read = readTargets(request.targets ?? []);
  diagnostics.push(...read.diagnostics);
  if ((request.targets ?? []).length > 0) diagnostics.push(TARGETING_IN_EFFECT);
  if (mode === "rollback") {
    const { rollback, diagnostics: unmatched } = limitRollback(request.rollback, read.targets);
    // A rollback has no dependencies, so it needs no selection of blocks.
    const scope = { mode, refresh, replace, targets: [], rollback };
    return { scope, diagnostics: [...diagnostics, ...unmatched] };
  }
  return { scope: { mode, refresh, replace, targets: read.targets }, diagnostics };
}

function invalidReplacement(text: string, isData: boolean): Diagnostic {
  return error(
    `Invalid force-replace address ${JSON.stringify(text)}`,
    isData
      ? "Only managed resources can be used with the --replace=... option."
      : "A resource instance address is required here, such as cwp_license.main or null_resource.gate[0].",
  );
}

/** Warns of `--replace` without a match, which Terraform ignores. */
export function replacesNothing(
  { replace }: PlanScope,
  plans: readonly StackPlan[],
): readonly Diagnostic[] {
  const planned = plans.flatMap(({ changes }) => changes.map(({ address }) => address));
  // A missing instance key is reported when the resource is planned.
  const matches = (text: string) =>
    planned.some((address) => address === text || address.startsWith(`${text}[`));
  return [...replace]
    .filter((text) => !matches(text))
    .map((text) =>
      warning(
        "Replacement matches nothing",
        `There is no ${text} in the plan, so --replace has no effect for it.${didYouMean(text, planned) || " Correct the address, or remove the option."}`,
      ),
    );
}

const REPLACES_IN_NORMAL = error(
  "Unsupported plan mode",
  "Forcing resource instance replacement (with --replace=...) is allowed only in normal planning mode.",
);

const NOTHING_TO_REFRESH = error(
  "Incompatible refresh options",
  "It doesn't make sense to use --refresh-only at the same time as --refresh=false, because there would be nothing to do.",
);
