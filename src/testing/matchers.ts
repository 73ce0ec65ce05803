import { inspect } from "node:util";
import { countWeaker, reviewProtection } from "../review/protection/review-protection";
import { hasChanges, type ResourceChange, type StackPlan } from "../runtime";
import { isListValue, isObjectValue } from "../core/values";

/** Plans to check: the result of `planStacks` or `applyStacks`. */
interface Planned {
  readonly plans: readonly StackPlan[];
}

/** A console to check. */
interface Ordered {
  policyNames(): readonly string[];
}

/** Result of a matcher, as jest and vitest expect it. */
interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/**
 * Matchers for `expect.extend`, of jest and of others with the same interface:
 *
 *     expect.extend(matchers);
 *     expect(await planStacks(app, console.environment)).toPlanNoChanges();
 */
export const matchers = {
  /** Checks that no stack has changes. */
  toPlanNoChanges(received: unknown): MatcherResult {
    const changed = plansOf(received, "toPlanNoChanges").filter(hasChanges);
    const lines = changed.flatMap((plan) => changesOf(plan).map(describe));
    return result(changed.length === 0, "plan no changes", lines);
  },

  /** Checks that a resource of this type, or at this address, is created or replaced. */
  toCreate(received: unknown, typeOrAddress: string): MatcherResult {
    const changes = plansOf(received, "toCreate").flatMap(changesOf);
    const created = changes.filter(({ action }) => action.includes("create"));
    const named = created.some(
      ({ type, address }) => type === typeOrAddress || address === typeOrAddress,
    );
    return result(named, `create ${typeOrAddress}`, changes.map(describe));
  },

  /**
   * Checks the names of all compliance policies in their order: of a console now, or of the one
   * policy set of the plans after the apply.
   */
  toHavePolicyOrder(received: unknown, names: readonly string[]): MatcherResult {
    const found = isOrdered(received)
      ? received.policyNames()
      : plannedNames(plansOf(received, "toHavePolicyOrder", "a console, or "));
    const same = JSON.stringify(found) === JSON.stringify(names);
    return result(same, `have the policies ${JSON.stringify(names)}`, [JSON.stringify(found)]);
  },

  /** Checks that workloads are protected less than before. */
  toWeakenProtection(received: unknown): MatcherResult {
    const weaker = plansOf(received, "toWeakenProtection").flatMap((plan) =>
      [...reviewProtection(plan)].filter(([, review]) => countWeaker(review) > 0),
    );
    const lines = weaker.map(([{ address }]) => address);
    return result(weaker.length > 0, "weaken protection", lines);
  },
};

/** The plans of a value that a test passed to `expect`, whose types accept any. */
function plansOf(received: unknown, matcher: string, also = ""): readonly StackPlan[] {
  if (isPlanned(received)) return received.plans;
  const advice =
    received instanceof Promise
      ? "The value is a promise. Await planStacks or applyStacks in front of the matcher."
      : `The value is ${inspect(received, { depth: 0 })}.`;
  throw new TypeError(
    `${matcher}() expects ${also}the result of planStacks or applyStacks.\n\n${advice}`,
  );
}

function isPlanned(value: unknown): value is Planned {
  return (
    typeof value === "object" && value !== null && "plans" in value && Array.isArray(value.plans)
  );
}

function isOrdered(value: unknown): value is Ordered {
  return (
    typeof value === "object" &&
    value !== null &&
    "policyNames" in value &&
    typeof value.policyNames === "function"
  );
}

/** @param found - what was found instead, for the message */
function result(pass: boolean, promise: string, found: readonly string[]): MatcherResult {
  return {
    pass,
    message: () => {
      const expected = `Expected the stacks ${pass ? "not " : ""}to ${promise}.`;
      const lines = found.length === 0 ? ["  nothing"] : found.map((line) => `  ${line}`);
      return [expected, "", "Found:", ...lines].join("\n");
    },
  };
}

function changesOf({ changes }: StackPlan): readonly ResourceChange[] {
  return changes.filter(({ action }) => action !== "no-op");
}

function describe({ address, action }: ResourceChange): string {
  return `${address}: ${action}`;
}

function plannedNames(plans: readonly StackPlan[]): readonly string[] {
  const sets = plans
    .flatMap(({ changes }) => changes)
    .filter(({ type, mode }) => type === "cwp_compliance_policy_set" && mode === "managed");
  return sets.flatMap(({ after }) => {
    const policies = after?.policies;
    if (policies === undefined || !isListValue(policies)) return [];
    return policies.map((policy) => {
      const name = isObjectValue(policy) ? policy.name : undefined;
      return typeof name === "string" ? name : "(unknown)";
    });
  });
}

declare global {
  // The interface of jest's types, which merges with this one.
  // oxlint-disable-next-line typescript/no-namespace
  namespace jest {
    // Type parameters must be those of jest's.
    // oxlint-disable-next-line typescript/no-empty-object-type
    interface Matchers<R, T = {}> {
      /** Checks that no stack has changes. */
      toPlanNoChanges(): R;
      /** Checks that a resource of this type, or at this address, is created or replaced. */
      toCreate(typeOrAddress: string): R;
      /** Checks the names of all compliance policies in their order. */
      toHavePolicyOrder(names: readonly string[]): R;
      /** Checks that workloads are protected less than before. */
      toWeakenProtection(): R;
    }
  }
}
