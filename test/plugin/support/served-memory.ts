import { serveReattach } from "../../../src/plugin/serve-reattach";
import { configureProvider } from "../../../src/plugin/handlers/configure-provider";
import type { LogRecord } from "../../../src/core/io/log";
import { Provider } from "../../../src/core/provider";
import type { ObjectValue } from "../../../src/core/values";
import type { ProviderDefinition } from "../../../src/core/definitions/provider-definition";
import type { Resource } from "../../../src/core/definitions/resource-definition";
import { memoryProvider, World } from "../../runtime/engine/memory-provider";
import { codecOf, PluginClient } from "./client";

export const THING = "memory_thing";

/** Serves the provider of the executor's tests, extended by `more`, on the loopback interface. */
export async function serveMemory(more: Partial<ProviderDefinition<World>> = {}) {
  const worlds = new Map(["default", "other"].map((name) => [name, new World()]));
  const { definition } = memoryProvider(worlds);
  const holds = new Map<World, (signal: AbortSignal) => void>();
  const resources = definition.resources.map((resource) => holding(resource, holds));
  const provider = new Provider<World>({ ...definition, resources, ...more });
  const logged: LogRecord[] = [];
  const server = await serveReattach({
    provider,
    log: (record) => logged.push(record),
    port: 0,
  });
  const clients: PluginClient[] = [];
  const { configuration } = provider.definition;
  const [thing] = resources;
  if (!thing) throw new Error("there is no resource");
  const world = (name = "default") => {
    const found = worlds.get(name);
    if (!found) throw new Error(`there is no world ${name}`);
    return found;
  };
  const connect = (address = server.reattachment.Addr.String) => {
    const client = new PluginClient(address);
    clients.push(client);
    return client;
  };
  return {
    server,
    provider,
    logged,
    world,
    /** Makes creates wait until they are aborted; returns the signal of the first one. */
    holdCreation: (name?: string) =>
      new Promise<AbortSignal>((resolve) => {
        holds.set(world(name), resolve);
      }),
    thing: codecOf(thing.attributes),
    connect,
    /** A connection with a configuration. */
    configured: async (config: ObjectValue = {}, address?: string) => {
      const client = connect(address);
      const encoded = codecOf(configuration).encode(config);
      const { diagnostics } = await client.call(configureProvider, { config: encoded });
      expect(diagnostics).toEqual([]);
      return client;
    },
    close: async () => {
      for (const client of clients) client.close();
      await server.close();
    },
  };
}

/** The same resource with creates that can be held. */
function holding(
  resource: Resource<World>,
  holds: ReadonlyMap<World, (signal: AbortSignal) => void>,
): Resource<World> {
  return {
    ...resource,
    async create(planned, config, context) {
      const { connection, signal } = context;
      const hold = holds.get(connection);
      if (hold) {
        hold(signal);
        await aborted(signal);
      }
      return resource.create(planned, config, context);
    },
  };
}

export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => {
      resolve();
    });
  });
}

export type ServedMemory = Awaited<ReturnType<typeof serveMemory>>;
