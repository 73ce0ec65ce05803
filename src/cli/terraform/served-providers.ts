import { fixedAnswers, type FixedAnswers } from "../../plugin/fixed-answers";
import { serveReattach } from "../../plugin/serve-reattach";
import { cwpProvider } from "../../provider/cwp-provider";
import type { Environment } from "../../core/environment";
import type { Diagnostic } from "../../core/diagnostics";
import { REGISTRIES } from "../../core/registries";
import { PROVIDER_SOURCE } from "../../provider/identity";
import type { Log } from "../../core/io/log";
import { nullProvider } from "../../core/providers/null-provider";
import { Provider } from "../../core/provider";
import type { StackPlan } from "../../runtime";
import { ObservedProvider, type ApplyPace, type ImportTarget } from "./observed-provider";

export interface ServedProviders {
  /** Terraform's variable for providers that run already. */
  readonly environment: Readonly<Record<"TF_REATTACH_PROVIDERS", string>>;
  /** Adds what the provider read for a plan, which Terraform's JSON does not have. */
  readonly complete: (plan: StackPlan) => StackPlan;
  /** Restores the findings of the provider among the warnings that Terraform printed. */
  readonly restore: (diagnostics: readonly Diagnostic[]) => readonly Diagnostic[];
  /** Sets the pace of an apply. */
  readonly setPace: (pace: ApplyPace) => void;
  /** Refuses an import next to objects of another console. */
  readonly setTarget: (target: ImportTarget) => void;
  /** Serves nothing any more. The connections stay open, for the plans of later stacks. */
  readonly close: () => Promise<void>;
  /** Closes the connections. */
  readonly end: () => Promise<void>;
}

/** Encodes the schemas of the providers, which are the same for all runs. */
export async function encodeProviders(
  withNull: boolean,
): Promise<ReadonlyMap<string, FixedAnswers>> {
  const definitions = [cwpProvider, ...(withNull ? [nullProvider] : [])];
  const answers = definitions.map(
    async (one) => [one.source, await fixedAnswers(new Provider<unknown>(one))] as const,
  );
  return new Map(await Promise.all(answers));
}

/**
 * Serves the providers from this process to Terraform or OpenTofu in the folder of one stack, where
 * relative paths start. They are on Unix sockets that only this user can reach.
 *
 * @param schemas - of the providers to serve
 */
export async function serveProviders(
  surroundings: {
    readonly directory: string;
    readonly environment: Environment;
    readonly log: Log;
  },
  schemas: ReadonlyMap<string, FixedAnswers>,
  definition = cwpProvider,
): Promise<ServedProviders> {
  const observed = new ObservedProvider(definition);
  const served = await Promise.all(
    [...schemas].map(async ([source, answers]) => {
      const provider = source === PROVIDER_SOURCE ? observed : new Provider<unknown>(nullProvider);
      return { source, server: await serveReattach({ provider, answers, ...surroundings }) };
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
    setPace: (pace) => {
      observed.pace = pace;
    },
    setTarget: (target) => {
      observed.target = target;
    },
    close: async () => {
      await Promise.all(served.map(({ server }) => server.close()));
    },
    end: () => observed.end(),
  };
}
