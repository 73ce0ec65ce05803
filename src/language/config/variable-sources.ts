import { join } from "node:path";
import { otherEncoding, readTextFile } from "../../core/io/read-file";
import { fileFault } from "../../core/io/file-fault";
import { world } from "../../core/io/world";
import { z } from "zod";
import { error, type Diagnostic } from "../../core/diagnostics";
import { compareStrings } from "../../core/values";
import { nestingProblem } from "../expressions/nesting";
import type { Node } from "../expressions/nodes";
import { parseHcl } from "../expressions/parse";
import { decodeJson } from "../expressions/functions/json-functions";
import { readJsonFile } from "./json-file";

/** The source of `--var`. */
export const COMMAND_LINE = "--var";

/** The sources of the values of variables. */
export interface VariableInputs {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folders with terraform.tfvars and *.auto.tfvars, HCL or .json; later folders take precedence. */
  readonly directories: readonly string[];
  /** The arguments of the command line in their order: later ones take precedence. */
  readonly given: readonly VariableArgument[];
  /**
   * The values of variables that are not ephemeral, from saved plans, by stack. The command line may
   * repeat them, and must not change them.
   */
  readonly settled?: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  /** Treatment of a variable without a value: an error (the default), or unknown. */
  readonly unset?: "error" | "unknown";
  /** True: the environment sets no variable. Default false. */
  readonly ignoresEnvironment?: boolean;
  /** Asked once for all secrets that have no value otherwise. */
  readonly secrets?: SecretSource;
}

/** Finds secrets, such as the command of `--secrets-command`. Errors are of the whole run. */
export type SecretSource = (request: {
  /** The variables that need a value. */
  readonly names: readonly string[];
  /** All ephemeral variables of the run. */
  readonly ephemeral: readonly string[];
}) => Promise<{
  /** By name. A secret that was not found is absent. */
  readonly values: ReadonlyMap<string, string>;
  readonly diagnostics: readonly Diagnostic[];
}>;

export type VariableArgument =
  /** `--var NAME=VALUE` */
  | { readonly kind: "value"; readonly text: string }
  /** `--var-file FILE` */
  | { readonly kind: "file"; readonly file: string };

/** A value of a variable as it was found. */
export interface AssignedVariable {
  readonly name: string;
  /** The source to show in diagnostics: `--var`, a file name. */
  readonly source: string;
  readonly content:
    /** Read by the variable's type: as a string, else as an HCL expression. */
    | { readonly kind: "text"; readonly text: string }
    /** A literal. */
    | { readonly kind: "json"; readonly json: unknown }
    /** An HCL expression of a file. */
    | { readonly kind: "expression"; readonly node: Node };
}

/** Reads the values of files and the command line, in order of precedence. */
export async function readAssignments({
  directories,
  given,
}: Pick<VariableInputs, "directories" | "given">): Promise<{
  assignments: readonly AssignedVariable[];
  diagnostics: readonly Diagnostic[];
}> {
  const assignments: AssignedVariable[] = [];
  const diagnostics: Diagnostic[] = [];
  const read = async (file: string): Promise<void> => {
    const result = await readVariableFile(file);
    assignments.push(...result.assignments);
    diagnostics.push(...result.diagnostics);
  };
  for (const directory of directories) {
    for (const file of await automaticFiles(directory)) await read(file);
  }
  for (const argument of given) {
    if (argument.kind === "file") {
      await read(argument.file);
      continue;
    }
    const [, name, text] = /^\s*([^=\s]+)\s*=([^]*)$/.exec(argument.text) ?? [];
    if (name === undefined || text === undefined) {
      diagnostics.push(
        error("Invalid --var option", "The value of --var must be of the form NAME=VALUE."),
      );
      continue;
    }
    assignments.push({ name, source: COMMAND_LINE, content: { kind: "text", text } });
  }
  return { assignments, diagnostics };
}

/** Lists the files that Terraform reads automatically, in its order. */
export async function automaticFiles(directory: string): Promise<readonly string[]> {
  let names: readonly string[];
  try {
    names = await world.files.readdir(directory);
  } catch {
    return [];
  }
  const fixed = ["terraform.tfvars", "terraform.tfvars.json"].filter((name) =>
    names.includes(name),
  );
  const automatic = names.filter((name) => /\.auto\.tfvars(\.json)?$/.test(name));
  return [...fixed, ...[...automatic].sort(compareStrings)].map((name) => join(directory, name));
}

interface FileContent {
  readonly assignments: readonly AssignedVariable[];
  readonly diagnostics: readonly Diagnostic[];
}

async function readVariableFile(file: string): Promise<FileContent> {
  return file.endsWith(".json") ? readJsonVariables(file) : readHclVariables(file);
}

async function readJsonVariables(file: string): Promise<FileContent> {
  const read = await readJsonFile(file, decodeJson);
  if (read.kind === "missing") return faulty(noSuchFile(file));
  return read.kind === "faulty" ? faulty(read.diagnostic) : contentOf(read.json, file);
}

async function readHclVariables(file: string): Promise<FileContent> {
  let text: string;
  try {
    text = await readTextFile(file);
  } catch (cause) {
    return faulty(noSuchFile(file, cause));
  }
  if (/[\uFFFD\0]/.test(text)) {
    const { message, line } = otherEncoding(text);
    return faulty(error("Invalid variable file", `${file}, line ${line}: ${message}.`));
  }
  const problem = nestingProblem(text, "code");
  if (problem) return faulty(error(problem.summary, `${file}: ${problem.detail}`));
  const { parse } = await import("@cdktn/hcl2json");
  try {
    await parse("variables.tfvars", text);
  } catch (cause) {
    const message = String(cause);
    const place = /variables\.tfvars:(\d+)/.exec(message)?.[1];
    const twice = /argument "([^"]+)" was already set/.exec(message)?.[1];
    const what =
      twice === undefined
        ? "the file is not valid HCL. Correct it there: a line is NAME = VALUE."
        : `"${twice}" is set twice. Remove one of the two.`;
    const detail = `${file}${place === undefined ? "" : `, line ${place}`}: ${what}`;
    return faulty(error("Invalid variable file", detail));
  }
  // The attributes of a body without blocks are the members of an object. Its numbers are exact.
  const source = `{\n${text}\n}`;
  const { expression, diagnostics } = await parseHcl(source, { address: file, path: [] });
  if (expression.node.kind !== "object") {
    const detail = `${file}: blocks are not allowed here. Set each variable as NAME = VALUE.`;
    return faulty(error("Invalid variable file", detail));
  }
  const assignments = expression.node.members.flatMap(({ key, value: node }) =>
    key.kind === "literal" && typeof key.value === "string"
      ? [{ name: key.value, source: file, content: { kind: "expression", node } as const }]
      : [],
  );
  return { assignments, diagnostics };
}

const variables = z.record(z.string(), z.unknown());

function contentOf(json: unknown, file: string): FileContent {
  const read = variables.safeParse(json);
  if (!read.success) {
    const detail = `${file} must hold an object with the values of variables by name.`;
    return faulty(error("Invalid variable file", detail));
  }
  return {
    assignments: Object.entries(read.data)
      .filter(([name]) => name !== "//")
      .map(([name, value]) => ({ name, source: file, content: { kind: "json", json: value } })),
    diagnostics: [],
  };
}

function faulty(diagnostic: Diagnostic): FileContent {
  return { assignments: [], diagnostics: [diagnostic] };
}

function noSuchFile(file: string, cause: unknown = MISSING_FILE): Diagnostic {
  const detail = `The file of variables ${file} cannot be read: ${fileFault(cause, file)}`;
  return error("No variable file", detail);
}

const MISSING_FILE = { code: "ENOENT", syscall: "open" };
