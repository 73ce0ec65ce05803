import { join } from "node:path";
import { error, type Diagnostic } from "../../provider/diagnostics";
import { fileProblem } from "../../provider/file-problem";
import { nullProvider } from "../../provider/null-provider";
import { PROVIDER_SOURCE } from "../../provider/identity";
import { consoleInstallation, install } from "../../plugin/installation";
import type { StackEntry } from "../../runtime/config/assembly";
import { PROVIDER_BUNDLE } from "../provider-bundle";

/** Puts the provider beside the stack, where Terraform asks no registry for it. */
export async function installBeside({ directory }: StackEntry): Promise<readonly Diagnostic[]> {
  const plugins = join(directory, "terraform.d/plugins");
  try {
    await install(plugins, consoleInstallation(), PROVIDER_BUNDLE);
    return [];
  } catch (failure) {
    const problem = fileProblem(failure);
    if (!problem) throw failure;
    return [error("Provider cannot be installed", `${plugins}: ${problem.text}.`)];
  }
}

/** What to do about an `init` that failed; its output, which says what is wrong, stands above. */
export function initializationFailed(
  program: string,
  { name, directory }: StackEntry,
  output: string,
): Diagnostic {
  const advice = ADVICE.find(({ symptom }) => symptom.test(output))?.advice(directory) ?? "";
  return error(
    "The stack was not initialized",
    `"${program} init" failed for stack "${name}", in ${directory}. What it said stands above. Nothing was planned or changed.${advice && `\n\n${advice}`}`,
  );
}

/** Terraform breaks lines anywhere. */
const words = (text: string) => new RegExp(text.replaceAll(" ", "[\\s│]+"));

const ADVICE: readonly { readonly symptom: RegExp; readonly advice: (at: string) => string }[] = [
  {
    symptom: words("do(es)?n?'?t? (not )?match any of the checksums"),
    advice: (directory) =>
      `The lock file knows the provider from another build of the same version. If that is as it should be, delete ${join(directory, ".terraform.lock.hcl")}.`,
  },
  {
    symptom: new RegExp(`provider\\s[^]{0,120}${nullProvider.source}`),
    advice: (directory) =>
      `The gate behind a ConsoleBootstrap is a resource of ${nullProvider.source}, which Terraform takes from its registry. Where none is reached, a mirror of yours can have it. For tests there is a stand-in:\n\n  npx cdktf-console provider install --with-null --dir ${directory}`,
  },
  {
    symptom: new RegExp(PROVIDER_SOURCE),
    advice: () =>
      'The provider is in terraform.d/plugins beside the stack. Terraform looks there unless its CLI configuration has a provider_installation block: add a mirror to that, as "provider install --mirror DIR" tells.',
  },
];
