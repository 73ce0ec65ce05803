import { printed, type Printed } from "../../core/printed";
import { join } from "node:path";
import { PROVIDER_NAME, PROVIDER_SOURCE } from "../../provider/identity";
import { nullProvider } from "../../core/providers/null-provider";
import type { Program } from "../stacks/engines";
import { PHRASES, says } from "./phrases";

/** Returns what to do about an `init` that failed with this output, in the folder of a stack. */
export function initializationAdvice(
  output: string,
  directory: string,
  program: Program,
): readonly (string | Printed)[] {
  return says(output, "otherChecksums")
    ? [
        `The lock file has the checksums of another build of the same version. If you expect that, delete ${join(directory, ".terraform.lock.hcl")}.`,
      ]
    : adviceOnProviders(output, program);
}

/** The advice for each provider that the errors name. */
function adviceOnProviders(output: string, program: Program): readonly (string | Printed)[] {
  const errors = output.slice(Math.max(0, output.search(/^[\s│]*Error: /m)));
  const named = [...errors.matchAll(PHRASES.providerNamed)];
  const sources = new Set(named.flatMap(([, source]) => source ?? []));
  return [...sources].map((source) => adviceOn(source, program));
}

function adviceOn(source: string, program: Program): string | Printed {
  switch (source) {
    case nullProvider.source:
      return printed`ConsoleBootstrap needs a resource of ${nullProvider.source}, which is downloaded from the registry. Without access to a registry, add the provider to a mirror. For tests, let this program serve a replacement:\n\n  --engine ${program} --with-null`;
    case PROVIDER_SOURCE:
      return `${PROVIDER_SOURCE} is served by this program and needs no installation.`;
    case `hashicorp/${PROVIDER_NAME}`:
      return `There is no provider ${source}: a block has a type of ${PROVIDER_SOURCE}, but no argument "provider", and required_providers has no "${PROVIDER_NAME}" with that source. If the stack has the source under another local name, set "provider" to that name.`;
    default:
      return `The provider ${source} is not a part of this program. ${program} downloads it from its registry. Without access to the registry, add it to a mirror.`;
  }
}
