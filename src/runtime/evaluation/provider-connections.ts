import type { Environment } from "../../core/environment";
import { hasErrors, type Diagnostic } from "../../core/diagnostics";
import { answered, withVariables } from "./provider-diagnostics";
import type { Provider } from "../../core/provider";
import { mapMembers, memberOf } from "../../core/member-of";
import type { Attributes } from "../../core/schema/attribute";
import { UNKNOWN, valuesEqual, type ObjectValue } from "../../core/values";
import type { ConnectionIdentity } from "../../core/definitions/provider-definition";
import { locate, type ProviderBlock, type EvaluationScope, type StackConfig } from "../../language";
import { conformBody } from "./conform";
import { selectProvider, type ProviderConnection, type Providers } from "./providers";

interface Configured {
  readonly provider: Provider<unknown>;
  readonly value: ObjectValue;
  /** Undefined until the configuration is wholly known, and if it is invalid. */
  readonly connection: unknown;
  /** See `ConnectionIdentity`. */
  readonly identity?: ConnectionIdentity;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Decides if a connection may be used. Returns an error for credentials that were planned for another
 * destination.
 */
export type ConnectionGuard = (
  key: string,
  identity: ConnectionIdentity,
) => Promise<Diagnostic | undefined>;

/**
 * The configured providers of one stack, from validation to the end of a run. A provider is
 * configured once, and again only when more of its configuration is known.
 */
export class ProviderConnections {
  private readonly configured = new Map<string, readonly Configured[]>();
  /** Asked before each use of a connection with credentials. */
  guard: ConnectionGuard | undefined;

  constructor(
    private readonly stack: StackConfig,
    private readonly providers: Providers,
    private readonly environment: Environment,
    /** Connections only validate: a secret need not be known. */
    private readonly validates = false,
  ) {}

  /** Configures a provider. There is no connection if the executor does not include it. */
  async configure(
    { key, block }: { readonly key: string; readonly block?: ProviderBlock },
    scope: EvaluationScope,
  ): Promise<{ connection?: ProviderConnection; diagnostics: readonly Diagnostic[] }> {
    const [name = key] = key.split(".");
    const selected = selectProvider(this.stack, name, this.providers);
    if (!selected) return { diagnostics: [] };
    const { provider } = selected;
    const where = block?.where ?? { address: `provider.${key}` };
    const attributes = provider.definition.configuration;
    const at = { ...where, ephemeral: true };
    const body = conformBody(block?.body ?? new Map(), attributes, scope, at);
    const earlier = this.configured.get(key) ?? [];
    const wanted = this.validates ? withoutSecrets(body.value, attributes) : body.value;
    const known = earlier.find(({ value }) => valuesEqual(value, wanted));
    const configured = known ?? (await this.connect(provider, wanted, body.diagnostics));
    if (!known) this.configured.set(key, [...earlier, configured]);
    const { identity } = configured;
    const refusal = identity && (await this.guard?.(key, identity));
    if (refusal) return { diagnostics: locate([refusal], where) };
    return {
      connection: { ...selected, connection: configured.connection },
      diagnostics: [
        ...body.diagnostics,
        ...withVariables(answered(configured.diagnostics, where, body), block?.body),
      ],
    };
  }

  /** The identities of the connections by the keys of their providers, as far as they are known. */
  get identities(): ReadonlyMap<string, ConnectionIdentity | undefined> {
    return new Map([...this.configured].map(([key, all]) => [key, all.at(-1)?.identity]));
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
    const configured: Omit<Configured, "provider" | "value"> = hasErrors(found)
      ? { connection: undefined, diagnostics: provider.validateConfiguration(value) }
      : await provider.configure(value, this.environment, undefined, this.stack.directory);
    return { provider, value, ...configured };
  }
}

function withoutSecrets(value: ObjectValue, attributes: Attributes): ObjectValue {
  return mapMembers(value, (member, name) =>
    member === UNKNOWN && memberOf(attributes, name)?.sensitive === true ? null : member,
  );
}
