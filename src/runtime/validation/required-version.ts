import type { Diagnostic } from "../../core/diagnostics";
import {
  errorAt,
  parseVersionConstraint,
  type StackConfig,
  type VersionCondition,
} from "../../language";
import { TESTED_PROGRAMS } from "../../core/documents/tested-programs";

const [RELEASE] = TESTED_PROGRAMS.terraform;
const VERSION = RELEASE.split(".").map(Number);

/** Checks that the release of Terraform that the executor follows meets `required_version`. */
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
  if (conditions.every((condition) => meets(VERSION, condition))) return [];
  return [
    errorAt(
      where,
      "Unsupported Terraform Core version",
      `Stack "${name}" requires Terraform ${requiredVersion}; this executor works like Terraform ${RELEASE}.`,
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
