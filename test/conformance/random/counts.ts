import type { Acted } from "../support/conform";
import { FEATURES } from "./features";

/** Counts the steps that met each feature, and what the plans had. */
export class Counts {
  readonly #features = new Map<string, number>();
  readonly #results = new Map<string, number>();

  /** A refused stack meets only the features that may refuse it. */
  add({ planned, summaries }: Acted, features: readonly string[]): void {
    for (const feature of features) {
      if (planned !== undefined || REFUSING.test(feature)) increase(this.#features, feature);
    }
    for (const summary of summaries) increase(this.#results, summary);
    const actions = new Set((planned ?? []).map(actionOf));
    for (const action of actions) increase(this.#results, action);
    if (planned?.length === 0) increase(this.#results, "nothing to do");
  }

  /** The features that no step met. */
  missing(): readonly string[] {
    return FEATURES.filter((feature) => !this.#features.has(feature));
  }

  report(): string {
    const unlisted = [...this.#features.keys()].filter((feature) => !FEATURES.includes(feature));
    return [
      `Features: ${list(this.#features)}`,
      `Results: ${list(this.#results)}`,
      `Never met: ${this.missing().join(", ") || "none"}`,
      ...(unlisted.length > 0 ? [`Not listed: ${unlisted.join(", ")}`] : []),
    ].join("\n");
  }
}

const REFUSING = /failing|^count unknown|^for_each unknown|without the mark|prevent_destroy/;

/** The kind of object and its actions, of `null_resource.a["b"] delete create`. */
function actionOf(summary: string): string {
  const actions = summary.split(" ").filter((word) => ACTIONS.has(word));
  return [...(summary.startsWith("output.") ? ["output"] : []), ...actions].join(" ");
}

const ACTIONS = new Set("drift moved import (deposed) create read update delete forget".split(" "));

function increase(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function list(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");
}
