import type { ProviderDefinition } from "../../core/definitions/provider-definition";
import type { Console } from "../../provider/console/connection";
import { cwpProvider } from "../../provider/cwp-provider";

/**
 * Keeps the consoles that a run is connected to, so that more can be read from them after planning:
 * Terraform closes its provider before the plan can be reviewed.
 */
export class OpenConsoles {
  private readonly connections = new Set<Console>();
  /** The provider of the run. Its consoles stay open until `close`. */
  readonly definition: ProviderDefinition<Console>;

  constructor(provider = cwpProvider) {
    this.definition = {
      ...provider,
      configure: async (...given) => {
        const configured = await provider.configure(...given);
        if (configured.connection) this.connections.add(configured.connection);
        return configured;
      },
      close: () => Promise.resolve(),
    };
  }

  /** The last connection to the console at this address. */
  at(address: string | undefined): Console | undefined {
    return [...this.connections].findLast(({ client }) => client.address === address);
  }

  async close(): Promise<void> {
    await Promise.all([...this.connections].map((connection) => cwpProvider.close(connection)));
    this.connections.clear();
  }
}
