import { serveReattach } from "../../plugin/serve-reattach";
import { cwpProvider } from "../../provider/cwp-provider";
import type { Environment } from "../../provider/definitions/provider-definition";
import type { Diagnostic } from "../../provider/diagnostics";
import { PROVIDER_SOURCE, REGISTRIES } from "../../provider/identity";
import type { Log } from "../../provider/log";
import { nullProvider } from "../../provider/null-provider";
import { Provider } from "../../provider/provider";
import type { StackPlan } from "../../runtime";
import { ObservedProvider } from "./observed-provider";

export interface ServedProviders {
  /** Terraform's variable for providers that run already. */
  readonly environment: Readonly<Record<"TF_REATTACH_PROVIDERS", string>>;
  /** Adds what the provider read for a plan, which Terraform's JSON does not have. */
  readonly complete: (plan: StackPlan) => StackPlan;
  /** Restores the findings of the provider among the warnings that Terraform printed. */
  readonly restore: (diagnostics: readonly Diagnostic[]) => readonly Diagnostic[];
  readonly close: () => Promise<void>;
}

/**
 * Serves the providers from this process to Terraform or OpenTofu in the folder of one stack, where
 * relative paths start. They are on Unix sockets that only this user can reach.
 *
 * @param withNull - also serves the replacement of hashicorp/null
 */
export async function serveProviders(
  directory: string,
  environment: Environment,
  log: Log,
  withNull: boolean,
): Promise<ServedProviders> {
  const observed = new ObservedProvider(cwpProvider);
  const provided: readonly (readonly [string, Provider<unknown>])[] = [
    [PROVIDER_SOURCE, observed],
    ...(withNull ? [[nullProvider.source, new Provider<unknown>(nullProvider)] as const] : []),
  ];
  const served = await Promise.all(
    provided.map(async ([source, provider]) => {
      const at = { socket: environment };
      return { source, server: await serveReattach({ provider, log, at, environment, directory }) };
    }),
  );
  // Without a host, each program takes its own registry's. A state of the other one has its host.
  const running = served.flatMap(({ source, server: { reattachment } }) =>
    [source, ...REGISTRIES.map((registry) => `${registry}/${source}`)].map(
      (address) => [address, reattachment] as const,
    ),
  );
  return {
    environment: { TF_REATTACH_PROVIDERS: JSON.stringify(Object.fromEntries(running)) },
    complete: (plan) => observed.complete(plan),
    restore: (diagnostics) => observed.restore(diagnostics),
    close: async () => {
      await Promise.all(served.map(({ server }) => server.close()));
    },
  };
}
