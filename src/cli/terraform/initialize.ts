import { join } from "node:path";
import { error, type Diagnostic } from "../../provider/diagnostics";
import { PROVIDER_SOURCE } from "../../provider/identity";
import { nullProvider } from "../../provider/null-provider";
import type { StackEntry } from "../../runtime/config/assembly";

/** The error for an `init` that failed. Its own output is shown before. */
export function initializationFailed(
  program: string,
  { name, directory }: StackEntry,
  output: string,
): Diagnostic {
  const advice = ADVICE.find(({ symptom }) => symptom.test(output))?.advice(directory) ?? "";
  return error(
    "The stack was not initialized",
    `"${program} init" failed for stack "${name}", in ${directory}. Its output is shown above. Nothing was planned or changed.${advice && `\n\n${advice}`}`,
  );
}

/** Matches text with line breaks in any place. */
const words = (text: string) => new RegExp(text.replaceAll(" ", "[\\s│]+"));

const ADVICE: readonly { readonly symptom: RegExp; readonly advice: (at: string) => string }[] = [
  {
    symptom: words("do(es)?n?'?t? (not )?match any of the checksums"),
    advice: (directory) =>
      `The lock file has the checksums of another build of the same version. If you expect that, delete ${join(directory, ".terraform.lock.hcl")}.`,
  },
  {
    symptom: new RegExp(`provider\\s[^]{0,120}${nullProvider.source}`),
    advice: (directory) =>
      `ConsoleBootstrap needs a resource of ${nullProvider.source}, which Terraform downloads from its registry. Without access to a registry, add the provider to a mirror. For tests, install a stand-in:\n\n  npx cdktf-console provider install --with-null --dir ${directory}`,
  },
  {
    symptom: new RegExp(PROVIDER_SOURCE),
    advice: () =>
      'The provider is installed in terraform.d/plugins in the folder of the stack. Terraform looks there unless its CLI configuration has a provider_installation block. If it has one, add the mirror that "provider install --mirror DIR" prints.',
  },
];
