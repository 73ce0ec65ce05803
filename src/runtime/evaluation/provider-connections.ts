import type { Environment } from "../../core/environment";
import { hasErrors, type Diagnostic } from "../../core/diagnostics";
import { answered } from "./provider-diagnostics";
import type { Provider } from "../../core/provider";
import { valuesEqual, type ObjectValue } from "../../core/values";
import type { ProviderBlock, StackConfig } from "../config/stack-config";
import type { Scope } from "../expressions/scope";
import { conformBody } from "./conform";
import { selectProvider, type Connection, type Providers } from "./providers";

interface Configured {
  readonly provider: Provider<unknown>;
  readonly value: ObjectValue;
  /** Undefined until the configuration is wholly known, and if it is invalid. */
  readonly connection: unknown;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The configured providers of one stack, from validation to the end of a run. A provider is
 * configured once, and again only when more of its configuration is known.
 */
export class ProviderConnections {
  private readonly configured = new Map<string, readonly Configured[]>();

  constructor(
    private readonly stack: StackConfig,
    private readonly providers: Providers,
    private readonly environment: Environment,
  ) {}

  /** Configures a provider. There is no connection if the executor does not include it. */
  async configure(
    { key, block }: { readonly key: string; readonly block?: ProviderBlock },
    scope: Scope,
  ): Promise<{ connection?: Connection; diagnostics: readonly Diagnostic[] }> {
    const [name = key] = key.split(".");
    const selected = selectProvider(this.stack, name, this.providers);
    if (!selected) return { diagnostics: [] };
    const { provider } = selected;
    const where = block?.where ?? { address: `provider.${key}` };
    const attributes = provider.definition.configuration;
    const options = { ephemeral: true };
    const body = conformBody(block?.body ?? new Map(), attributes, scope, where, options);
    const earlier = this.configured.get(key) ?? [];
    const known = earlier.find(({ value }) => valuesEqual(value, body.value));
    const configured = known ?? (await this.connect(provider, body.value, body.diagnostics));
    if (!known) this.configured.set(key, [...earlier, configured]);
    return {
      connection: { ...selected, connection: configured.connection },
      diagnostics: [...body.diagnostics, ...answered(configured.diagnostics, where, body)],
    };
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    const configured = [...this.configured.values()].flat();
    this.configured.clear();
    await Promise.all(
      configured.map(async ({ provider, connection }) => {
        if (connection !== undefined) await provider.close(connection);
      }),
    );
  }

  private async connect(
    provider: Provider<unknown>,
    value: ObjectValue,
    found: readonly Diagnostic[],
  ): Promise<Configured> {
    const configured: Pick<Configured, "connection" | "diagnostics"> = hasErrors(found)
      ? { connection: undefined, diagnostics: provider.validateConfiguration(value) }
      : await provider.configure(value, this.environment, undefined, this.stack.directory);
    return { provider, value, ...configured };
  }
}
