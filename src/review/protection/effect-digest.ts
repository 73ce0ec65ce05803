import { createHash } from "node:crypto";
import type { Region } from "../../protection/compare";
import type { CoverageChange } from "./coverage";

interface Effect {
  readonly collection: string;
  readonly regions: readonly Region[];
  readonly coverage: readonly CoverageChange[];
}

/**
 * The digest of what a change weakens, whatever the names and positions of policies: 12 hex digits.
 * The consent to one weakening is no consent to another one.
 */
export function effectDigest({ collection, regions, coverage }: Effect): string {
  const parts = [
    ...regions
      .filter(({ change }) => change === "weaker")
      .map(({ checks, certainty, where: { all, none } }) =>
        JSON.stringify([checks, certainty, sorted(all), sorted(none)]),
      ),
    ...coverage
      .filter(({ change }) => change === "weaker")
      .map(({ entry, certainty }) => JSON.stringify([entry, certainty])),
  ];
  const canonical = JSON.stringify([collection, ...parts.sort()]);
  return createHash("sha256").update(canonical).digest("hex").slice(0, 12);
}

function sorted(scopes: readonly object[]): readonly string[] {
  return scopes.map((scope) => JSON.stringify(Object.entries(scope).sort())).sort();
}
