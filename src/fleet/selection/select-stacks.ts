import { error, hasErrors, type Diagnostic } from "../../core/diagnostics";
import { noSuchStack } from "../../language";
import { nearest } from "../../core/suggest";
import { globMatcher, isGlob, literalPrefix } from "./glob";
import { labelMatcher, type LabelFilter } from "./label-filter";
import { formatLabel, type StackLabels } from "./labels";
import { isInShard, type Shard } from "./shard";

/** The stacks that a run is limited to. Every part narrows the selection. */
export interface Selection {
  /** Names and glob patterns; undefined for all stacks. A stack must match one of them. */
  readonly patterns?: readonly string[] | undefined;
  /** Names and glob patterns. A stack must match none of them. */
  readonly excluded?: readonly string[] | undefined;
  /** A stack must have all of them. */
  readonly labels?: readonly LabelFilter[] | undefined;
  readonly shard?: Shard | undefined;
}

/** A stack, or the row of a tenant, whose stack has its name. */
interface Selectable {
  readonly name: string;
}

/** Selects stacks, in their order. A pattern or label that matches nothing is an error. */
export function selectStacks<S extends Selectable>(
  all: readonly S[],
  { patterns, excluded = [], labels = [], shard }: Selection,
  labelsOf: (stack: S) => StackLabels,
): { stacks: readonly S[]; diagnostics: readonly Diagnostic[] } {
  const named = patterns ? matchPatterns(all, patterns) : { stacks: all, diagnostics: [] };
  const labelled = matchLabels(all, labels, labelsOf);
  const without = matchPatterns(all, excluded);
  const left = new Set(without.stacks);
  const diagnostics = [...named.diagnostics, ...labelled.diagnostics, ...without.diagnostics];
  const stacks = named.stacks.filter((stack) => labelled.stacks.has(stack) && !left.has(stack));
  if (stacks.length === 0 && named.stacks.length > 0 && !hasErrors(diagnostics)) {
    diagnostics.push(nothingInCommon(patterns, labels, excluded));
  }
  return {
    stacks: shard ? stacks.filter(({ name }) => isInShard(name, shard)) : stacks,
    diagnostics,
  };
}

/** No stack has a longer name. */
const LONGEST_PATTERN = 1_000;
/** Further patterns without a stack are counted. */
const MOST_REPORTED = 10;

function matchPatterns<S extends Selectable>(
  all: readonly S[],
  patterns: readonly string[],
): { stacks: readonly S[]; diagnostics: readonly Diagnostic[] } {
  const names = all.map(({ name }) => name);
  const known = new Set(names);
  const matched = new Set<string>();
  const unmatched: string[] = [];
  for (const pattern of new Set(patterns)) {
    const found = matchPattern(pattern, names, known);
    if (found.length === 0) unmatched.push(pattern);
    for (const name of found) matched.add(name);
  }
  const reported = unmatched.slice(0, MOST_REPORTED);
  const more = unmatched.length - reported.length;
  const diagnostics = [
    ...reported.map((pattern) => noMatch(pattern, names)),
    ...(more > 0 ? [moreWithoutMatch(more)] : []),
  ];
  return { stacks: all.filter(({ name }) => matched.has(name)), diagnostics };
}

function matchPattern(
  pattern: string,
  names: readonly string[],
  known: ReadonlySet<string>,
): readonly string[] {
  if (known.has(pattern)) return [pattern];
  const isUsable = isGlob(pattern) && pattern.length <= LONGEST_PATTERN;
  return isUsable ? names.filter(globMatcher(pattern)) : [];
}

function moreWithoutMatch(count: number): Diagnostic {
  const detail = `${count} more names and patterns match no stack. "cdktf-console stacks" lists the stacks.`;
  return error("No stack matches", detail);
}

function noMatch(pattern: string, names: readonly string[]): Diagnostic {
  if (pattern.length > LONGEST_PATTERN) {
    const start = JSON.stringify(pattern.slice(0, SHOWN_LENGTH));
    const detail = `The name or pattern that begins with ${start} has more than ${LONGEST_PATTERN} characters.`;
    return error("No stack matches", detail);
  }
  return isGlob(pattern) ? noMatchOfGlob(pattern, names) : noSuchStack(pattern, names);
}

const SHOWN_LENGTH = 50;

function noMatchOfGlob(glob: string, names: readonly string[]): Diagnostic {
  const prefix = literalPrefix(glob);
  const lengths = [prefix.length, prefix.length + 1, prefix.length - 1];
  const prefixes = new Set(
    names.flatMap((name) => lengths.map((length) => name.slice(0, Math.max(0, length)))),
  );
  const similar = prefix === "" ? undefined : nearest(prefix, [...prefixes]);
  const suggestion =
    similar === undefined || similar === prefix
      ? ""
      : ` Did you mean ${JSON.stringify(similar + glob.slice(prefix.length))}?`;
  const detail = `No stack has a name that matches ${JSON.stringify(glob)}.${suggestion} "cdktf-console stacks" lists the stacks.`;
  return error("No stack matches", detail);
}

function matchLabels<S>(
  all: readonly S[],
  filters: readonly LabelFilter[],
  labelsOf: (stack: S) => StackLabels,
): { stacks: ReadonlySet<S>; diagnostics: readonly Diagnostic[] } {
  const matchers = filters.map(labelMatcher);
  const stacks = all.filter((stack) => matchers.every((matches) => matches(labelsOf(stack))));
  return { stacks: new Set(stacks), diagnostics: unmatchedLabels(all, filters, labelsOf) };
}

/** Returns an error for each label that no stack has. */
export function unmatchedLabels<S>(
  all: readonly S[],
  filters: readonly LabelFilter[],
  labelsOf: (stack: S) => StackLabels,
): readonly Diagnostic[] {
  return filters.flatMap((filter) => {
    const matches = labelMatcher(filter);
    const isFound = all.some((stack) => matches(labelsOf(stack)));
    return isFound ? [] : [noLabel(filter, all, labelsOf)];
  });
}

function noLabel<S>(
  { key, value }: LabelFilter,
  all: readonly S[],
  labelsOf: (stack: S) => StackLabels,
): Diagnostic {
  const label = formatLabel(key, value);
  const known = new Set(
    all.flatMap((stack) => Object.entries(labelsOf(stack)).map((entry) => formatLabel(...entry))),
  );
  if (known.size === 0) {
    const detail = `No stack has the label ${label}, because no stack has labels. The app sets them with Labels.of(stack).add({ … }).`;
    return error("No stack matches", detail);
  }
  const similar = nearest(label, [...known]);
  const suggestion = similar === undefined ? "" : ` Did you mean ${JSON.stringify(similar)}?`;
  const detail = `No stack has the label ${label}.${suggestion} "cdktf-console stacks" lists the labels of all stacks.`;
  return error("No stack matches", detail);
}

function nothingInCommon(
  patterns: readonly string[] | undefined,
  labels: readonly LabelFilter[],
  excluded: readonly string[],
): Diagnostic {
  const wanted = [
    ...(patterns ? [`the names or patterns ${patterns.slice(0, 3).join(", ")}`] : []),
    ...labels.map(({ key, value }) => `the label ${formatLabel(key, value)}`),
    ...(excluded.length > 0 ? [`not ${excluded.slice(0, 3).join(", ")}`] : []),
  ];
  const detail = `Each condition selects some stacks, but no stack satisfies all of them: ${wanted.join("; ")}.`;
  return error("No stack matches", detail);
}
