import { error, type Diagnostic } from "../../core/diagnostics";
import { labelMatcher } from "../../fleet/selection/label-filter";
import { globMatcher } from "../../fleet/selection/glob";
import type { StackLabels } from "../../fleet/selection/labels";
import type { Requirement } from "../../protection/contract";
import type { Policy } from "../../protection/policy";
import type { Waiver } from "../../protection/waiver";

/** A part of a contract, and the stacks that it is about. */
export interface Clause {
  /** `protection.yaml:4` */
  readonly place: string;
  readonly selection: StacksOfClause;
}

export interface RequiredClause extends Clause, Requirement {}

export interface BaselineClause extends Clause {
  /** The name of its file, or `policies`. */
  readonly name: string;
  readonly policies: readonly Policy[];
}

export interface WaiverClause extends Clause, Waiver {
  readonly owner: string;
  readonly reason: string;
  /** The last day, in UTC: `2027-03-01`. */
  readonly expires: string;
}

export interface Contract {
  readonly requirements: readonly RequiredClause[];
  readonly baselines: readonly BaselineClause[];
  readonly waivers: readonly WaiverClause[];
  /** By check ID. */
  readonly checkTitles: ReadonlyMap<string, string>;
}

export interface StacksOfClause {
  readonly stacks: readonly string[];
  readonly labels: StackLabels;
}

export const NO_CONTRACT: Contract = {
  requirements: [],
  baselines: [],
  waivers: [],
  checkTitles: new Map(),
};

/** Errors for patterns that match none of an app's stacks. */
export function unmatchedPatterns(
  { requirements, baselines, waivers }: Contract,
  stacks: readonly string[],
): readonly Diagnostic[] {
  return [...requirements, ...baselines, ...waivers].flatMap(({ place, selection }) =>
    selection.stacks
      .filter((pattern) => !stacks.some(globMatcher(pattern)))
      .map((pattern) =>
        error(
          "Invalid contract",
          `${place}: no stack matches ${JSON.stringify(pattern)}. "cdktf-console stacks" lists the stacks.`,
        ),
      ),
  );
}

/** True if a part of the contract looks at labels. */
export function usesLabels({ requirements, baselines, waivers }: Contract): boolean {
  return [...requirements, ...baselines, ...waivers].some(
    ({ selection }) => Object.keys(selection.labels).length > 0,
  );
}

/**
 * Reports whether a clause is about a stack.
 *
 * @param labels undefined: they are not known, as in a plan that Terraform made
 * @param otherwise the result where labels decide that are not known
 */
export function concerns(
  { selection }: Clause,
  stack: string,
  labels: StackLabels | undefined,
  otherwise: boolean,
): boolean {
  const isNamed =
    selection.stacks.length === 0 ||
    selection.stacks.some((pattern) => globMatcher(pattern)(stack));
  if (!isNamed) return false;
  const wanted = Object.entries(selection.labels);
  if (wanted.length === 0) return true;
  if (!labels) return otherwise;
  return wanted.every(([key, value]) => labelMatcher({ key, value })(labels));
}
