import { resolve } from "node:path";
import { readTextFile } from "../../core/io/read-file";
import type { LabelFilter } from "../../fleet/selection/label-filter";
import type { StackLabels } from "../../fleet/selection/labels";
import { labelsOf } from "../../fleet/selection/read-labels";
import { selectStacks, type Selection } from "../../fleet/selection/select-stacks";
import type { Shard } from "../../fleet/selection/shard";
import { error, hasErrors, warning, withParagraph, type Diagnostic } from "../../core/diagnostics";
import { fileFault } from "../../core/io/file-fault";
import { readAssembly, readJsonFile, type StackEntry } from "../../language";
import type { Screen } from "../terminal/screen";
import type { Terminal } from "../terminal/terminal";
import { findStacks, type AppOptions } from "./app-stacks";
import { changedStacks } from "./changed-stacks";

/** Options that select stacks, in addition to their names and patterns. */
export interface SelectionOptions {
  readonly label?: readonly LabelFilter[];
  /** Names and patterns of stacks that are left out. */
  readonly exclude?: readonly string[];
  /** File with names and patterns, or `-` for standard input. */
  readonly stacksFrom?: string;
  readonly shard?: Shard;
  /** Folder of stacks that were synthesized before. */
  readonly changedFrom?: string;
}

/** The selected stacks of an app. After an error there is no `directory`. */
export interface SelectedStacks {
  /** Folder of the synthesized stacks. */
  readonly directory?: string;
  readonly stacks: readonly StackEntry[];
  /** All stacks of the app. */
  readonly all: readonly StackEntry[];
  readonly diagnostics: readonly Diagnostic[];
  /** Errors and warnings of constructs. */
  readonly annotations: readonly Diagnostic[];
}

/** Synthesizes the app, and selects stacks by name or pattern (default: all) and by the options. */
export async function findSelected(
  screen: Screen,
  names: readonly string[],
  options: AppOptions & SelectionOptions,
): Promise<SelectedStacks> {
  const failed = (diagnostics: readonly Diagnostic[]): SelectedStacks => ({
    stacks: [],
    all: [],
    diagnostics,
    annotations: [],
  });
  const { directory, diagnostics } = await findStacks(screen, options);
  if (directory === undefined || hasErrors(diagnostics)) return failed(diagnostics);
  const { assembly, diagnostics: annotations } = await readAssembly(directory);
  if (!assembly) return failed(annotations);
  const read = await readSelection(screen.terminal, names, options);
  if ("problem" in read) return failed([read.problem]);
  const { selection } = read;
  const { length } = selection.labels ?? [];
  const known = length > 0 ? await readLabels(assembly.stacks) : new Map<string, StackLabels>();
  const selected = selectStacks(assembly.stacks, selection, ({ name }) => known.get(name) ?? {});
  const narrowed = await changedStacks(screen.terminal, assembly.stacks, options.changedFrom);
  const isListed = options.stacksFrom !== undefined && names.length === 0;
  const unmatched = isListed
    ? selected.diagnostics.map((one) => withParagraph(one, `Correct it in ${options.stacksFrom}.`))
    : selected.diagnostics;
  const found = [...diagnostics, ...unmatched, ...narrowed.diagnostics];
  if (hasErrors(found)) return failed(found);
  const stacks = selected.stacks.filter((stack) => narrowed.stacks.has(stack));
  if (stacks.length === 0) found.push(nothingSelected(options));
  return { stacks, directory, all: assembly.stacks, diagnostics: found, annotations };
}

/** Reads which stacks names and options select, apart from `--changed-from`. */
export async function readSelection(
  terminal: Terminal,
  names: readonly string[],
  { label: labels = [], exclude = [], stacksFrom, shard }: SelectionOptions,
): Promise<{ readonly selection: Selection } | { readonly problem: Diagnostic }> {
  const listed = await readPatterns(terminal, stacksFrom);
  if ("problem" in listed) return listed;
  const given = [...names, ...listed.patterns];
  const patterns = given.filter((name) => !name.startsWith("!"));
  const negated = given.flatMap((name) => (name.startsWith("!") ? [name.slice(1)] : []));
  // A list of exceptions only is no list of stacks.
  const isLimited = patterns.length > 0 || (stacksFrom !== undefined && negated.length === 0);
  return {
    selection: {
      patterns: isLimited ? patterns : undefined,
      excluded: [...exclude, ...negated],
      labels,
      shard,
    },
  };
}

/** Like `findSelected`, but reports errors, those of constructs too. Undefined after an error. */
export async function selectedStacks(
  screen: Screen,
  names: readonly string[],
  options: AppOptions & SelectionOptions,
): Promise<(SelectedStacks & { readonly directory: string }) | undefined> {
  const selected = await findSelected(screen, names, options);
  const { directory, annotations, diagnostics } = selected;
  const failures = hasErrors(annotations) ? annotations : [];
  if (screen.report([...diagnostics, ...failures]) || directory === undefined) return undefined;
  return { ...selected, directory };
}

/** An empty shard, an empty list and no changed stack are no errors: pipelines make them. */
function nothingSelected({ shard, stacksFrom, changedFrom }: SelectionOptions): Diagnostic {
  const source = stacksFrom === "-" ? "Standard input" : stacksFrom;
  const detail = shard
    ? `None of the stacks is in shard ${shard.index}/${shard.count}.`
    : changedFrom === undefined
      ? `${source} lists no stacks.`
      : `None of the selected stacks differs from the one in ${changedFrom}.`;
  return warning("No stacks selected", `${detail} There is nothing to do.`);
}

async function readPatterns(
  terminal: Terminal,
  file: string | undefined,
): Promise<{ patterns: readonly string[] } | { problem: Diagnostic }> {
  if (file === undefined) return { patterns: [] };
  const path = resolve(terminal.directory, file);
  try {
    const text = file === "-" ? await terminal.input() : await readTextFile(path);
    if (text.includes("\0")) throw new Error("is not a text file");
    const lines = text.split("\n").map((line) => line.trim());
    return { patterns: lines.filter((line) => line !== "" && !line.startsWith("#")) };
  } catch (cause) {
    return {
      problem: error("List of stacks cannot be read", `${file}: ${fileFault(cause, path)}`),
    };
  }
}

/** Reads the labels of stacks. A file that cannot be read has none: loading the stack reports it. */
export async function readLabels(
  stacks: readonly StackEntry[],
): Promise<ReadonlyMap<string, StackLabels>> {
  const read = await Promise.all(
    stacks.map(async ({ name, file }): Promise<[string, StackLabels]> => {
      const found = await readJsonFile(file);
      return [name, found.kind === "read" ? labelsOf(found.json) : {}];
    }),
  );
  return new Map(read);
}
