import { join, resolve } from "node:path";
import { z } from "zod";
import { error, warning, type Diagnostic } from "../../core/diagnostics";
import { schemaMessages } from "../../core/schema/schema-messages";
import { didYouMean } from "../../core/suggest";
import { readJsonFile } from "./json-file";
import { problemsOf } from "./shape";

/** A stack as the manifest of cdktf.out lists it. */
export interface StackEntry {
  readonly name: string;
  readonly constructPath: string;
  /** The stack's cdk.tf.json, absolute. */
  readonly file: string;
  /** The folder that Terraform would run in, absolute. */
  readonly directory: string;
  /** Names of the stacks that must be applied before. */
  readonly dependencies: readonly string[];
}

/** The synthesized stacks, each after those that it depends on. */
export interface Assembly {
  /** The version of cdktf. */
  readonly version: string;
  readonly stacks: readonly StackEntry[];
}

const manifestShape = z.object({
  version: z.string(),
  stacks: z.record(
    z.string(),
    z.object({
      name: z.string(),
      constructPath: z.string().optional(),
      synthesizedStackPath: z.string(),
      workingDirectory: z.string(),
      dependencies: z.array(z.string()).default([]),
      annotations: z
        .array(
          z.object({
            level: z.string(),
            message: z.string(),
            constructPath: z.string().optional(),
          }),
        )
        .default([]),
    }),
  ),
});

type Manifest = z.infer<typeof manifestShape>;

/**
 * Reads `manifest.json` in `outDir` (cdktf.out). Annotations of constructs become
 * diagnostics: `@cdktf/error` errors, `@cdktf/warn` warnings.
 */
export async function readAssembly(
  outDir: string,
): Promise<{ assembly?: Assembly; diagnostics: readonly Diagnostic[] }> {
  const file = join(outDir, "manifest.json");
  const read = await readJsonFile(file);
  if (read.kind === "faulty") return { diagnostics: [read.diagnostic] };
  if (read.kind === "missing") {
    return {
      diagnostics: [
        error(
          "No synthesized stacks",
          `There is no manifest.json in ${outDir}. Synthesize the app first, or name the folder that holds it with --out-dir.`,
        ),
      ],
    };
  }
  const parsed = manifestShape.safeParse(read.json, { error: schemaMessages });
  if (!parsed.success) {
    const problems = problemsOf(parsed.error).map(({ path, message }) =>
      error("Invalid manifest", `${file}: ${message} Synthesize the app again.`, path),
    );
    return { diagnostics: problems };
  }
  if (Object.keys(parsed.data.stacks).length === 0) {
    const detail = `${file} lists no stack. Create one in the app before app.synth(); a file of tenants needs a row for each of them.`;
    return { diagnostics: [error("The app has no stacks", detail)] };
  }
  const entries = Object.values(parsed.data.stacks).map((stack) => entryOf(stack, outDir));
  const { stacks, cycle } = sortStacks(entries);
  if (cycle) {
    const detail = `The stacks depend on each other in a cycle: ${cycle.join(" -> ")}.`;
    return { diagnostics: [error("Cycle between stacks", detail)] };
  }
  return {
    assembly: { version: parsed.data.version, stacks },
    diagnostics: annotationsOf(parsed.data),
  };
}

/** Selects stacks by name, or all, in the order of the assembly. */
export function stacksOfAssembly(
  { stacks }: Assembly,
  names: readonly string[],
): { stacks: readonly StackEntry[]; diagnostics: readonly Diagnostic[] } {
  if (names.length === 0) return { stacks, diagnostics: [] };
  const known = new Set(stacks.map(({ name }) => name));
  const wanted = new Set(names);
  return {
    stacks: stacks.filter(({ name }) => wanted.has(name)),
    diagnostics: names
      .filter((name) => !known.has(name))
      .map((name) => noSuchStack(name, [...known])),
  };
}

/** Longer lists of stacks are cut. */
const MOST_NAMES = 20;

/** Words that people write where the name of a stack is expected. */
const NO_STACKS = [
  {
    pattern: /^[\u2010-\u2015\u2212]/,
    advice: 'It begins with a dash that is no "-". Type an option as --NAME.',
  },
  {
    pattern: /\.(?:\w*plan|bin)$/,
    advice: 'A file with a saved plan is given alone, and only to "apply" and "show".',
  },
  {
    pattern: /^(?:data\.)?[a-z]+_\w+\.\w/,
    advice: "It is the address of a resource: name its stack in front of it.",
  },
];

/** The error for a name that no stack has. */
export function noSuchStack(name: string, known: readonly string[]): Diagnostic {
  const more = known.length - MOST_NAMES;
  const listed = known.slice(0, MOST_NAMES).join(", ") + (more > 0 ? ` and ${more} more` : "");
  const other = NO_STACKS.find(({ pattern }) => pattern.test(name));
  const meant = other ? ` ${other.advice}` : didYouMean(name, known);
  const detail = `There is no stack named "${name}".${meant} The stacks are: ${listed}.`;
  return error("No such stack", detail);
}

function entryOf(stack: Manifest["stacks"][string], outDir: string): StackEntry {
  return {
    name: stack.name,
    constructPath: stack.constructPath ?? stack.name,
    file: resolve(outDir, stack.synthesizedStackPath),
    directory: resolve(outDir, stack.workingDirectory),
    dependencies: stack.dependencies,
  };
}

/** Sorts depth first: each stack after its dependencies, otherwise as listed. */
function sortStacks(entries: readonly StackEntry[]): {
  stacks: readonly StackEntry[];
  cycle?: readonly string[];
} {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const stacks = new Set<StackEntry>();
  const visit = (entry: StackEntry, trail: readonly string[]): readonly string[] | undefined => {
    if (stacks.has(entry)) return undefined;
    if (trail.includes(entry.name)) {
      return [...trail.slice(trail.indexOf(entry.name)), entry.name];
    }
    for (const name of entry.dependencies) {
      const dependency = byName.get(name);
      const cycle = dependency && visit(dependency, [...trail, entry.name]);
      if (cycle) return cycle;
    }
    stacks.add(entry);
    return undefined;
  };
  for (const entry of entries) {
    const cycle = visit(entry, []);
    if (cycle) return { stacks: [...stacks], cycle };
  }
  return { stacks: [...stacks] };
}

function annotationsOf({ stacks }: Manifest): readonly Diagnostic[] {
  return Object.values(stacks).flatMap(({ name, annotations }) =>
    annotations.flatMap(({ level, message, constructPath = name }) => {
      const located = { constructPath };
      if (level.endsWith("error")) return [{ ...error("Construct error", message), ...located }];
      if (level.endsWith("warn")) return [{ ...warning("Construct warning", message), ...located }];
      return [];
    }),
  );
}
