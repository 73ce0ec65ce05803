import { validateDataResourceConfig } from "../../../src/plugin/handlers/validate-data-resource-config";
import { warning } from "../../../src/core/diagnostics";
import type { DataSource } from "../../../src/core/definitions/data-source-definition";
import { optional, string } from "../../../src/core/schema/attribute";
import type { World } from "../../runtime/engine/memory-provider";
import { codecOf } from "../support/client";
import { serveMemory, type ServedMemory } from "../support/served-memory";

const TYPE = "memory_tide";
const attributes = { name: optional(string(), "Of the sea.") };

/** Validates by the world of the provider configuration. */
const tide: DataSource<World> = {
  type: TYPE,
  description: "A tide.",
  attributes,
  validate: (_config, world) => (world ? [warning("Low water", "Soon.")] : []),
  read: () => Promise.resolve({ state: { name: null } }),
};

const request = { typeName: TYPE, config: codecOf(attributes).encode({}) };
let served: ServedMemory;

beforeAll(async () => {
  served = await serveMemory({ dataSources: [tide] });
});
afterAll(() => served.close());

describe("Terraform validates a data source", () => {
  test("before the provider is configured, by the configuration alone", async () => {
    const { diagnostics } = await served.connect().call(validateDataResourceConfig, request);
    expect(diagnostics).toEqual([]);
  });

  test("again before the read, by the release of the console too", async () => {
    const client = await served.configured();
    const { diagnostics } = await client.call(validateDataResourceConfig, request);
    expect(diagnostics).toMatchObject([{ summary: "Low water" }]);
  });
});
