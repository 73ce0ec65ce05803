import type { Diagnostic } from "../../provider/diagnostics";
import type { StackConfig } from "../config/stack-config";
import { parseVersionConstraint, type VersionCondition } from "../config/version-constraint";
import { errorAt } from "../config/located";

/** The executor works like Terraform 1.11, and accepts every constraint that a later 1.x meets. */
const OLDEST_MINOR = 11;
const NEWEST_MINOR = 99;

/** Checks that some version of Terraform 1, from 1.11, meets `required_version`. */
export function checkRequiredVersion({
  name,
  requiredVersion,
}: StackConfig): readonly Diagnostic[] {
  if (requiredVersion === undefined) return [];
  const where = { address: "terraform.required_version" };
  const conditions = parseVersionConstraint(requiredVersion);
  if (!conditions) {
    return [
      errorAt(
        where,
        "Invalid version constraint",
        `required_version of stack "${name}" is not a version constraint: ${JSON.stringify(requiredVersion)}.`,
      ),
    ];
  }
  for (let minor = OLDEST_MINOR; minor <= NEWEST_MINOR; minor++) {
    // Any patch level will do: some release meets a constraint on it.
    const version = [1, minor, NEWEST_MINOR] as const;
    const first = [1, minor, 0] as const;
    if (conditions.every((one) => meets(version, one) || meets(first, one))) return [];
  }
  return [
    errorAt(
      where,
      "Unsupported Terraform Core version",
      `Stack "${name}" requires Terraform ${requiredVersion}; this executor works like Terraform 1.${OLDEST_MINOR}.`,
    ),
  ];
}

function meets(version: readonly number[], { operator, parts }: VersionCondition): boolean {
  const order = compare(version, parts);
  switch (operator) {
    case "!=":
      return order !== 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case "~>": {
      const upTo = Math.max(parts.length - 1, 1);
      return order >= 0 && compare(version.slice(0, upTo), parts.slice(0, upTo)) === 0;
    }
    default:
      return compare(version.slice(0, 2), parts.slice(0, 2)) === 0;
  }
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
