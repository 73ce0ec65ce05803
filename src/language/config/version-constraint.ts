import type { Diagnostic } from "../../core/diagnostics";
import type { AttributePath } from "../../core/values";
import { errorAt, type Location } from "./located";

/** A condition of a version constraint: `~> 3.0`. */
export interface VersionCondition {
  readonly operator: string;
  /** One to three numbers, as written. */
  readonly parts: readonly number[];
  /** `-beta.1`; empty without one. */
  readonly prerelease: string;
}

/** Parses `>= 1.2, < 2`; undefined if it is not a version constraint. */
export function parseVersionConstraint(text: string): readonly VersionCondition[] | undefined {
  const conditions = text.split(",").flatMap((part) => parseCondition(part) ?? []);
  return conditions.length === text.split(",").length ? conditions : undefined;
}

/** Checks the version constraint of a provider, which knows no "v" before a version. */
export function checkProviderVersion(
  version: unknown,
  where: Location,
  path: AttributePath,
  diagnostics: Diagnostic[],
): void {
  if (typeof version === "string" && !/(?:^|[\s=<>~])v\d/.test(version)) {
    if (parseVersionConstraint(version)) return;
  }
  const detail = "This string does not use correct version constraint syntax.";
  diagnostics.push(errorAt(where, "Invalid version constraint", detail, path));
}

function parseCondition(text: string): VersionCondition | undefined {
  const [, operator = "=", version, prerelease = ""] =
    /^\s*(=|!=|>=?|<=?|~>)?\s*v?(\d+(?:\.\d+){0,2})(-[\w.]+)?\s*$/.exec(text) ?? [];
  return version === undefined
    ? undefined
    : { operator, parts: version.split(".").map(Number), prerelease };
}

/** Formats a constraint in Terraform's canonical form: `>= 1.2.0, < 2.0.0`. Other text is kept. */
export function formatVersionConstraint(text: string): string {
  const conditions = parseVersionConstraint(text);
  if (!conditions) return text;
  const formatted = [...conditions].sort(compareVersions).map(formatCondition);
  return [...new Set(formatted)].join(", ");
}

function compareVersions({ parts: a }: VersionCondition, { parts: b }: VersionCondition): number {
  const differing = [0, 1, 2].find((index) => (a[index] ?? 0) !== (b[index] ?? 0));
  return differing === undefined ? 0 : (a[differing] ?? 0) - (b[differing] ?? 0);
}

/** Keeps the number of parts of `~>`, which has a meaning. */
function formatCondition({ operator, parts, prerelease }: VersionCondition): string {
  const length = operator === "~>" ? Math.max(parts.length, 2) : 3;
  const version = Array.from({ length }, (_, index) => parts[index] ?? 0).join(".") + prerelease;
  return operator === "=" ? version : `${operator} ${version}`;
}
