import type { Policy, Scope, Workload } from "../../src/protection/policy";

/**
 * Decides for one workload, word for word as the rules are written, slowly and apart from the code
 * under test: the judge of the random comparisons. Returns the position from 0, or -1.
 */
export function plainDecision(policies: readonly Policy[], workload: Workload): number {
  for (const [index, { disabled, scope, or = [] }] of policies.entries()) {
    if (disabled) continue;
    if ([scope, ...or].some((one) => fits(one, workload))) return index;
  }
  return -1;
}

function fits(scope: Scope, workload: Workload): boolean {
  return (
    single(scope.images, workload.image) &&
    single(scope.containers, workload.container) &&
    single(scope.namespaces, workload.namespace) &&
    single(scope.hosts, workload.host) &&
    single(scope.account_ids, workload.account_id) &&
    many(scope.labels, workload.labels)
  );
}

function single(patterns: readonly string[] | undefined, value: string | null): boolean {
  return many(patterns, value === null ? [] : [value]);
}

/** A workload without a value is matched by `*` alone, and taken out by `-*` alone. */
function many(patterns: readonly string[] = ["*"], values: readonly string[]): boolean {
  let included = false;
  for (const pattern of patterns) {
    const exempts = pattern.startsWith("-");
    const text = exempts ? pattern.slice(1) : pattern;
    const matches =
      values.length === 0 ? /^\*+$/.test(text) : values.some((value) => glob(text, value));
    if (matches && exempts) return false;
    if (matches) included = true;
  }
  return included;
}

const globs = new Map<string, RegExp>();

function glob(pattern: string, value: string): boolean {
  if (pattern === "") return false;
  let regExp = globs.get(pattern);
  if (!regExp) {
    const source = pattern
      .split("*")
      .map((part) => part.replace(/[^\w]/g, "\\$&"))
      .join(".*");
    regExp = new RegExp(`^(?:${source})$`, "is");
    globs.set(pattern, regExp);
  }
  return regExp.test(value);
}
