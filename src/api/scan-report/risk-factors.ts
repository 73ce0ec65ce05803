import { isExactNumber } from "../../core/json/lossless-json";
import { type Evidence, membersOf, mismatch, type Path, type Members } from "./scan-report";

/**
 * Reads the risk factors of a vulnerability: strings (announced), or key-value pairs (today) as
 * objects with one key, as `{ key, value }` or as one map. Null, which consoles write for an empty
 * list, is none.
 */
export function readRiskFactors(
  value: unknown,
  path: Path,
  evidence: Evidence,
): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => readRiskFactor(item, [...path, index], evidence));
  }
  const map = membersOf(value);
  if (!map) throw mismatch(path, "must be a list or an object");
  evidence.add("today", path);
  return Object.entries(map).map(([key, held]) => label(key, held, [...path, key]));
}

function readRiskFactor(item: unknown, path: Path, evidence: Evidence): string {
  if (typeof item === "string") {
    evidence.add("announced", path);
    return item;
  }
  const members = membersOf(item);
  if (!members) throw mismatch(path, "must be a string or an object");
  evidence.add("today", path);
  return isPair(members)
    ? label(members.key, members.value, [...path, "value"])
    : onlyKey(members, path);
}

function isPair(members: Members): members is { readonly key: string; readonly value?: unknown } {
  const others = Object.keys(members).filter((name) => name !== "key" && name !== "value");
  return typeof members.key === "string" && others.length === 0;
}

function onlyKey(members: Members, path: Path): string {
  const [only, ...others] = Object.entries(members);
  if (!only || others.length > 0) throw mismatch(path, "must have one key, or key and value");
  const [key, value] = only;
  return label(key, value, [...path, key]);
}

/** Returns the key, with the value if that says more than that the factor is present. */
function label(key: string, value: unknown, path: Path): string {
  if (value === undefined || value === null || value === "" || value === true) return key;
  if (isExactNumber(value)) return `${key}: ${value.value}`;
  if (typeof value === "string" || typeof value === "number" || value === false) {
    return `${key}: ${value}`;
  }
  const members = membersOf(value);
  if (members && Object.keys(members).length === 0) return key;
  throw mismatch(path, "must be a string, a number, true, false or an empty object");
}

/** Converts risk factors to today's schema: an object with one key each, without value. */
export function pairsOf(riskFactors: readonly string[]): readonly Members[] {
  return riskFactors.map((factor) => Object.fromEntries([[factor, {}]]));
}
