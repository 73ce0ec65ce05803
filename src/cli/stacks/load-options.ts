import { resolve } from "node:path";
import { builtInProviders } from "../../provider/built-in";
import type { LoadOptions, VariableArgument } from "../../runtime";
import { readAssembly, selectStacks } from "../../runtime/config/assembly";
import type { Screen } from "../terminal/screen";

/** Values of variables, in the order of the command line. */
export interface VariableOptions {
  readonly variables?: readonly VariableArgument[];
}

/** What the engine needs to load stacks. */
export function loadOptions(
  { terminal, log }: Screen,
  outDir: string,
  stacks: readonly string[],
  options: VariableOptions,
): LoadOptions {
  const given = (options.variables ?? []).map((argument) =>
    argument.kind === "file"
      ? { ...argument, file: resolve(terminal.directory, argument.file) }
      : argument,
  );
  return {
    outDir,
    stacks,
    variables: {
      environment: terminal.environment,
      directories: [terminal.directory],
      given,
    },
    providers: builtInProviders(log),
  };
}

/** The names of the stacks that a command is about; none where that cannot be told. */
export async function selectedNames(
  outDir: string,
  stacks: readonly string[],
): Promise<readonly string[]> {
  const { assembly } = await readAssembly(outDir);
  return assembly ? selectStacks(assembly, stacks).stacks.map(({ name }) => name) : [];
}
