import { memberOf } from "../../core/member-of";
import { isSecretName } from "../../core/redact";
import { resolve } from "node:path";
import { z } from "zod";
import type { Environment } from "../../core/environment";
import { error, hasErrors, type Diagnostic } from "../../core/diagnostics";
import type { VariableArgument } from "../../runtime";
import { automaticFiles, readAssignments } from "../../language";

/** Environment variables of the provider that hold paths. */
const PATHS = ["CONSOLE_CA_FILE", "CONSOLE_CLIENT_CERT_FILE", "CONSOLE_CLIENT_KEY_FILE"];

/**
 * Input variables for Terraform, the same that the embedded executor finds. Terraform reads the files
 * itself. Values are passed in the environment, since all users of a machine can see command lines.
 */
export interface VariableSources {
  /** Later files win. */
  readonly files: readonly string[];
  readonly environment: Environment;
}

export interface VariableRequest {
  /** Working directory of the command. Its tfvars files are read, and relative paths start here. */
  readonly directory: string;
  readonly environment: Environment;
  /** From the command line. */
  readonly given: readonly VariableArgument[];
  /** The folders of the stacks, whose tfvars files the program reads too. */
  readonly stacks: readonly string[];
}

/** Variables of all stacks. Files win over the environment, so no file may set a variable of `--var`. */
export async function variableSources({
  directory,
  environment,
  given,
  stacks,
}: VariableRequest): Promise<VariableSources & { readonly diagnostics: readonly Diagnostic[] }> {
  const named = given.flatMap((argument) =>
    argument.kind === "file" ? resolve(directory, argument.file) : [],
  );
  const files = [...(await automaticFiles(directory)), ...named];
  const options = await readAssignments({
    directories: [],
    given: given.filter(({ kind }) => kind === "value"),
  });
  const inFiles = await readAssignments({
    directories: options.assignments.length > 0 ? stacks : [],
    given: files.map((file) => ({ kind: "file", file })),
  });
  const diagnostics = [...options.diagnostics, ...inFiles.diagnostics];
  if (hasErrors(diagnostics)) return { files, environment, diagnostics };
  const values = options.assignments.flatMap(({ name, content }) =>
    content.kind === "text" ? [[name, content.text] as const] : [],
  );
  const twice = inFiles.assignments.filter(({ name }) => values.some(([one]) => one === name));
  return {
    files,
    environment: {
      ...environment,
      ...absolute(environment, directory),
      ...Object.fromEntries(values.map(([name, text]) => [`TF_VAR_${name}`, text])),
    },
    diagnostics: twice.map(({ name, source }) => givenTwice(name, source)),
  };
}

/** Terraform and the provider run in the folder of the stack, so paths become absolute. */
function absolute(environment: Environment, directory: string): Environment {
  const set = PATHS.flatMap((name) => {
    const path = memberOf(environment, name)?.trim() ?? "";
    return path === "" ? [] : [[name, resolve(directory, path)] as const];
  });
  return Object.fromEntries(set);
}

function givenTwice(name: string, source: string): Diagnostic {
  return error(
    "Variable is set twice",
    `--var and ${source} set the variable "${name}". With Terraform, the file would win. Remove one of them.`,
  );
}

const declarations = z.looseObject({
  terraform: z.unknown().optional(),
  variable: z
    .record(
      z.string(),
      z.looseObject({ sensitive: z.unknown().optional(), ephemeral: z.unknown().optional() }),
    )
    .optional(),
});

/** `TF_VAR_NAME` for each `NAME` that `Secret.fromEnv` reads from the environment. */
export function secretVariables(stack: unknown, environment: Environment): Environment {
  const found = declaredSecrets(stack).flatMap((name) => {
    const text = environment[`TF_VAR_${name}`] ?? memberOf(environment, name);
    return text === undefined ? [] : [[`TF_VAR_${name}`, text] as const];
  });
  return Object.fromEntries(found);
}

/**
 * The secrets that a stack declares: the values in the environment of variables that are marked as
 * sensitive or ephemeral, and members of its backend that are named like one.
 */
export function markedValues(stack: unknown, environment: Environment): readonly string[] {
  const { variable = {}, terraform } = declarations.safeParse(stack).data ?? {};
  const variables = Object.entries(variable).flatMap(([name, { sensitive, ephemeral }]) => {
    const isMarked = sensitive === true || ephemeral === true;
    return isMarked ? [environment[`TF_VAR_${name}`], memberOf(environment, name)] : [];
  });
  const texts = [...variables, ...namedSecrets(terraform)].filter((one) => one !== undefined);
  return texts.filter((text) => text.length >= LEAST_CHARACTERS);
}

/** Shorter texts may be a part of any text. */
const LEAST_CHARACTERS = 4;

function namedSecrets(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    if (typeof member !== "string") return namedSecrets(member);
    if (isSecretName(name)) return [member];
    // The backends pg and http take a password in an address.
    return URL.canParse(member) ? [decodeURIComponent(new URL(member).password)] : [];
  });
}

/** The variables that `Secret.fromEnv` declares. */
export function declaredSecrets(stack: unknown): readonly string[] {
  const { variable = {} } = declarations.safeParse(stack).data ?? {};
  return Object.entries(variable).flatMap(([name, { sensitive, ephemeral }]) =>
    sensitive === true && ephemeral === true ? [name] : [],
  );
}
