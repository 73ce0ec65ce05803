import type { Diagnostic } from "../../provider/diagnostics";
import type { StackConfig } from "../config/stack-config";
import { parseVersionConstraint, type VersionCondition } from "../config/version-constraint";
import { errorAt } from "../config/located";

/** The executor works like Terraform 1.11, and accepts what any of its patch releases meets. */
const MINOR = 11;
const NEWEST_PATCH = 99;

/** Checks that some version of Terraform 1.11 meets `required_version`. */
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
  if (conditions.some(({ prerelease }) => prerelease !== "")) {
    return [
      errorAt(
        where,
        "Invalid required_version constraint",
        `Prerelease version constraints are not supported: ${requiredVersion}. Remove the prerelease information from the constraint. Prerelease versions of terraform will match constraints using their version core only.`,
      ),
    ];
  }
  for (let patch = 0; patch <= NEWEST_PATCH; patch++) {
    const version = [1, MINOR, patch];
    if (conditions.every((condition) => meets(version, condition))) return [];
  }
  return [
    errorAt(
      where,
      "Unsupported Terraform Core version",
      `Stack "${name}" requires Terraform ${requiredVersion}; this executor works like Terraform 1.${MINOR}.`,
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
      return order === 0;
  }
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
